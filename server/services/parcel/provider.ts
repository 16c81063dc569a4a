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
  /** The likeliest first. */
  parcels: Parcel[];
  /** So many were left out, for their outline cannot be drawn. */
  skipped: number;
}

/** A cadastre that can be asked. Throws a `Refusal` of the codes of providers. */
export interface ParcelProvider {
  /** Parcels of an address; none where it knows none. */
  find(address: string): Promise<FoundParcels>;
  /** Parcels in which a place lies. */
  at(place: Place): Promise<FoundParcels>;
}

export const noParcels: FoundParcels = { parcels: [], skipped: 0 };

/** A parcel as a service sends it. */
export type SentParcel = Omit<Parcel, 'geometry' | 'area_m2'> & { geometry: { type: string; coordinates?: unknown } };

/** Those with an outline that can be drawn. Throws `provider_answer_invalid` where there are some and none has one. */
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
