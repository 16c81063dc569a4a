import { mapServiceIds, mapServices } from '../../../../server/contract/map-service.ts';
import type { ProviderId, Providers, ProvidersPatch } from '../../../../server/contract/provider.ts';
import type { SecretSent } from '../../../../server/contract/secret.ts';

/** Services that answer queries, in the order of the page. */
export const dataServices = [
  'rainviewer',
  'isric',
  'openmeteo',
  'openweather',
  'vworld',
  'nominatim',
  'parcels',
  'tiles',
] as const;
/** Services that only provide maps. */
export const tileServices = mapServiceIds.filter((id) => !dataServices.some((one) => one === id));
const keyedServices: readonly ProviderId[] = [
  ...(['openmeteo', 'openweather'] as const),
  ...mapServiceIds.filter((id) => mapServices[id].needs_key),
];

export interface ServicesDraft {
  enabled: Record<ProviderId, boolean>;
  /** What will be sent: undefined keeps the stored key, null removes it. */
  keys: Partial<Record<ProviderId, SecretSent | null>>;
  domain: string;
}

export function takesKey(id: ProviderId): boolean {
  return keyedServices.includes(id);
}

export function hasKey(providers: Providers, id: ProviderId): boolean {
  const provider = providers[id];
  return 'key' in provider && provider.key !== undefined;
}

export function servicesDraftOf(providers: Providers): ServicesDraft {
  const enabled = Object.fromEntries(Object.entries(providers).map(([id, provider]) => [id, provider.enabled]));
  return {
    enabled: enabled as ServicesDraft['enabled'], // of all ids
    keys: {},
    domain: providers.vworld.domain ?? '',
  };
}

/** The changes by service; untouched services are not sent. */
export function servicesWire({ enabled, keys, domain }: ServicesDraft): ProvidersPatch {
  const entries = Object.entries(enabled).map(([id, isEnabled]) => {
    const key = keys[id as ProviderId]; // a key of enabled
    return [id, { enabled: isEnabled, ...(key !== undefined && { key }) }];
  });
  const wire = Object.fromEntries(entries) as ProvidersPatch; // of all ids; a key only where one was typed
  return { ...wire, vworld: { ...wire.vworld, domain: domain.trim() === '' ? null : domain.trim() } };
}

/** False while a key is to be replaced but not yet entered. */
export function areServicesValid({ keys }: ServicesDraft): boolean {
  return Object.values(keys).every((key) => key !== '');
}
