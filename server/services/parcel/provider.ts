import type { Parcel } from '../../contract/parcel.ts';

/** Degrees. */
export interface Place {
  lat: number;
  lng: number;
}

/** A cadastre that can be asked. Throws a `Refusal` of the codes of providers. */
export interface ParcelProvider {
  /** Parcels of an address, the likeliest first; none where it knows none. */
  find(address: string): Promise<Parcel[]>;
  /** Parcels in which a place lies. */
  at(place: Place): Promise<Parcel[]>;
}
