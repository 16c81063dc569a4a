import { notConfigured } from '../proxy/refusal.ts';
import type { ProxyOptions } from '../proxy/proxy.ts';
import type { ParcelProvider } from './provider.ts';
import { VworldParcels } from './vworld.ts';

/** The cadastre of the settings. Throws `provider_not_configured`. */
export function parcelProvider({ relay, settings, keys, upstreams }: ProxyOptions): ParcelProvider {
  const { enabled, key: isSet, domain } = settings().providers.vworld;
  if (!enabled) throw notConfigured('providers.vworld.enabled', 'no cadastre is switched on');
  const key = isSet && keys.providerKey('vworld');
  if (key === undefined) throw notConfigured('providers.vworld.key', 'the cadastre needs a key');
  return new VworldParcels(relay, { upstreams, key, domain });
}
