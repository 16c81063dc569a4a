import type { Parcel } from '../../contract/parcel.ts';
import { notConfigured } from '../proxy/refusal.ts';
import type { ProxyOptions } from '../proxy/proxy.ts';
import type { CadastreService } from './cadastre.ts';
import type { ParcelProvider } from './provider.ts';
import { VworldParcels } from './vworld.ts';

interface Sources {
  asking: ProxyOptions;
  cadastres: Pick<CadastreService, 'list'>;
  imported: ParcelProvider;
}

/** What was imported, then the services of the settings: the first that knows the address. Its calls throw `provider_not_configured`. */
export function parcelProvider(sources: Sources): ParcelProvider {
  return {
    find: async (address) => (await configured(sources)).find(address),
    at: async (place) => (await configured(sources)).at(place),
  };
}

async function configured({ asking, cadastres, imported }: Sources): Promise<ParcelProvider> {
  if ((await cadastres.list()).length === 0) return vworld(asking);
  return asking.settings().providers.vworld.enabled ? firstOf([() => imported, () => vworld(asking)]) : imported;
}

function vworld({ relay, settings, keys, upstreams }: ProxyOptions): ParcelProvider {
  const { enabled, key: isSet, domain } = settings().providers.vworld;
  if (!enabled)
    throw notConfigured('providers.vworld.enabled', 'no parcels are imported and no cadastre is switched on');
  const key = isSet && keys.providerKey('vworld');
  if (key === undefined) throw notConfigured('providers.vworld.key', 'the cadastre needs a key');
  return new VworldParcels(relay, { upstreams, key, domain });
}

/** One that lacks its key is no hindrance to those before it. */
function firstOf(providers: readonly (() => ParcelProvider)[]): ParcelProvider {
  const first = async (ask: (provider: ParcelProvider) => Promise<Parcel[]>): Promise<Parcel[]> => {
    for (const provider of providers) {
      const found = await ask(provider());
      if (found.length > 0) return found;
    }
    return [];
  };
  return {
    find: (address) => first((provider) => provider.find(address)),
    at: (place) => first((provider) => provider.at(place)),
  };
}
