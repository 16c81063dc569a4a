import type { ParcelService } from '../../contract/parcel-service.ts';
import { nominatimPlaces, nominatimQuestion } from '../../upstream/nominatim.ts';
import { notConfigured } from '../proxy/refusal.ts';
import type { ProxyOptions } from '../proxy/proxy.ts';
import type { CadastreService } from './cadastre.ts';
import { noParcels, type FoundParcels, type ParcelProvider, type Place } from './provider.ts';
import { ServiceParcels } from './service-parcels.ts';
import { VworldParcels } from './vworld.ts';

interface Sources {
  asking: ProxyOptions;
  cadastres: Pick<CadastreService, 'list'>;
  imported: ParcelProvider;
}

/**
 * The imported parcels, then the services of the settings: the first that knows the address. Its calls throw
 * `provider_not_configured`.
 */
export function parcelProvider(sources: Sources): ParcelProvider {
  return {
    find: async (address) => (await configured(sources)).find(address),
    at: async (place) => (await configured(sources)).at(place),
  };
}

async function configured({ asking, cadastres, imported }: Sources): Promise<ParcelProvider> {
  const { providers } = asking.settings();
  const hasImported = (await cadastres.list()).length > 0;
  const services = providers.parcels.enabled ? providers.parcels.services : [];
  const [first, ...others] = [
    ...(hasImported ? [() => imported] : []),
    ...(providers.vworld.enabled ? [() => vworld(asking)] : []),
    ...services.map((service) => () => entered(asking, service)),
  ];
  if (first === undefined) {
    throw notConfigured('providers.vworld.enabled', 'no parcels are imported and no cadastre is switched on');
  }
  return others.length === 0 ? first() : firstOf([first, ...others]);
}

function entered({ relay, settings, upstreams }: ProxyOptions, service: ParcelService): ParcelProvider {
  const placesOf = async (address: string): Promise<Place[]> => {
    if (!settings().providers.nominatim.enabled) {
      throw notConfigured(
        'providers.nominatim.enabled',
        `nothing says where an address is, which ${service.name} needs`,
      );
    }
    const { body } = await relay.ask(nominatimQuestion(upstreams, address));
    return nominatimPlaces.parse(JSON.parse(body.toString())).map(({ lat, lon }) => ({ lat, lng: lon }));
  };
  return new ServiceParcels({ service, relay, placesOf });
}

function vworld({ relay, settings, keys, upstreams }: ProxyOptions): ParcelProvider {
  const { key: isSet, domain } = settings().providers.vworld;
  const key = isSet && keys.providerKey('vworld');
  if (key === undefined) throw notConfigured('providers.vworld.key', 'the cadastre needs a key');
  return new VworldParcels(relay, { upstreams, key, domain });
}

/** A provider without its key does not spoil the results of those before it. */
function firstOf(providers: readonly (() => ParcelProvider)[]): ParcelProvider {
  const first = async (ask: (provider: ParcelProvider) => Promise<FoundParcels>): Promise<FoundParcels> => {
    for (const provider of providers) {
      const found = await ask(provider());
      if (found.parcels.length > 0) return found;
    }
    return noParcels;
  };
  return {
    find: (address) => first((provider) => provider.find(address)),
    at: (place) => first((provider) => provider.at(place)),
  };
}
