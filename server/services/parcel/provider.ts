import { Refusal } from '../../contract/errors.ts';
import type { Parcel } from '../../contract/parcel.ts';
import { checkGeometry, isFault } from '../../domain/geometry/feature-geometry.ts';
import { groundArea_m2 } from '../../domain/geometry/ground-area.ts';

/** Degrees. */
export interface Place {
  lat: number;
  lng: number;
}

export interface FoundParcels {
  /** Most likely first. */
  parcels: Parcel[];
  /** How many were left out because their outline cannot be drawn. */
  skipped: number;
}

/** A cadastre that can be asked. Throws a `Refusal` with the codes of providers. */
export interface ParcelProvider {
  /** Parcels at an address; none when it knows none. */
  find(address: string): Promise<FoundParcels>;
  /** Parcels that contain a place. */
  at(place: Place): Promise<FoundParcels>;
}

export const noParcels: FoundParcels = { parcels: [], skipped: 0 };

/** A parcel as a service sends it. */
export type SentParcel = Omit<Parcel, 'geometry' | 'area_m2'> & { geometry: { type: string; coordinates?: unknown } };

/** Those with a drawable outline. Throws `provider_answer_invalid` if there are parcels and none has one. */
export function drawableOf(sent: readonly SentParcel[]): FoundParcels {
  const parcels: Parcel[] = [];
  let fault = '';
  for (const one of sent) {
    const { type, coordinates } = one.geometry;
    const checked = checkGeometry({ type, coordinates }, 'site');
    if (isFault(checked)) fault = checked.message;
    else parcels.push({ ...one, geometry: checked.geometry, area_m2: groundArea_m2(checked.geometry) ?? 0 });
  }
  if (parcels.length === 0 && sent.length > 0) {
    throw new Refusal('provider_answer_invalid', `no parcel has a valid outline: ${fault}`);
  }
  return { parcels, skipped: sent.length - parcels.length };
}
