import table from '../../resources/map-services.json' with { type: 'json' };

/** What a layer shows: names of the pages, and the second half of a layer's id. */
export type MapLayerKind = 'map' | 'pale' | 'photo' | 'relief' | 'satellite';

export interface MapService {
  /** As the provider calls it. */
  name: string;
  /** ISO 3166-1 of what it covers, empty for the world. */
  countries: readonly string[];
  terms_url: string;
  /** What its terms ask to be shown on the map. */
  attribution: string;
  needs_key: boolean;
  per_minute: number;
  /** So long a tile is as good as a new one. */
  fresh_days: number;
  /** So long the terms allow to store a tile that was looked at; 0 forbids it. */
  keep_days: number;
  /** Whether areas may be fetched ahead, for use without internet. */
  may_download: boolean;
  /** `url` has {z}, {x}, {y}, and {key} where a key is needed. */
  layers: Readonly<Partial<Record<MapLayerKind, { url: string; max_zoom: number }>>>;
}

export type MapServiceId = keyof typeof table.services;

/** Tile services whose terms allow a site to show them. */
export const mapServices: Readonly<Record<MapServiceId, MapService>> = table.services;
/** Those that people look for and whose terms do not. */
export const unusableMapServices = Object.values(table.not_usable);

/** The ids, in the order of the list. */
export const mapServiceIds = Object.keys(mapServices) as MapServiceId[]; // of that record

/** The layers of all services; their ids, e.g. gsi.photo, have a dot, those of entered templates none. */
export const mapLayers = mapServiceIds.flatMap((id) => {
  const service = mapServices[id];
  return Object.entries(service.layers).map(([kind, layer]) => ({
    layer_id: `${id}.${kind}`,
    id,
    service,
    kind: kind as MapLayerKind, // a key of layers
    ...layer,
  }));
});
