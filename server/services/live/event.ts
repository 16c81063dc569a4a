import { isoOf } from '../../contract/time.ts';
import { pageEventKinds, type DeviceEvent, type FacilityEvent, type MapEvent } from '../../contract/event.ts';
import { Refusal, refusePlainly } from '../../contract/errors.ts';
import type { Actor } from '../../auth/actor.ts';
import type { Now } from '../../auth/now.ts';
import type { JobEvent } from '../../contract/job.ts';
import type { JobProgress, JobRunner } from '../record/job.ts';
import type { LiveCache, LiveEvent } from './live.ts';
import type { SiteChange, SiteChanges } from './site-changes.ts';

/** An event as a reader receives it. */
export type ReaderEvent = LiveEvent | JobEvent | MapEvent | FacilityEvent | DeviceEvent;

interface EventSources {
  live: LiveCache;
  jobs: JobRunner;
  changes: Pick<SiteChanges, 'subscribe' | 'recent'>;
  clock: Now;
}

interface OpenOptions {
  /** The reader: of jobs it receives only its own. */
  actor: Actor;
  /** Comma-separated; default all. */
  kinds?: string | undefined;
  /** The id after which the reader continues; without one it starts now. */
  lastEventId?: string | undefined;
  /** Ends the stream. */
  signal: AbortSignal;
}

const knownKinds: readonly ReaderEvent['kind'][] = [...pageEventKinds, 'job', 'reset'];
/** Kinds beside the events of the daemon; they stay queued when those must be read again. */
const besideKinds: readonly ReaderEvent['kind'][] = ['job', 'map', 'facility', 'device'];

/** A reader that comes back receives the state of jobs that ended within this time. */
const endedToldMs = 3_600_000;

/** Maximum streams of one key or session, and of all together. */
const mostOfLogin = 32;
const mostOpen = 1_000;

/** Maximum events in one answer of a stream. */
const mostAtOnce = 500;
/**
 * Maximum events beside the daemon's that wait for a slow reader; beyond it the stream ends, and the reader returns
 * with its last id.
 */
const mostBeside = 2_000;

/** The live event streams. */
export class EventService {
  readonly #sources: EventSources;
  readonly #open = new Map<string, number>();

  constructor(sources: EventSources) {
    this.#sources = sources;
  }

  /** Opens a stream. Throws `invalid_field` for an unknown kind, `rate_limited` when the caller has too many. */
  open({ actor, kinds, lastEventId, signal }: OpenOptions): EventStream {
    const { live, jobs, changes, clock } = this.#sources;
    const wanted = readKinds(kinds);
    const leaveOpen = this.#count(actor.key_id ?? actor.session_id ?? '');
    const stream = new EventStream({ live, wanted, from: lastEventId ?? live.cursor, signal });
    // A job is not an event of the daemon and carries its latest id: a reader that resumes after it misses nothing, and
    // receives the job's state.
    const offerJob = (progress: JobProgress) => stream.tell({ kind: 'job', id: live.cursor, ...progress });
    const offerChange = (change: SiteChange) => stream.tell({ ...change, id: live.cursor });
    const leave = [
      leaveOpen,
      changes.subscribe(offerChange),
      live.subscribe((event) => stream.hear(event)),
      jobs.subscribe((owner, progress) => {
        if (owner === actor.user_id) offerJob(progress);
      }),
    ];
    stream.onEnd(() => leave.forEach((one) => one()));
    const absence = live.absence();
    if (absence !== undefined) stream.tell(absence);
    if (lastEventId !== undefined) changes.recent().forEach(offerChange);
    jobs.progress(actor, lastEventId && isoOf(clock() - endedToldMs)).forEach(offerJob);
    return stream;
  }

  /** Counts a stream of a login; returns a function that discounts it. */
  #count(login: string): () => void {
    const own = this.#open.get(login) ?? 0;
    const all = [...this.#open.values()].reduce((sum, count) => sum + count, 0);
    if (own >= mostOfLogin || all >= mostOpen) {
      const detail = own >= mostOfLogin ? `${mostOfLogin} of your streams are open` : 'too many streams are open';
      throw new Refusal('rate_limited', `${detail}: close one`, { headers: { 'Retry-After': '5' } });
    }
    this.#open.set(login, own + 1);
    return () => {
      const left = (this.#open.get(login) ?? 1) - 1;
      if (left > 0) this.#open.set(login, left);
      else this.#open.delete(login);
    };
  }
}

interface StreamOptions {
  live: Pick<LiveCache, 'cursor' | 'eventsAfter'>;
  wanted: ReadonlySet<string>;
  /** Id of the reader's last event. */
  from: string;
  signal: AbortSignal;
}

/**
 * One reader's stream. Daemon events are read from the kept ones at the reader's position: a reader that is slow or
 * comes back misses nothing while they are kept; otherwise it receives a reset, to read everything again.
 */
export class EventStream {
  readonly #live: StreamOptions['live'];
  readonly #wanted: ReadonlySet<string>;
  #cursor: string;
  /** Events beside those of the daemon. */
  #beside: ReaderEvent[] = [];
  #ended = false;
  #wake: (() => void) | undefined;
  #release: (() => void) | undefined;

  constructor({ live, wanted, from, signal }: StreamOptions) {
    this.#live = live;
    this.#wanted = wanted;
    this.#cursor = from;
    signal.addEventListener('abort', () => this.end(), { once: true });
    if (signal.aborted) this.end();
  }

  /** Called once when the stream ends; at once if it has ended. */
  onEnd(release: () => void): void {
    if (this.#ended) release();
    else this.#release = release;
  }

  /** Takes an event; kept events are read when the reader is ready for them. */
  hear(event: LiveEvent): void {
    if (event.kind === 'reset') {
      this.#cursor = event.id;
      this.#beside = [event, ...this.#beside.filter(({ kind }) => besideKinds.includes(kind))];
      this.#wake?.();
    } else if (event.kind === 'daemon' && event.state === 'unreachable') this.tell(event);
    else if (this.#wanted.has(event.kind)) this.#wake?.();
  }

  /** Queues an event that is not kept, after those already there. */
  tell(event: ReaderEvent): void {
    if (this.#ended || !this.#wanted.has(event.kind)) return;
    this.#beside.push(event);
    if (this.#beside.length > mostBeside) this.end();
    else this.#wake?.();
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#beside = [];
    this.#release?.();
    this.#wake?.();
  }

  /**
   * The waiting events, as soon as there are any; empty after `quietMs` without one, null when the stream has ended.
   */
  async next(quietMs: number): Promise<ReaderEvent[] | null> {
    let events = this.#take();
    if (events.length === 0 && !this.#ended) {
      await this.#sleep(quietMs);
      events = this.#take();
    }
    return this.#ended ? null : events;
  }

  #take(): ReaderEvent[] {
    for (let kept = this.#kept(); kept.length > 0; kept = this.#kept()) {
      this.#cursor = kept.at(-1)?.id ?? this.#cursor;
      const wanted = kept.filter(({ kind }) => kind === 'reset' || this.#wanted.has(kind));
      if (wanted.length > 0) return wanted;
    }
    return this.#beside.splice(0).map((event) => ({ ...event, id: this.#cursor }));
  }

  /** The next of the kept events. */
  #kept(): LiveEvent[] {
    const { cursor } = this.#live;
    const kept = this.#live.eventsAfter(this.#cursor, mostAtOnce);
    if (kept !== null) return kept;
    // The events up to the newest are being fetched, or the daemon is not reached yet: a reset follows.
    return this.#cursor === cursor ? [] : [{ kind: 'reset', id: cursor }];
  }

  #sleep(quietMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#wake?.(), quietMs);
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = undefined;
        resolve();
      };
    });
  }
}

function readKinds(kinds: string | undefined): ReadonlySet<string> {
  if (kinds === undefined) return new Set(knownKinds);
  const asked = kinds.split(',').map((kind) => kind.trim());
  const unknown = asked.find((kind) => !knownKinds.some((known) => known === kind));
  if (unknown !== undefined) {
    throw refusePlainly('invalid_field', 'kinds', `names "${unknown}", which is none of ${knownKinds.join(', ')}`);
  }
  return new Set(asked);
}
