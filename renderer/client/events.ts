import { eventEndpoints, heartbeatMs, pageEventKinds, type PageEvent } from '../../server/contract/event.ts';

/** `connecting`: first attempt; `open`; `lost`: was open or refused, retrying; `closed`: not wanted. */
export type StreamState = 'connecting' | 'open' | 'lost' | 'closed';

export interface EventStreamListener {
  event(event: PageEvent): void;
  /** Events may be missing: reload everything live. Also called when the stream opens for the first time. */
  reset(): void;
  state(state: StreamState): void;
  /** The server refused the stream, without a reason that a page can read, or fell silent. */
  ended(): void;
}

/** The part of the browser's EventSource that this uses. */
export interface EventSourcePort {
  readonly readyState: number;
  addEventListener(kind: string, listener: (event: Event) => void): void;
  close(): void;
}

const retryMs = { first: 1_000, most: 15_000 };
const closed = 2; // EventSource.CLOSED
/** A stream that is silent for so long is dead, ms: two heartbeats and the time they may be late. */
const silentMs = 2 * heartbeatMs + 5_000;
/** Kinds that bring the pages no event, and delay the next heartbeat all the same. */
const lifeSigns = ['heartbeat', 'job', 'reset'] as const;

/**
 * The live event stream. A browser reconnects by itself with Last-Event-ID after a broken connection, but gives up for
 * good after a refused one (a restarting server answers 503), and waits for ever for a server that hangs or a network
 * that is gone without a word; this class retries then, with the id in the query.
 */
export class EventStream {
  readonly #open: (address: string) => EventSourcePort;
  readonly #listener: EventStreamListener;
  #source: EventSourcePort | undefined;
  #lastId: string | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #retryInMs = retryMs.first;
  #silence: ReturnType<typeof setTimeout> | undefined;

  constructor(listener: EventStreamListener, open: (address: string) => EventSourcePort) {
    this.#listener = listener;
    this.#open = open;
  }

  start(): void {
    if (this.#source !== undefined) return;
    this.#listener.state(this.#retry === undefined ? 'connecting' : 'lost');
    const query = this.#lastId === undefined ? '' : `?last_event_id=${encodeURIComponent(this.#lastId)}`;
    const source = this.#open(`${eventEndpoints.stream.path}${query}`);
    this.#source = source;
    source.addEventListener('open', () => this.#opened());
    source.addEventListener('error', () => this.#failed());
    source.addEventListener('reset', () => this.#listener.reset());
    for (const kind of lifeSigns) source.addEventListener(kind, () => this.#heard());
    this.#heard();
    for (const kind of pageEventKinds) source.addEventListener(kind, (message) => this.#received(message));
  }

  /** Retries a lost stream at once, e.g. when the network is back. */
  retry(): void {
    if (this.#source !== undefined || this.#retry === undefined) return;
    clearTimeout(this.#retry);
    this.#retryInMs = retryMs.first;
    this.start();
  }

  stop(): void {
    clearTimeout(this.#retry);
    clearTimeout(this.#silence);
    this.#retry = undefined;
    this.#source?.close();
    this.#source = undefined;
    this.#lastId = undefined;
    this.#listener.state('closed');
  }

  /** The server lives: what it sent last was just now. */
  #heard(): void {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => {
      this.#source?.close();
      this.#failed();
    }, silentMs);
  }

  #opened(): void {
    this.#heard();
    this.#retryInMs = retryMs.first;
    this.#listener.state('open');
    if (this.#lastId === undefined) this.#listener.reset();
  }

  #failed(): void {
    this.#listener.state('lost');
    if (this.#source?.readyState !== closed) return;
    this.#listener.ended();
    this.#source = undefined;
    clearTimeout(this.#silence);
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.start(), this.#retryInMs);
    this.#retryInMs = Math.min(this.#retryInMs * 2, retryMs.most);
  }

  #received(message: Event): void {
    if (!(message instanceof MessageEvent)) return;
    this.#heard();
    this.#lastId = message.lastEventId || this.#lastId;
    this.#listener.event(JSON.parse(String(message.data)) as PageEvent); // server and page are built from one contract
  }
}
