import type { Duplex } from 'node:stream';
import { RemoteError } from './exception.ts';
import { type Frame, encodeFrame } from './frame.ts';
import { FrameReader } from './frame-reader.ts';
import type { MemoryBudget } from './memory-budget.ts';

/** A caller that sends ahead is held back at this many unread messages, or bytes of them. */
const maxQueuedFrames = 32;
const maxQueuedBytes = 1024 * 1024;
/** How long the other side may take to read a refusal before the socket is destroyed. */
const lingerMs = 1_000;

export interface ChannelOptions {
  /** Longest message body, bytes. */
  readonly maxBytes: number;
  /** Longest time from the first to the last byte of a message, and for the other side to take one, ms. */
  readonly frameMs: number;
  /** Counts this connection's memory among others'; absent when it is not counted. */
  readonly memory?: MemoryBudget | undefined;
}

interface Waiting {
  readonly resolve: (frame: Frame | undefined) => void;
  readonly reject: (error: Error) => void;
}

/** Messages over one open socket, pulled one at a time; the end of the connection is noticed at once. */
export class FrameChannel {
  readonly #socket: Duplex;
  readonly #reader: FrameReader;
  readonly #frameMs: number;
  readonly #queue: Frame[] = [];
  readonly #closed = new AbortController();
  #waiting: Waiting | undefined;
  #violation: Error | undefined;
  #frameTimer: NodeJS.Timeout | undefined;
  #memory: MemoryBudget | undefined;
  /** Of the last received message: its receiver works on it until it asks for the next. */
  #takenBytes = 0;
  #queuedBytes = 0;
  /** Of messages not sent yet, and of the one being written. */
  #leavingBytes = 0;

  constructor(socket: Duplex, options: ChannelOptions) {
    this.#socket = socket;
    this.#reader = new FrameReader(options.maxBytes);
    this.#frameMs = options.frameMs;
    this.#memory = options.memory;
    socket.on('data', (chunk: Buffer) => this.#accept(chunk));
    socket.on('error', (cause) => this.#finish(cause));
    socket.on('end', () => this.#finish());
    socket.on('close', () => this.#finish());
  }

  /** Aborted with a RemoteError `connection_failed` once the other side is gone or the channel was destroyed. */
  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  /** Sets the limit for later messages, bytes of body. */
  set maxBytes(bytes: number) {
    this.#reader.maxBytes = bytes;
  }

  /**
   * The next message; undefined at the end of the connection. Rejects with a RemoteError on a protocol violation, then
   * for ever.
   */
  receive(): Promise<Frame | undefined> {
    const frame = this.#queue.shift();
    this.#takenBytes = 0;
    if (frame !== undefined) {
      this.#queuedBytes -= sizeOf(frame);
      this.#take(frame);
      if (!this.#isAhead && this.#socket.isPaused()) this.#resume();
      return Promise.resolve(frame);
    }
    this.#count();
    if (this.#violation !== undefined) return Promise.reject(this.#violation);
    if (this.closed.aborted) return Promise.resolve(undefined);
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
    });
  }

  /**
   * Resolves when the message was handed to the system; a receiver that does not read for `frameMs` loses the
   * connection.
   */
  send(frame: Frame): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.closed.aborted) {
        reject(connectionLost());
        return;
      }
      const timer = setTimeout(() => this.destroy(), this.#frameMs);
      const bytes = sizeOf(frame);
      this.hold(bytes);
      this.#socket.write(encodeFrame(frame), (cause) => {
        clearTimeout(timer);
        this.hold(-bytes);
        if (cause) reject(connectionLost(cause));
        else resolve();
      });
    });
  }

  /** Changes the number of bytes that are being prepared for sending. */
  hold(bytes: number): void {
    this.#leavingBytes += bytes;
    this.#count();
  }

  /** Stops counting its memory. */
  uncount(): void {
    this.#memory?.hold(this, 0);
    this.#memory = undefined;
  }

  /** Closes after everything was sent; whatever still arrives is discarded. */
  end(): void {
    if (this.#socket.destroyed) return;
    this.#finish();
    const timer = setTimeout(() => this.#socket.destroy(), lingerMs);
    this.#socket.once('close', () => clearTimeout(timer));
    this.#socket.resume();
    this.#socket.end();
  }

  destroy(): void {
    this.#finish();
    this.#socket.destroy();
  }

  #accept(chunk: Buffer): void {
    if (this.#violation !== undefined || this.closed.aborted) return;
    try {
      for (const frame of this.#reader.push(chunk)) this.#deliver(frame);
    } catch (error) {
      this.#fail(error instanceof Error ? error : connectionLost(error));
    }
    if (this.#isAhead) this.#socket.pause();
    this.#watchFrame();
    this.#count();
  }

  #deliver(frame: Frame): void {
    clearTimeout(this.#frameTimer);
    this.#frameTimer = undefined;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting === undefined) {
      this.#queue.push(frame);
      this.#queuedBytes += sizeOf(frame);
    } else {
      this.#take(frame);
      waiting.resolve(frame);
    }
  }

  get #isAhead(): boolean {
    return this.#queue.length >= maxQueuedFrames || this.#queuedBytes >= maxQueuedBytes;
  }

  #take(frame: Frame): void {
    this.#takenBytes = sizeOf(frame);
    this.#count();
  }

  #count(): void {
    if (this.closed.aborted) return;
    const messages = this.#reader.heldBytes + this.#queuedBytes + this.#takenBytes;
    this.#memory?.hold(this, messages + this.#leavingBytes);
  }

  #resume(): void {
    this.#socket.resume();
    this.#watchFrame();
  }

  #watchFrame(): void {
    const isReading = this.#reader.inside && this.#violation === undefined && !this.#socket.isPaused();
    if (!isReading) {
      clearTimeout(this.#frameTimer);
      this.#frameTimer = undefined;
    } else this.#frameTimer ??= setTimeout(() => this.destroy(), this.#frameMs);
  }

  #fail(violation: Error): void {
    this.#violation = violation;
    this.#waiting?.reject(violation);
    this.#waiting = undefined;
  }

  #finish(cause?: unknown): void {
    if (this.closed.aborted) return;
    clearTimeout(this.#frameTimer);
    this.#memory?.hold(this, 0);
    this.#closed.abort(connectionLost(cause));
    this.#waiting?.resolve(undefined);
    this.#waiting = undefined;
  }
}

function sizeOf({ payload, annotations }: Frame): number {
  return payload.length + [...annotations.values()].reduce((sum, { length }) => sum + length, 0);
}

function connectionLost(cause?: unknown): RemoteError {
  const reason = cause instanceof Error ? `connection lost: ${cause.message}` : 'connection lost';
  return new RemoteError('connection_failed', reason, { cause });
}
