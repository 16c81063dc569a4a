import { eventKinds } from '../contract/daemon.ts';
import { refuseField } from '../contract/errors.ts';
import type { Actor } from '../auth/actor.ts';
import { isoTime, type Clock } from '../auth/clock.ts';
import type { JobEvent } from '../contract/job.ts';
import type { JobProgress, JobRunner } from './job.ts';
import type { LiveCache, LiveEvent } from './live.ts';

/** What a reader is sent. */
export type ReaderEvent = LiveEvent | JobEvent;

interface EventSources {
  live: LiveCache;
  jobs: JobRunner;
  clock: Clock;
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

interface Reader {
  wanted: ReadonlySet<string>;
  offer: (event: ReaderEvent) => void;
}

const knownKinds: readonly ReaderEvent['kind'][] = [...eventKinds, 'job', 'reset'];

/** A reader that comes back is told how the jobs stand that ended in this time. */
const endedToldMs = 3_600_000;

/** So many events may wait for a slow reader; then its stream ends, and it comes back with the last id it has. */
const mostWaiting = 2_000;

/** The live events for one reader after the other. */
export class EventService {
  readonly #sources: EventSources;

  constructor(sources: EventSources) {
    this.#sources = sources;
  }

  /** Opens a stream. Throws `invalid_field` for a kind that does not exist. */
  open({ actor, kinds, lastEventId, signal }: OpenOptions): EventStream {
    const wanted = readKinds(kinds);
    const stream = new EventStream(signal);
    const { live, jobs, clock } = this.#sources;
    const offer = (event: ReaderEvent) => {
      if (event.kind === 'reset' || wanted.has(event.kind)) stream.push(event);
    };
    // A job is no event of the daemon's: a reader that resumes after one misses nothing, and is told how it stands.
    const offerJob = (progress: JobProgress) => offer({ kind: 'job', id: live.cursor, ...progress });
    const leave = [
      live.subscribe(offer),
      jobs.subscribe((owner, progress) => {
        if (owner === actor.user_id) offerJob(progress);
      }),
    ];
    stream.onEnd(() => leave.forEach((one) => one()));
    this.#replay(lastEventId, { wanted, offer });
    jobs.progress(actor, lastEventId && isoTime(clock() - endedToldMs)).forEach(offerJob);
    return stream;
  }

  /** What a reader did not ask for does not count against it. */
  #replay(lastEventId: string | undefined, { wanted, offer }: Reader): void {
    if (lastEventId !== undefined) {
      const missed = this.#sources.live.eventsAfter(lastEventId)?.filter(({ kind }) => wanted.has(kind));
      if (missed === undefined || missed.length > mostWaiting) offer({ kind: 'reset', id: this.#sources.live.cursor });
      else for (const event of missed) offer(event);
    }
    const absence = this.#sources.live.absence();
    if (absence !== undefined) offer(absence);
  }
}

/** Events that wait for one reader. */
export class EventStream {
  #waiting: ReaderEvent[] = [];
  #ended = false;
  #wake: (() => void) | undefined;
  #release: (() => void) | undefined;

  constructor(signal: AbortSignal) {
    signal.addEventListener('abort', () => this.end(), { once: true });
    if (signal.aborted) this.end();
  }

  /** What to call once when the stream ends; at once where it has ended. */
  onEnd(release: () => void): void {
    if (this.#ended) release();
    else this.#release = release;
  }

  push(event: ReaderEvent): void {
    if (this.#ended) return;
    this.#waiting.push(event);
    if (this.#waiting.length > mostWaiting) this.end();
    else this.#wake?.();
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#waiting = [];
    this.#release?.();
    this.#wake?.();
  }

  /** What waits, as soon as something does; empty after `quietMs` without an event, null when the stream has ended. */
  async next(quietMs: number): Promise<ReaderEvent[] | null> {
    if (this.#waiting.length === 0 && !this.#ended) await this.#sleep(quietMs);
    if (this.#ended) return null;
    const events = this.#waiting;
    this.#waiting = [];
    return events;
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
