import type { Parcel } from '../../contract/parcel.ts';

/** A cadastre that can be asked. Throws a `Refusal` of the codes of providers. */
export interface ParcelProvider {
  /** Parcels of an address, the likeliest first; none where it knows none. */
  find(address: string): Promise<Parcel[]>;
}
