import { mapLayers, mapServiceIds, mapServices, type MapServiceId } from '../contract/map-service.ts';
import type { Upstream } from '../outbound/gate.ts';

/** The internet services in use, with the rate that their terms allow one user, requests a minute. */
const known = {
  // Rain Viewer, Weather Maps API: 100 requests a minute from one address.
  rainviewer: { origin: 'https://api.rainviewer.com', perMinute: 10 },
  rainviewer_tiles: { origin: 'https://tilecache.rainviewer.com', perMinute: 90 },
  // ISRIC, SoilGrids REST: 5 calls a minute by fair use.
  isric: { origin: 'https://rest.isric.org', perMinute: 5 },
  // Open-Meteo: 600 calls a minute, 10,000 a day without a key.
  openmeteo: { origin: 'https://api.open-meteo.com', perMinute: 60 },
  openmeteo_customer: { origin: 'https://customer-api.open-meteo.com', perMinute: 300 },
  // OpenWeather: 60 calls a minute with a free key.
  openweather: { origin: 'https://api.openweathermap.org', perMinute: 50 },
  openweather_tiles: { origin: 'https://tile.openweathermap.org', perMinute: 50 },
  // VWorld: 40,000 geocodings a day with a key.
  vworld: { origin: 'https://api.vworld.kr', perMinute: 300 },
  // Nominatim usage policy: at most one request a second, without bursts.
  nominatim: { origin: 'https://nominatim.openstreetmap.org', perMinute: 60, atOnce: 1 },
} as const satisfies Record<string, Pick<Upstream, 'origin' | 'perMinute' | 'atOnce'>>;

type UpstreamId = keyof typeof known;
/** Replacement origins, for tests. */
export type Origins = Partial<Record<UpstreamId | MapServiceId, string>>;
export type Upstreams = Readonly<Record<UpstreamId, Upstream>> & { maps: Readonly<Record<MapServiceId, Upstream>> };

export function publicUpstreams(origins: Origins = {}): Upstreams {
  const entries = Object.entries(known).map(([id, one]): [string, Upstream] => [
    id,
    { id, ...one, origin: origins[id as UpstreamId] ?? one.origin, policy: 'public' }, // a key of known
  ]);
  const own = Object.fromEntries(entries) as Record<UpstreamId, Upstream>; // of the same keys
  return { ...own, maps: mapUpstreams(origins) };
}

/** The listed tile services: all layers of one share an origin. */
function mapUpstreams(origins: Origins): Record<MapServiceId, Upstream> {
  const entries = mapServiceIds.map((id): [string, Upstream] => {
    const layer = mapLayers.find((one) => one.id === id);
    if (layer === undefined) throw new Error(`${id} has no layers`);
    const origin = origins[id] ?? new URL(layer.url).origin;
    return [id, { id: `map ${id}`, origin, policy: 'public', perMinute: mapServices[id].per_minute }];
  });
  return Object.fromEntries(entries) as Record<MapServiceId, Upstream>; // of all ids
}

/** Local servers and tile services that an administrator entered: their ids cannot collide with those above. */
export function enteredUpstream(id: string, address: string): Upstream {
  return { id: `entered ${id}`, origin: new URL(address).origin, policy: 'lan', perMinute: 1_200, atOnce: 400 };
}
