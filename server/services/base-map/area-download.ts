import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Actor, AuditSink } from '../../auth/actor.ts';
import type { BodyOf } from '../../contract/endpoint.ts';
import { isRefusal, Refusal, refuseField, type ErrorCode } from '../../contract/errors.ts';
import { why } from '../../contract/refusal-reason.ts';
import { mostAreaTiles, type AreaDownload, type MapArea, type mapAreaEndpoints } from '../../contract/map-area.ts';
import { AreaTiles } from '../../tiles/area.ts';
import type { Relay } from '../proxy/relay.ts';
import type { TileSource } from '../proxy/tile-sources.ts';
import { AreaFolder } from './area-folder.ts';
import { AreaRun, intervalMs, type AreaInWork } from './area-run.ts';
import type { BaseMapService } from './base-map.ts';

interface AreaOptions {
  /** Folder of the finished map files. */
  folder: string;
  maps: Pick<BaseMapService, 'describe' | 'release'>;
  relay: Pick<Relay, 'ask'>;
  /** Throws `not_found`, `provider_not_configured`. */
  sourceOf: (layer: string) => TileSource;
  audit: AuditSink;
  /** Waits this long, ms. */
  pause?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

interface Open extends AreaInWork {
  stop: AbortController;
  /** Settles when no work is under way. */
  work: Promise<void>;
}

/** The counting limit: the deepest zoom of the world has more tiles, far too many to store. */
const mostCounted = 1_000_000_000;
/** Approximate size of a 256-pixel picture. */
const usualTileBytes = 20_000;

/**
 * Areas of tile services that become map files: one runs at a time, and each continues where it stopped, even after a
 * restart.
 */
export class AreaDownloads {
  readonly #options: Required<AreaOptions>;
  readonly #folder: AreaFolder;
  readonly #open = new Map<string, Open>();
  #isCopying = false;

  constructor(options: AreaOptions) {
    this.#options = { pause: (ms, signal) => setTimeout(ms, undefined, { signal }), ...options };
    this.#folder = new AreaFolder(options);
  }

  /** Opens what an earlier run left, and continues what was running then; call once. */
  start(): void {
    for (const left of this.#folder.open()) {
      const opened = this.#take(left);
      if (left.state.status === 'running') this.#work(opened);
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

  /** Throws `invalid_field`, `not_found`, and `provider_refused` if the service's terms forbid it. */
  estimate(area: MapArea) {
    const source = this.#allowed(area);
    const tiles = Math.min(mostCounted, new AreaTiles(area).count);
    const duration_s = Math.ceil((tiles * intervalMs(source)) / 1000);
    return { tiles, bytes: tiles * usualTileBytes, duration_s, most_tiles: mostAreaTiles };
  }

  /** Throws what `estimate` throws, `payload_too_large`, `conflict`, `storage_failed`. */
  async begin({ name, ...area }: BodyOf<typeof mapAreaEndpoints.begin>, actor: Actor): Promise<AreaDownload> {
    const { bytes } = this.#storable(area);
    await this.#requireRoom(bytes);
    const base_map_id = `area-${randomUUID().slice(0, 8)}`;
    const { attribution } = this.#options.sourceOf(area.layer);
    const state = this.#begun({ ...area, base_map_id, name });
    const opened = this.#take(this.#folder.make(state, { ...area, name, attribution }));
    this.#options.audit.record({ kind: 'base_map.download', actor, target: base_map_id, after: state });
    this.#work(opened);
    return state;
  }

  /** Fetches what a stored area lacks, into a copy that replaces it when complete. Throws the errors of `begin`. */
  async complete(id: string, actor: Actor): Promise<AreaDownload> {
    const map = await this.#options.maps.describe(`${id}.mbtiles`);
    if (map?.area == null || map.min_zoom === null || map.max_zoom === null) {
      throw new Refusal('not_found', 'there is no such area');
    }
    if (this.#open.has(id)) throw new Refusal('conflict', why('area_asked_already'));
    if (map.missing_tiles === 0) throw new Refusal('conflict', why('area_misses_nothing'));
    const area: MapArea = { ...map.area, min_zoom: map.min_zoom, max_zoom: map.max_zoom };
    this.#storable(area);
    await this.#requireRoom(map.bytes);
    const state = { ...this.#begun({ ...area, base_map_id: id, name: map.name }), bytes: map.bytes };
    const opened = this.#take(await this.#copied(state));
    this.#options.audit.record({ kind: 'base_map.download_complete', actor, target: id, after: state });
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

  /** Throws `not_found`, `conflict`, and the service's present refusal. */
  resume(id: string, actor: Actor): AreaDownload {
    const opened = this.#get(id);
    if (opened.state.status === 'running') return opened.state;
    this.#allowed(opened.state);
    if (this.#isBusy()) throw busy();
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
    this.#folder.remove(id);
    this.#options.audit.record({ kind: 'base_map.download_cancel', actor, target: id });
    return { base_map_id: id, deleted: true };
  }

  #begun(area: MapArea & Pick<AreaDownload, 'base_map_id' | 'name'>): AreaDownload {
    const total = new AreaTiles(area).count;
    return { ...area, status: 'running', code: null, done: 0, total, missing: 0, bytes: 0 };
  }

  async #copied(state: AreaDownload): Promise<AreaInWork> {
    this.#isCopying = true;
    try {
      return await this.#folder.copy(state);
    } finally {
      this.#isCopying = false;
    }
  }

  #take(area: AreaInWork): Open {
    const opened: Open = { ...area, stop: new AbortController(), work: Promise.resolve() };
    this.#open.set(area.state.base_map_id, opened);
    return opened;
  }

  #work(opened: Open): void {
    opened.stop = new AbortController();
    opened.work = this.#run(opened, opened.stop.signal).catch((error: unknown) => {
      if (!opened.stop.signal.aborted) this.#keep(opened, { status: 'paused', code: codeOf(error) });
    });
  }

  async #run(opened: Open, signal: AbortSignal): Promise<void> {
    const { relay, pause } = this.#options;
    const source = (): TileSource => this.#allowed(opened.state); // it may be switched off meanwhile
    await new AreaRun(opened, { relay, pause, source, signal }).run();
    const { base_map_id, done, missing } = opened.state;
    if (missing === done) throw new Refusal('provider_refused', 'the service has no tile there');
    await this.#folder.finish(opened);
    this.#open.delete(base_map_id);
  }

  #keep(opened: Open, change: Partial<AreaDownload>): void {
    opened.state = { ...opened.state, ...change };
    try {
      opened.file.keepState(JSON.stringify(opened.state));
    } catch {
      // A full disk: a restart continues from the last stored state.
    }
  }

  /** Its size. Throws `payload_too_large` and the errors of `estimate`. */
  #storable(area: MapArea): { bytes: number } {
    const { tiles, bytes } = this.estimate(area);
    if (tiles <= mostAreaTiles) return { bytes };
    throw new Refusal('payload_too_large', `the area has ${tiles} tiles, at most ${mostAreaTiles} go into one`);
  }

  #allowed({ layer, bbox: [west, south, east, north], min_zoom, max_zoom }: MapArea): TileSource {
    if (west >= east || south >= north) throw refuseField('invalid_field', 'bbox', why('encloses_nothing'));
    if (min_zoom > max_zoom) throw refuseField('invalid_field', 'min_zoom', why('zoom_order'));
    const source = this.#options.sourceOf(layer);
    if (!source.may_download) throw new Refusal('provider_refused', 'its terms do not allow to store areas');
    if (source.max_zoom !== undefined && max_zoom > source.max_zoom) {
      throw refuseField('invalid_field', 'max_zoom', why('service_zoom', { zoom: source.max_zoom }));
    }
    return source;
  }

  async #requireRoom(bytes: number): Promise<void> {
    if (this.#isBusy()) throw busy();
    await this.#folder.requireRoom(bytes);
    if (this.#isBusy()) throw busy(); // another may have begun meanwhile
  }

  #isBusy(): boolean {
    return this.#isCopying || this.list().some(({ status }) => status === 'running');
  }

  #get(id: string): Open {
    const opened = this.#open.get(id);
    if (opened === undefined) throw new Refusal('not_found', 'no such area is being stored');
    return opened;
  }
}

function busy(): Refusal {
  return new Refusal('conflict', why('area_under_way'));
}

function codeOf(error: unknown): ErrorCode {
  return isRefusal(error) ? error.code : 'storage_failed';
}
