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

/** What was imported, then the services of the settings: the first that knows the address. Throws `provider_not_configured`. */
export function parcelProvider({ asking, cadastres, imported }: Sources): ParcelProvider {
  if (cadastres.list().length === 0) return vworld(asking);
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
  return {
    find: async (address) => {
      for (const provider of providers) {
        const found = await provider().find(address);
        if (found.length > 0) return found;
      }
      return [];
    },
  };
}
