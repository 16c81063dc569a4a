import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Actor, AuditSink } from '../../auth/actor.ts';
import type { BodyOf } from '../../contract/endpoint.ts';
import { isRefusal, Refusal, refuseField, type ErrorCode } from '../../contract/errors.ts';
import {
  areaDownload,
  mostAreaTiles,
  type AreaDownload,
  type MapArea,
  type mapAreaEndpoints,
} from '../../contract/map-area.ts';
import { hasRoom } from '../../db/room.ts';
import { AreaFile } from '../../tiles/area-file.ts';
import { AreaTiles } from '../../tiles/area.ts';
import type { TilePlace } from '../../tiles/map-file.ts';
import { saysAbsent } from '../proxy/refusal.ts';
import type { Relay, Relayed } from '../proxy/relay.ts';
import type { TileSource } from '../proxy/tile-sources.ts';

interface AreaOptions {
  /** Where the finished map files lie. */
  folder: string;
  relay: Pick<Relay, 'ask'>;
  /** Throws `not_found`, `provider_not_configured`. */
  sourceOf: (layer: string) => TileSource;
  audit: AuditSink;
  /** Waits so long, ms. */
  pause?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

interface Open {
  file: AreaFile;
  state: AreaDownload;
  stop: AbortController;
  /** Settles when nothing works on it any more. */
  work: Promise<void>;
}

/** The world at its deepest zoom has more; nobody stores them. */
const mostCounted = 1_000_000_000;
/** Of pictures of 256 pixels, about. */
const usualTileBytes = 20_000;
/** Whoever looks at a map meanwhile shall have the other half of what the service bears. */
const share = 0.5;
/** A service that is not there is asked again after these, ms; then the work waits for a person. */
const retriesMs = [2_000, 10_000, 30_000, 60_000];
/** One tile that cannot be had is a hole; so many in a row say that something else answers, e.g. a page that asks for a login. */
const mostSpoilt = 10;
const spoiling: readonly ErrorCode[] = ['provider_refused', 'provider_answer_invalid'];
const passing: readonly ErrorCode[] = [
  'provider_unreachable',
  'provider_timeout',
  'provider_failed',
  'provider_paused',
  'provider_quota_spent',
];

/** Areas of tile services that become map files: one at a time works, each goes on where it stopped, also after a restart. */
export class AreaDownloads {
  readonly #options: Required<AreaOptions>;
  readonly #open = new Map<string, Open>();

  constructor(options: AreaOptions) {
    this.#options = { pause: (ms, signal) => setTimeout(ms, undefined, { signal }), ...options };
  }

  /** Opens what an earlier run left, and goes on with what ran then; to call once. */
  start(): void {
    for (const path of filesIn(this.#folder)) {
      const opened = openedAt(path, (whole) => this.#moveFinished(whole));
      if (opened === undefined) continue; // whole, or the disk lost it: it is asked for anew
      const { state } = opened;
      this.#open.set(state.base_map_id, opened);
      if (state.status === 'running') this.#work(opened);
    }
  }

  async stop(): Promise<void> {
    for (const { stop } of this.#open.values()) stop.abort();
    await Promise.all([...this.#open.values()].map(({ work }) => work));
    for (const { file } of this.#open.values()) file.close();
    this.#open.clear();
  }

  list(): AreaDownload[] {
    return [...this.#open.values()].map(({ state }) => state);
  }

  /** Throws `invalid_field`, `not_found`, and `provider_refused` where the terms of the service forbid it. */
  estimate(area: MapArea) {
    const source = this.#allowed(area);
    const tiles = Math.min(mostCounted, new AreaTiles(area).count);
    const duration_s = Math.ceil((tiles * intervalMs(source)) / 1000);
    return { tiles, bytes: tiles * usualTileBytes, duration_s, most_tiles: mostAreaTiles };
  }

  async begin({ name, ...area }: BodyOf<typeof mapAreaEndpoints.begin>, actor: Actor): Promise<AreaDownload> {
    const { tiles, bytes } = this.estimate(area);
    if (tiles > mostAreaTiles) {
      throw new Refusal('payload_too_large', `the area has ${tiles} tiles, at most ${mostAreaTiles} go into one`);
    }
    this.#refuseBusy();
    mkdirSync(this.#folder, { recursive: true });
    if (!(await hasRoom(this.#folder, bytes))) throw new Refusal('storage_failed', 'the disk has no room for it');
    this.#refuseBusy(); // another may have begun meanwhile
    const base_map_id = `area-${randomUUID().slice(0, 8)}`;
    const begun = { status: 'running' as const, code: null, done: 0, total: tiles, missing: 0, bytes: 0 };
    const state: AreaDownload = { ...area, base_map_id, name, ...begun };
    const { attribution } = this.#options.sourceOf(area.layer);
    const file = new AreaFile(join(this.#folder, `${base_map_id}.mbtiles`), { ...area, name, attribution });
    file.keepState(JSON.stringify(state));
    const opened: Open = { file, state, stop: new AbortController(), work: Promise.resolve() };
    this.#open.set(base_map_id, opened);
    this.#options.audit.record({ kind: 'base_map.download', actor, target: base_map_id, after: state });
    this.#work(opened);
    return state;
  }

  /** Throws `not_found`. */
  async pause(id: string, actor: Actor): Promise<AreaDownload> {
    const opened = this.#get(id);
    if (opened.state.status === 'paused') return opened.state;
    opened.stop.abort();
    await opened.work;
    if (this.#open.get(id) !== opened) return opened.state; // its last tile came meanwhile
    this.#keep(opened, { status: 'paused', code: null });
    this.#options.audit.record({ kind: 'base_map.download_pause', actor, target: id, after: opened.state });
    return opened.state;
  }

  /** Throws `not_found`, `conflict`, and what the service is refused with now. */
  resume(id: string, actor: Actor): AreaDownload {
    const opened = this.#get(id);
    if (opened.state.status === 'running') return opened.state;
    this.#allowed(opened.state);
    this.#refuseBusy();
    this.#keep(opened, { status: 'running', code: null });
    this.#options.audit.record({ kind: 'base_map.download_resume', actor, target: id, after: opened.state });
    this.#work(opened);
    return opened.state;
  }

  /** Throws `not_found`, `storage_failed`. */
  async cancel(id: string, actor: Actor): Promise<{ base_map_id: string; deleted: true }> {
    const opened = this.#get(id);
    opened.stop.abort();
    await opened.work;
    if (!this.#open.delete(id)) throw new Refusal('not_found', 'the area is stored already');
    opened.file.close();
    removeFile(this.#pathOf(id));
    this.#options.audit.record({ kind: 'base_map.download_cancel', actor, target: id });
    return { base_map_id: id, deleted: true };
  }

  #work(opened: Open): void {
    opened.stop = new AbortController();
    opened.work = this.#run(opened, opened.stop.signal).catch((error: unknown) => {
      if (!opened.stop.signal.aborted) this.#keep(opened, { status: 'paused', code: codeOf(error) });
    });
  }

  async #run(opened: Open, signal: AbortSignal): Promise<void> {
    const tiles = new AreaTiles(opened.state);
    let [sound, spoilt] = [opened.state, 0];
    while (opened.state.done < tiles.count) {
      const source = this.#allowed(opened.state); // it may be switched off meanwhile
      const place = tiles.at(opened.state.done);
      const { tile, refusal } = await this.#ask(source, place, signal);
      signal.throwIfAborted();
      spoilt = refusal === undefined ? 0 : spoilt + 1;
      if (refusal !== undefined && spoilt === mostSpoilt) {
        opened.state = sound; // the whole row is asked for anew
        throw refusal;
      }
      const state = stepped(opened.state, tile);
      opened.file.put(place, tile, JSON.stringify(state)); // what the disk refuses is not done
      opened.state = state;
      if (refusal === undefined) sound = state;
      if (tile?.source !== 'kept') await this.#options.pause(intervalMs(source), signal);
    }
    this.#finish(opened);
  }

  /**
   * No tile where the service has none; with a refusal where it gave something else. Asks again while the service is not there, then throws
   * what it is refused with.
   */
  async #ask(
    source: TileSource,
    place: TilePlace,
    signal: AbortSignal,
  ): Promise<{ tile?: Relayed; refusal?: Refusal }> {
    for (const waitMs of [...retriesMs, undefined]) {
      try {
        const asking = this.#options.relay.ask(source.question(place), { takesStale: false });
        return { tile: await unlessAborted(asking, signal) };
      } catch (error) {
        if (saysAbsent(error)) return {};
        if (!isRefusal(error)) throw error;
        if (spoiling.includes(error.code)) return { refusal: error };
        if (waitMs === undefined || !passing.includes(error.code)) throw error;
        await this.#options.pause(waitMs, signal);
      }
    }
    return {};
  }

  #finish(opened: Open): void {
    const { base_map_id, done, missing } = opened.state;
    if (missing === done) throw new Refusal('provider_refused', 'the service has no tile there');
    opened.file.finish(missing);
    opened.file.close();
    this.#moveFinished(this.#pathOf(base_map_id));
    this.#open.delete(base_map_id);
  }

  #moveFinished(path: string): void {
    renameSync(path, join(this.#options.folder, basename(path)));
  }

  #keep(opened: Open, change: Partial<AreaDownload>): void {
    opened.state = { ...opened.state, ...change };
    try {
      opened.file.keepState(JSON.stringify(opened.state));
    } catch {
      // A full disk: a restart goes by what was stored last.
    }
  }

  #allowed({ layer, bbox: [west, south, east, north], min_zoom, max_zoom }: MapArea): TileSource {
    if (west >= east || south >= north) throw refuseField('invalid_field', 'bbox', 'encloses nothing');
    if (min_zoom > max_zoom) throw refuseField('invalid_field', 'min_zoom', 'must not be above max_zoom');
    const source = this.#options.sourceOf(layer);
    if (!source.may_download) throw new Refusal('provider_refused', 'its terms do not allow to store areas');
    if (source.max_zoom !== undefined && max_zoom > source.max_zoom) {
      throw refuseField('invalid_field', 'max_zoom', `the service ends at ${source.max_zoom}`);
    }
    return source;
  }

  #refuseBusy(): void {
    if (this.list().some(({ status }) => status === 'running')) {
      throw new Refusal('conflict', 'another area is being stored: pause it or wait for its end');
    }
  }

  #get(id: string): Open {
    const opened = this.#open.get(id);
    if (opened === undefined) throw new Refusal('not_found', 'no such area is being stored');
    return opened;
  }

  #pathOf(id: string): string {
    return join(this.#folder, `${id}.mbtiles`);
  }

  get #folder(): string {
    return join(this.#options.folder, 'downloads');
  }
}

/** Whoever pauses or cancels does not wait for a service that is silent. */
async function unlessAborted<Answer>(asking: Promise<Answer>, signal: AbortSignal): Promise<Answer> {
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

function intervalMs({ per_minute }: TileSource): number {
  return 60_000 / (per_minute * share);
}

function codeOf(error: unknown): ErrorCode {
  return isRefusal(error) ? error.code : 'storage_failed';
}

/** Undefined for what is no area, and for a whole one whose last step is still to be done. */
function openedAt(path: string, moveFinished: (path: string) => void): Open | undefined {
  let file: AreaFile | undefined;
  try {
    file = new AreaFile(path);
    if (file.isFinished) {
      file.seal();
      file.close();
      moveFinished(path);
      return undefined;
    }
    const state = areaDownload.parse(JSON.parse(file.state ?? ''));
    if (`${state.base_map_id}.mbtiles` !== basename(path)) throw new Error('it was renamed');
    return { file, state, stop: new AbortController(), work: Promise.resolve() };
  } catch {
    file?.close();
    return undefined;
  }
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => extname(name) === '.mbtiles')
      .map((name) => join(folder, name));
  } catch {
    return []; // nobody has begun one
  }
}

function removeFile(path: string): void {
  try {
    for (const end of ['', '-wal', '-shm', '-journal']) rmSync(path + end, { force: true });
  } catch (cause) {
    throw new Refusal('storage_failed', 'the file could not be deleted', { cause });
  }
}
