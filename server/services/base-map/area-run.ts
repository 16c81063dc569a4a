import { isRefusal, type ErrorCode, type Refusal } from '../../contract/errors.ts';
import type { AreaDownload } from '../../contract/map-area.ts';
import type { AreaFile } from '../../tiles/area-file.ts';
import { AreaTiles } from '../../tiles/area.ts';
import type { TilePlace } from '../../tiles/map-file.ts';
import { saysAbsent } from '../proxy/refusal.ts';
import type { Relay, Relayed } from '../proxy/relay.ts';
import type { TileSource } from '../proxy/tile-sources.ts';

/** An area and its file. */
export interface AreaInWork {
  file: AreaFile;
  state: AreaDownload;
}

export interface AreaRunOptions {
  relay: Pick<Relay, 'ask'>;
  /** The service of the area; throws if it may no longer be used. */
  source: () => TileSource;
  /** Waits this long, ms. */
  pause: (ms: number, signal: AbortSignal) => Promise<unknown>;
  signal: AbortSignal;
}

/** The answer for a tile: empty when the service has none, with a refusal when it sent something else. */
interface Asked {
  tile?: Relayed;
  refusal?: Refusal;
}

/** The share of the service's rate that a download uses; the other half is left to those who look at a map. */
const share = 0.5;
/** Pauses before an unreachable service is asked again, ms; after the last the work waits for a person. */
const retriesMs = [2_000, 10_000, 30_000, 60_000];
/**
 * A single tile that cannot be fetched is a gap; after this many in a row the service is asked for a tile that it
 * delivered before.
 */
const mostSpoilt = 10;
const spoiling: readonly ErrorCode[] = ['provider_refused', 'provider_answer_invalid'];
const passing: readonly ErrorCode[] = [
  'provider_unreachable',
  'provider_timeout',
  'provider_failed',
  'provider_paused',
  'provider_quota_spent',
];

/** Pause between two tiles of an area, ms. */
export function intervalMs({ per_minute }: Pick<TileSource, 'per_minute'>): number {
  return 60_000 / (per_minute * share);
}

/** Fetches the tiles that an area's file lacks, storing each on arrival; ends after the last. */
export class AreaRun {
  readonly #work: AreaInWork;
  readonly #options: AreaRunOptions;
  readonly #tiles: AreaTiles;
  /** The last tile that the service delivered. */
  #given: TilePlace | undefined;

  constructor(work: AreaInWork, options: AreaRunOptions) {
    this.#work = work;
    this.#options = options;
    this.#tiles = new AreaTiles(work.state);
  }

  /** Throws the service's refusal; the tiles that failed in a row before it are then fetched again later. */
  async run(): Promise<void> {
    const work = this.#work;
    const stored = work.file.tiles();
    let [sound, spoilt] = [work.state, 0];
    while (work.state.done < this.#tiles.count) {
      const place = this.#tiles.at(work.state.done);
      if (stored.has(place)) {
        this.#given = place;
        work.state = { ...work.state, done: work.state.done + 1 };
        continue;
      }
      const { tile, refusal } = await this.#ask(place);
      this.#options.signal.throwIfAborted();
      spoilt = refusal === undefined ? 0 : spoilt + 1;
      if (refusal !== undefined && spoilt === mostSpoilt) {
        if (!(await this.#givesAgain())) {
          work.state = sound;
          throw refusal;
        }
        spoilt = 0;
      }
      await this.#store(place, tile);
      if (spoilt === 0) sound = work.state;
    }
  }

  async #store(place: TilePlace, tile: Relayed | undefined): Promise<void> {
    const work = this.#work;
    const state = stepped(work.state, tile);
    work.file.put(place, tile, JSON.stringify(state)); // what the disk refuses is not done
    work.state = state;
    if (tile !== undefined) this.#given = place;
    if (tile?.source === 'kept') return;
    await this.#options.pause(intervalMs(this.#options.source()), this.#options.signal);
  }

  /**
   * Whether the service still delivers a tile that it delivered before: if not, something else answers, such as a
   * log-in page.
   */
  async #givesAgain(): Promise<boolean> {
    return this.#given !== undefined && (await this.#ask(this.#given, { isNew: true })).tile !== undefined;
  }

  /** Retries while the service is unreachable, then throws its refusal. `isNew` bypasses the cache. */
  async #ask(place: TilePlace, { isNew = false } = {}): Promise<Asked> {
    const { relay, source, pause, signal } = this.#options;
    const question = source().question(place);
    for (const waitMs of [...retriesMs, undefined]) {
      try {
        const asking = relay.ask({ ...question, ...(isNew && { fresh_ms: 0 }) }, { takesStale: false });
        return { tile: await unlessAborted(asking, signal) };
      } catch (error) {
        if (saysAbsent(error)) return {};
        if (!isRefusal(error)) throw error;
        if (spoiling.includes(error.code)) return { refusal: error };
        if (waitMs === undefined || !passing.includes(error.code)) throw error;
        await pause(waitMs, signal);
      }
    }
    return {};
  }
}

/** Pausing and cancelling do not wait for a silent service. */
async function unlessAborted<Answer>(asking: Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  signal.throwIfAborted();
  const { promise: given, reject } = Promise.withResolvers<never>();
  const giveUp = (): void => reject(signal.reason as Error);
  signal.addEventListener('abort', giveUp);
  try {
    return await Promise.race([asking, given]);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

function stepped(state: AreaDownload, tile: Relayed | undefined): AreaDownload {
  const [done, missing] = [state.done + 1, state.missing + (tile === undefined ? 1 : 0)];
  return { ...state, done, missing, bytes: state.bytes + (tile?.body.length ?? 0) };
}
