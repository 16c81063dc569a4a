import { isoOf } from '../../contract/time.ts';
import type { Now } from '../../auth/now.ts';
import type { DeviceEvent, FacilityEvent, MapEvent } from '../../contract/event.ts';
import type { ContentVersion } from '../../db/content-version.ts';
import type { DesignRepository } from '../../db/repositories/design.ts';
import type { FacilityRepository } from '../../db/repositories/facility.ts';

export type SiteChange = Omit<MapEvent, 'id'> | Omit<FacilityEvent, 'id'> | Omit<DeviceEvent, 'id'>;

interface ChangeSources {
  designs: Pick<DesignRepository, 'standings'>;
  facilities: Pick<FacilityRepository, 'standings'>;
  /** Version of their database. */
  content: ContentVersion;
  clock: Now;
  /** Called when a look failed. */
  onFault: (error: unknown) => void;
}

/** A map or facility at the last look. */
interface Standing {
  revision: number;
  updated_at: string;
  deleted_at: string | null;
}

interface Known {
  standing: Standing;
  describe: (state: MapEvent['state'], at: string) => SiteChange;
}

const lookMs = 500;
/** A reader that comes back receives what changed within this time. */
const keptMs = 3_600_000;

/**
 * Changes of maps and facilities, whoever makes them: this process, its worker, or the command line. While there are
 * listeners, the database is checked for writes twice a second, and read only after one. Devices are changed by this
 * process alone, which notes them here.
 */
export class SiteChanges {
  readonly #sources: ChangeSources;
  readonly #listeners = new Set<(change: SiteChange) => void>();
  /** The last change of each. */
  readonly #changes = new Map<string, SiteChange>();
  #known: Map<string, Known> | undefined;
  #version = '';
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(sources: ChangeSources) {
    this.#sources = sources;
  }

  /** Calls the listener with each change from now on; returns an unsubscribe function. */
  subscribe(listener: (change: SiteChange) => void): () => void {
    this.#look();
    this.#listeners.add(listener);
    if (!this.#isStopped) this.#timer ??= setInterval(() => this.#look(), lookMs).unref();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#rest();
    };
  }

  /** Called before the database is closed. */
  stop(): void {
    this.#isStopped = true;
    this.#rest();
  }

  #rest(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Takes a change of the settings of a device. */
  note(device_id: string): void {
    this.#tell(device_id, { kind: 'device', at: isoOf(this.#sources.clock()), device_id });
  }

  /** The last change of each that changed in the last hour, oldest first. */
  recent(): SiteChange[] {
    this.#look();
    return [...this.#changes.values()].sort((one, other) => one.at.localeCompare(other.at));
  }

  /** A file that cannot be read at the moment is tried again. */
  #look(): void {
    try {
      this.#lookAtAll();
    } catch (error) {
      this.#version = '';
      this.#sources.onFault(error);
    }
  }

  #lookAtAll(): void {
    const due = isoOf(this.#sources.clock() - keptMs);
    for (const [id, { at }] of this.#changes) if (at < due) this.#changes.delete(id);
    const version = this.#sources.content();
    if (version === this.#version) return;
    this.#version = version;
    const before = this.#known;
    this.#known = this.#read();
    if (before === undefined) this.#begin(this.#known, due);
    else this.#compare(before, this.#known);
  }

  /** Takes the changes from before this service started. */
  #begin(known: ReadonlyMap<string, Known>, due: string): void {
    for (const [id, { standing, describe }] of known) {
      const at = standing.deleted_at ?? standing.updated_at;
      if (at >= due) this.#changes.set(id, describe(stateOf(standing), at));
    }
  }

  #compare(before: ReadonlyMap<string, Known>, now: ReadonlyMap<string, Known>): void {
    const at = isoOf(this.#sources.clock());
    for (const [id, { standing, describe }] of now) {
      const former = before.get(id)?.standing;
      if (former === undefined || !isSame(former, standing)) this.#tell(id, describe(stateOf(standing), at));
    }
    for (const [id, { describe }] of before) if (!now.has(id)) this.#tell(id, describe('gone', at));
  }

  #tell(id: string, change: SiteChange): void {
    this.#changes.set(id, change);
    for (const listener of this.#listeners) listener(change);
  }

  #read(): Map<string, Known> {
    const { designs, facilities } = this.#sources;
    const known = new Map<string, Known>();
    for (const { map_uuid, ...standing } of designs.standings()) {
      const { revision } = standing;
      known.set(map_uuid, { standing, describe: (state, at) => ({ kind: 'map', at, map_uuid, state, revision }) });
    }
    for (const { unique_id: facility_uuid, geo_id, ...standing } of facilities.standings()) {
      const { revision } = standing;
      known.set(facility_uuid, {
        standing,
        describe: (state, at) => ({ kind: 'facility', at, facility_uuid, geo_id, state, revision }),
      });
    }
    return known;
  }
}

function stateOf({ deleted_at }: Standing): MapEvent['state'] {
  return deleted_at === null ? 'living' : 'in_trash';
}

function isSame(one: Standing, other: Standing): boolean {
  return one.revision === other.revision && one.updated_at === other.updated_at && one.deleted_at === other.deleted_at;
}
