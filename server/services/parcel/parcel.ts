import { setTimeout } from 'node:timers/promises';
import type { Actor } from '../../auth/actor.ts';
import type { BodyOf } from '../../contract/endpoint.ts';
import { Refusal, refuseField } from '../../contract/errors.ts';
import { why } from '../../contract/refusal-reason.ts';
import type { Feature, FeatureCollection } from '../../contract/overlay.ts';
import type { Parcel, parcelEndpoints, ParcelRows } from '../../contract/parcel.ts';
import { checkGeometry, isFault, type CheckedGeometry, geometrySaid } from '../../domain/geometry/feature-geometry.ts';
import { groundArea_m2 } from '../../domain/geometry/ground-area.ts';
import { mergedOutline } from '../../domain/geometry/merge-outlines.ts';
import { isSameOutline } from '../../domain/geometry/same-outline.ts';
import type { OverlayService } from '../map/overlay.ts';
import { lookUpRows } from './batch.ts';
import type { FoundParcels, ParcelProvider, Place } from './provider.ts';
import { readTable } from './table.ts';

type SiteSent = BodyOf<typeof parcelEndpoints.saveAsSite>;

/** A table to look up: how many rows ask the cadastre, and the work. */
export interface ParcelTable {
  total: number;
  /** How many outside look-ups it takes. */
  lookUps: number;
  run: (report?: (done: number) => void, signal?: AbortSignal) => Promise<ParcelRows>;
}

interface ParcelOptions {
  overlays: Pick<OverlayService, 'get' | 'saveDelta'>;
  /** The cadastre to ask. Its calls throw `provider_not_configured`. */
  provider: () => ParcelProvider;
  /** The imported parcels: uses no outside service. */
  imported: ParcelProvider;
  /** Time limit for one address or place, over all providers, ms; default 15 s. */
  limitMs?: number;
}

const usualLimitMs = 15_000;
/** Two outlines within this distance, degrees, are the same: 0.1 m. */
const tolerance_deg = 1e-6;

/** Parcels of a cadastre, and sites made from them. */
export class ParcelService {
  readonly #options: ParcelOptions;
  /** One save after the other, so that the same parcel sent twice at once is noticed. */
  #lastSave: Promise<unknown> = Promise.resolve();

  constructor(options: ParcelOptions) {
    this.#options = options;
  }

  /** Refuses with parcel_not_found and the codes of providers. */
  async fromAddress(address: string): Promise<{ parcel: Parcel; candidates: Parcel[]; skipped: number }> {
    const { parcels: candidates, skipped } = await this.#inTime(this.#options.provider().find(address));
    const [parcel] = candidates;
    if (parcel === undefined) throw new Refusal('parcel_not_found', 'no parcel is known at that address');
    return { parcel, candidates, skipped };
  }

  /** Refuses with the codes of providers. */
  async at(place: Place): Promise<FoundParcels> {
    return this.#inTime(this.#options.provider().at(place));
  }

  /** Several services may be asked in turn, so the caller gets an error when it takes too long. */
  async #inTime(asking: Promise<FoundParcels>): Promise<FoundParcels> {
    const { limitMs = usualLimitMs } = this.#options;
    const ended = new AbortController();
    const late = setTimeout(limitMs, undefined, { signal: ended.signal }).then(() => {
      throw new Refusal('provider_timeout', `no answer within ${limitMs / 1000} s`);
    });
    late.catch(() => undefined); // nobody waits for it once there is an answer
    try {
      return await Promise.race([asking, late]);
    } finally {
      ended.abort();
    }
  }

  /** Refuses with invalid_geometry, also for parcels that are not adjacent. */
  merge({ geometries }: BodyOf<typeof parcelEndpoints.merge>): Pick<Parcel, 'geometry' | 'area_m2'> {
    const checked = geometries.map((sent, at) => {
      const one = checkGeometry(sent, 'site');
      if (isFault(one)) throw refuseField('invalid_geometry', `geometries[${at}]`, geometrySaid(one));
      return one.geometry;
    });
    const geometry = mergedOutline(checked);
    if (geometry === null) throw refuseField('invalid_geometry', 'geometries', why('not_side_by_side'));
    return { geometry, area_m2: groundArea_m2(geometry) ?? 0 };
  }

  /** Refuses with invalid_field when it is not a table. */
  async openTable(file: string | Uint8Array): Promise<ParcelTable> {
    const rows = await readTable(file);
    const { provider, imported } = this.#options;
    return {
      total: rows.length,
      lookUps: rows.filter(({ geometry, address, lat, lng }) => geometry === '' && `${address}${lat}${lng}` !== '')
        .length,
      run: (report, signal) =>
        lookUpRows({
          rows,
          provider,
          imported,
          pause: (ms) => setTimeout(ms, undefined, { signal }),
          ...(report && { report }),
          ...(signal && { signal }),
        }),
    };
  }

  /** Refuses with invalid_geometry, not_found, in_trash, duplicate_site. */
  async saveAsSite(sent: SiteSent, actor: Actor): Promise<Feature> {
    const saving = this.#lastSave.catch(() => undefined).then(() => this.#saveSite(sent, actor));
    this.#lastSave = saving;
    return saving;
  }

  async #saveSite({ geo_id, geometry, name }: SiteSent, actor: Actor): Promise<Feature> {
    const checked = checkGeometry(geometry, 'site');
    if (isFault(checked)) throw refuseField('invalid_geometry', checked.path, geometrySaid(checked));
    await this.#refuseKnown(geo_id, checked);
    const properties = { type: 'site', name } as const;
    const added = [{ type: 'Feature' as const, geometry: checked.geometry, properties }];
    const { features } = await this.#options.overlays.saveDelta({ geo_id, added }, actor);
    const [unique_id] = features;
    if (unique_id === undefined) throw new Error('a save that took a feature names it');
    return { type: 'Feature', geometry: checked.geometry, properties: { ...properties, unique_id } };
  }

  async #refuseKnown(geo_id: string, { geometry, bounds }: CheckedGeometry): Promise<void> {
    const { west, south, east, north } = bounds;
    const box = [west - tolerance_deg, south - tolerance_deg, east + tolerance_deg, north + tolerance_deg];
    const bbox = box.map((degrees) => degrees.toFixed(8)).join(',');
    const found = (await this.#options.overlays.get({ geo_id, type: 'site', bbox })).toString();
    const { features } = JSON.parse(found) as FeatureCollection; // as the service makes it
    const known = features.find((one) => isSameOutline(one.geometry, geometry, tolerance_deg));
    if (known === undefined) return;
    const { unique_id } = known.properties;
    throw new Refusal('duplicate_site', 'the map has a site of that outline', { members: { unique_id } });
  }
}
