import { isoOf } from '../../contract/time.ts';
import { pageEventKinds, type FacilityEvent, type MapEvent } from '../../contract/event.ts';
import { Refusal, refuseField } from '../../contract/errors.ts';
import type { Actor } from '../../auth/actor.ts';
import type { Now } from '../../auth/now.ts';
import type { JobEvent } from '../../contract/job.ts';
import type { JobProgress, JobRunner } from '../record/job.ts';
import type { LiveCache, LiveEvent } from './live.ts';
import type { SiteChange, SiteChanges } from './site-changes.ts';

/** What a reader is sent. */
export type ReaderEvent = LiveEvent | JobEvent | MapEvent | FacilityEvent;

interface EventSources {
  live: LiveCache;
  jobs: JobRunner;
  changes: Pick<SiteChanges, 'subscribe' | 'recent'>;
  clock: Now;
}

interface OpenOptions {
  /** Who reads: of jobs only the own ones are told. */
  actor: Actor;
  /** Comma-separated; all when absent. */
  kinds?: string | undefined;
  /** The id after which the reader wants to go on; without one it begins now. */
  lastEventId?: string | undefined;
  /** Ends the stream. */
  signal: AbortSignal;
}

const knownKinds: readonly ReaderEvent['kind'][] = [...pageEventKinds, 'job', 'reset'];
/** What is told beside the events of the daemon, and outlives that those are read again. */
const besideKinds: readonly ReaderEvent['kind'][] = ['job', 'map', 'facility'];

/** A reader that comes back is told how the jobs stand that ended in this time. */
const endedToldMs = 3_600_000;

/** Streams of one key or session, and of all together. */
const mostOfLogin = 32;
const mostOpen = 1_000;

/** Events that one answer of a stream carries at most. */
const mostAtOnce = 500;
/** So much that is no event of the daemon may wait for a slow reader; then its stream ends, and it comes back with the last id it has. */
const mostBeside = 2_000;

/** The live events for one reader after the other. */
export class EventService {
  readonly #sources: EventSources;
  readonly #open = new Map<string, number>();

  constructor(sources: EventSources) {
    this.#sources = sources;
  }

  /** Opens a stream. Throws `invalid_field` for a kind that does not exist, `rate_limited` where the caller has too many. */
  open({ actor, kinds, lastEventId, signal }: OpenOptions): EventStream {
    const { live, jobs, changes, clock } = this.#sources;
    const wanted = readKinds(kinds);
    const leaveOpen = this.#count(actor.key_id ?? actor.session_id ?? '');
    const stream = new EventStream({ live, wanted, from: lastEventId ?? live.cursor, signal });
    // A job is no event of the daemon's: a reader that resumes after one misses nothing, and is told how it stands.
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

  /** Counts a stream of a login; returns a function that takes it off the count. */
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
  /** Id of the last event that the reader has. */
  from: string;
  signal: AbortSignal;
}

/**
 * What one reader is sent. Events of the daemon are read from those that are kept, from where the reader is: one that is slow, or comes
 * back after a while, misses nothing as long as they are; else it is told to read everything again.
 */
export class EventStream {
  readonly #live: StreamOptions['live'];
  readonly #wanted: ReadonlySet<string>;
  #cursor: string;
  /** What is told beside the events of the daemon. */
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

  /** What to call once when the stream ends; at once where it has ended. */
  onEnd(release: () => void): void {
    if (this.#ended) release();
    else this.#release = release;
  }

  /** Something happened; what is kept is read when the reader is ready for it. */
  hear(event: LiveEvent): void {
    if (event.kind === 'reset') {
      this.#cursor = event.id;
      this.#beside = [event, ...this.#beside.filter(({ kind }) => besideKinds.includes(kind))];
      this.#wake?.();
    } else if (event.kind === 'daemon' && event.state === 'unreachable') this.tell(event);
    else if (this.#wanted.has(event.kind)) this.#wake?.();
  }

  /** Tells what is not kept, after the events that are there already. */
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

  /** What waits, as soon as something does; empty after `quietMs` without an event, null when the stream has ended. */
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

  /** The next of the events that are kept. */
  #kept(): LiveEvent[] {
    const { cursor } = this.#live;
    const kept = this.#live.eventsAfter(this.#cursor, mostAtOnce);
    if (kept !== null) return kept;
    // Those up to the newest are just being fetched from the daemon, or it was not reached yet: their end is told as a reset.
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
    throw refuseField('invalid_field', 'kinds', `names "${unknown}", which is none of ${knownKinds.join(', ')}`);
  }
  return new Set(asked);
}
