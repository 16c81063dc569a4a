import type { Providers, ProvidersPatch } from '../../../server/contract/provider.ts';
import type { SecretSent } from '../../../server/contract/secret.ts';

export const openServices = ['rainviewer', 'isric', 'tiles'] as const;
export const keyedServices = ['openmeteo', 'openweather', 'vworld'] as const;
type KeyedService = (typeof keyedServices)[number];
type Service = keyof Providers;

export interface ServicesDraft {
  enabled: Record<Service, boolean>;
  /** What will be sent: undefined keeps the stored key, null removes it. */
  keys: Record<KeyedService, SecretSent | null | undefined>;
  domain: string;
}

export function servicesDraftOf(providers: Providers): ServicesDraft {
  return {
    enabled: {
      rainviewer: providers.rainviewer.enabled,
      isric: providers.isric.enabled,
      tiles: providers.tiles.enabled,
      openmeteo: providers.openmeteo.enabled,
      openweather: providers.openweather.enabled,
      vworld: providers.vworld.enabled,
    },
    keys: { openmeteo: undefined, openweather: undefined, vworld: undefined },
    domain: providers.vworld.domain ?? '',
  };
}

/** The change of each service by itself, so that one that was not touched is not sent. */
export function servicesWire({ enabled, keys, domain }: ServicesDraft): Required<ProvidersPatch> {
  const keyed = (name: KeyedService): { enabled: boolean; key?: SecretSent | null } => ({
    enabled: enabled[name],
    ...(keys[name] !== undefined && { key: keys[name] }),
  });
  return {
    rainviewer: { enabled: enabled.rainviewer },
    isric: { enabled: enabled.isric },
    tiles: { enabled: enabled.tiles },
    openmeteo: keyed('openmeteo'),
    openweather: keyed('openweather'),
    vworld: { ...keyed('vworld'), domain: domain.trim() === '' ? null : domain.trim() },
  };
}

/** False while a key is to be replaced and the new one is not there. */
export function areServicesValid({ keys }: ServicesDraft): boolean {
  return keyedServices.every((name) => keys[name] !== '');
}
