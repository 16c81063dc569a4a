import { Refusal, type ErrorCode } from '../../contract/errors.ts';
import { providerAttribution } from '../../contract/provider.ts';
import type { ProviderQuestion } from '../../upstream/question.ts';
import {
  vworldParcels,
  vworldParcelsQuestion,
  vworldPlace,
  vworldPlaceQuestion,
  type VworldAccess,
  type VworldFault,
} from '../../upstream/vworld.ts';
import type { Relay } from '../proxy/relay.ts';
import { drawableOf, noParcels, type FoundParcels, type ParcelProvider, type Place } from './provider.ts';

/** The cadastre of Korea: address to place, place to parcel. */
export class VworldParcels implements ParcelProvider {
  readonly #relay: Pick<Relay, 'ask'>;
  readonly #access: VworldAccess;

  constructor(relay: Pick<Relay, 'ask'>, access: VworldAccess) {
    this.#relay = relay;
    this.#access = access;
  }

  async find(address: string): Promise<FoundParcels> {
    const place = (await this.#placeOf(address, 'parcel')) ?? (await this.#placeOf(address, 'road'));
    return place === undefined ? noParcels : this.#parcelsAt(place, address);
  }

  async at({ lng, lat }: Place): Promise<FoundParcels> {
    return this.#parcelsAt({ x: lng, y: lat }, '');
  }

  /** `address` names parcels that have none of their own. */
  async #parcelsAt(place: { x: number; y: number }, address: string): Promise<FoundParcels> {
    const { response } = vworldParcels.parse(await this.#answer(vworldParcelsQuestion(this.#access, place)));
    refuseFault(response.status, response.error);
    const sent = (response.result?.featureCollection.features ?? []).map(({ geometry, properties }) => ({
      address: properties.addr ?? address,
      parcel_id: properties.pnu ?? '',
      geometry,
      provider: 'vworld',
      attribution: providerAttribution.vworld,
    }));
    return drawableOf(sent);
  }

  async #placeOf(address: string, type: 'parcel' | 'road'): Promise<{ x: number; y: number } | undefined> {
    const { response } = vworldPlace.parse(await this.#answer(vworldPlaceQuestion(this.#access, address, type)));
    refuseFault(response.status, response.error);
    return response.result?.point;
  }

  async #answer(question: ProviderQuestion): Promise<unknown> {
    return JSON.parse((await this.#relay.ask(question)).body.toString());
  }
}

/** VWorld reports errors with status 200. */
const codeOfFault: Readonly<Record<string, ErrorCode>> = {
  INVALID_KEY: 'provider_key_refused',
  INCORRECT_KEY: 'provider_key_refused',
  UNAVAILABLE_KEY: 'provider_key_refused',
  OVER_REQUEST_LIMIT: 'provider_quota_spent',
  SYSTEM_ERROR: 'provider_failed',
};

function refuseFault(status: string, fault: VworldFault | undefined): void {
  if (status !== 'ERROR') return;
  const code = fault?.code ?? '';
  throw new Refusal(codeOfFault[code] ?? 'provider_refused', `it answered ${code || 'an error'}`);
}
