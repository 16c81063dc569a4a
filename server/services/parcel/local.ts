import type { Parcel } from '../../contract/parcel.ts';
import type { FoundParcel } from '../../db/repositories/cadastre.ts';
import { groundArea_m2 } from '../../domain/geometry/ground-area.ts';
import type { CadastreService } from './cadastre.ts';
import type { FoundParcels, ParcelProvider, Place } from './provider.ts';

const mostCandidates = 20;

/** The imported parcels. */
export class LocalParcels implements ParcelProvider {
  readonly #cadastres: Pick<CadastreService, 'search' | 'at'>;

  constructor(cadastres: Pick<CadastreService, 'search' | 'at'>) {
    this.#cadastres = cadastres;
  }

  async find(address: string): Promise<FoundParcels> {
    return foundOf(await this.#cadastres.search(address, mostCandidates));
  }

  async at(place: Place): Promise<FoundParcels> {
    return foundOf(await this.#cadastres.at(place, mostCandidates));
  }
}

/** Parcels without a drawable outline were left out at the import. */
function foundOf(found: readonly FoundParcel[]): FoundParcels {
  return { parcels: found.map(parcelOf), skipped: 0 };
}

function parcelOf(found: FoundParcel): Parcel {
  return { ...found, area_m2: groundArea_m2(found.geometry) ?? 0, provider: 'cadastre' };
}
