import type { Actor, AuditSink } from '../../auth/actor.ts';
import type { FeatureInput, OverlayDelta, OverlaySave, SaveResult } from '../../contract/overlay.ts';
import { countPositions } from '../../domain/geometry/feature-geometry.ts';
import { mapToRead } from './conflict.ts';
import { listLimit, type ChangesQuery, type OverlayListQuery, type OverlayQuery } from './read.ts';
import type { DeviceChannels } from './plan.ts';
import type { Author } from './change.ts';
import { largeSave, unknownSize, type MapRunner, type SaveSize } from './runner.ts';
import { namedDevices, type SavedBytes } from './save-bytes.ts';
import { cancelFlag } from '../../worker/cancelling.ts';

interface OverlayPorts {
  maps: MapRunner;
  /** The channel numbers of a device of any kind (lower-case id); undefined when there is none. */
  channelsOf: (id: string) => readonly number[] | undefined;
  /** The channel numbers of all devices, for the thread that saves large maps. */
  deviceChannels: () => DeviceChannels;
  audit: AuditSink;
  /** Epoch ms. */
  clock: () => number;
}

/** The features of maps: reads them, and saves whole maps or changes. */
export class OverlayService {
  readonly #ports: OverlayPorts;

  constructor(ports: OverlayPorts) {
    this.#ports = ports;
  }

  /** JSON of a page of the features of all living maps. Refuses a wrong cursor or box with invalid_field. */
  list(query: OverlayListQuery): Promise<Buffer> {
    return this.#ports.maps.read('readAllOverlays', query.limit ?? listLimit, query);
  }

  /** JSON of the FeatureCollection of a map. Refuses with not_found. */
  async get(query: OverlayQuery): Promise<Buffer> {
    const map = mapToRead(this.#ports.maps.store, query.geo_id);
    return this.#ports.maps.read('readOverlays', map.feature_count, query);
  }

  /** JSON of what changed on a map since a revision. Refuses with not_found. */
  async changes(query: ChangesQuery): Promise<Buffer> {
    const map = mapToRead(this.#ports.maps.store, query.geo_id);
    return this.#ports.maps.read('readChanges', map.feature_count, query);
  }

  /** Changes with every save of the map, and when an id is reused after a removal. Refuses with not_found. */
  entityTag(geoId: string): string {
    const { created_at, revision } = mapToRead(this.#ports.maps.store, geoId);
    return `"${Date.parse(created_at).toString(36)}-${revision}"`;
  }

  /**
   * Makes a map hold exactly the given features, or changes nothing: see the guards of `saveFull`. The signal cancels
   * it.
   */
  async save(body: OverlaySave, actor: Actor, signal?: AbortSignal): Promise<SaveResult> {
    const devices = this.#namedDevices(body.features);
    const saving = { author: this.#author(actor), devices, cancelled: signal && cancelFlag(signal) };
    const size: SaveSize = { ...sizeOf(body.features), map_uuid: body.geo_id };
    // Features that are not sent are deleted, which also counts towards the size.
    const stored = this.#ports.maps.store.designs.get(body.geo_id)?.feature_count ?? 0;
    size.features = Math.max(size.features, stored);
    const result = await this.#ports.maps.write('saveFull', size, body, saving);
    this.#record('overlay.save', actor, { done: result, at: saving.author.at });
    return result;
  }

  /** Saves what changed on a map, or changes nothing: see the guards of `saveDelta`. */
  async saveDelta(body: OverlayDelta, actor: Actor): Promise<SaveResult> {
    const features = [...(body.added ?? []), ...(body.modified ?? [])];
    const size: SaveSize = { ...sizeOf(features), map_uuid: body.geo_id };
    size.features += body.deleted?.length ?? 0;
    const saving = { author: this.#author(actor), devices: this.#namedDevices(features) };
    const result = await this.#ports.maps.write('saveDelta', size, body, saving);
    this.#record('overlay.delta', actor, { done: result, at: saving.author.at });
    return result;
  }

  /** Like `save` for a raw body, read and refused in the worker; returns the result as JSON. */
  async saveBytes(body: Uint8Array, actor: Actor, signal?: AbortSignal): Promise<Buffer> {
    const cancelled = signal && cancelFlag(signal);
    const saving = { author: this.#author(actor), devices: this.#ports.deviceChannels(), cancelled };
    const { summary, json } = await this.#ports.maps.write('saveFullBytes', unknownSize, body, saving);
    this.#record('overlay.save', actor, { done: summary, at: saving.author.at });
    return Buffer.from(json.buffer, json.byteOffset, json.byteLength);
  }

  /** Like `saveDelta` for a raw body; see `saveBytes`. */
  async saveDeltaBytes(body: Uint8Array, actor: Actor): Promise<Buffer> {
    const saving = { author: this.#author(actor), devices: this.#ports.deviceChannels() };
    const { summary, json } = await this.#ports.maps.write('saveDeltaBytes', unknownSize, body, saving);
    this.#record('overlay.delta', actor, { done: summary, at: saving.author.at });
    return Buffer.from(json.buffer, json.byteOffset, json.byteLength);
  }

  #author({ user_id, username }: Actor): Author {
    return { user_id, username, at: new Date(this.#ports.clock()).toISOString() };
  }

  #namedDevices(features: readonly FeatureInput[]): DeviceChannels {
    return new Map(
      namedDevices(features).flatMap((id) => {
        const channels = this.#ports.channelsOf(id);
        return channels === undefined ? [] : [[id, channels]];
      }),
    );
  }

  /** Whether the save wrote its revision now: a repeat gets its earlier answer. */
  #isNew({ map_uuid, revision }: SavedBytes['summary'], at: string): boolean {
    const [saved] = this.#ports.maps.store.history.list(map_uuid, { before: revision + 1, limit: 1 });
    return saved?.revision === revision && saved.at === at;
  }

  /** A save that changed nothing is not recorded. */
  #record(kind: string, actor: Actor, { done, at }: { done: SavedBytes['summary']; at: string }): void {
    const { map_uuid, revision, added, modified, deleted } = done;
    if (added + modified + deleted === 0 || !this.#isNew(done, at)) return;
    this.#ports.audit.record({ kind, actor, target: map_uuid, after: { revision, added, modified, deleted } });
  }
}

/** Stops counting once the save is a large one. */
function sizeOf(features: readonly FeatureInput[]): SaveSize {
  let edgePairs = 0;
  for (const { geometry } of features) {
    if (edgePairs > largeSave.edgePairs) break;
    edgePairs += countPositions(geometry.coordinates, Math.sqrt(largeSave.edgePairs) + 1) ** 2;
  }
  return { features: features.length, edgePairs };
}
