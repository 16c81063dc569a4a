import type { Parcel } from '../../contract/parcel.ts';
import { groundArea_m2 } from '../../domain/geometry/ground-area.ts';
import type { CadastreService } from './cadastre.ts';
import type { ParcelProvider } from './provider.ts';

const mostCandidates = 20;

/** The parcels that were imported. */
export class LocalParcels implements ParcelProvider {
  readonly #cadastres: Pick<CadastreService, 'search'>;

  constructor(cadastres: Pick<CadastreService, 'search'>) {
    this.#cadastres = cadastres;
  }

  async find(address: string): Promise<Parcel[]> {
    return this.#cadastres.search(address, mostCandidates).map(({ geometry, ...found }) => ({
      ...found,
      geometry,
      area_m2: groundArea_m2(geometry) ?? 0,
      provider: 'cadastre',
    }));
  }
}
