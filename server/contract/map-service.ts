import table from '../../resources/map-services.json' with { type: 'json' };

/** What a layer shows: named on the pages, and the second half of a layer's id. */
export type MapLayerKind = 'map' | 'pale' | 'photo' | 'relief' | 'satellite';

export interface MapService {
  /** The provider's own name. */
  name: string;
  /** ISO 3166-1 codes of the countries it covers, empty for the world. */
  countries: readonly string[];
  terms_url: string;
  /** The attribution that its terms require on the map. */
  attribution: string;
  needs_key: boolean;
  per_minute: number;
  /** How long a tile counts as fresh. */
  fresh_days: number;
  /** How long the terms allow a viewed tile to be stored; 0 forbids it. */
  keep_days: number;
  /** Whether areas may be fetched ahead, for use without internet. */
  may_download: boolean;
  /** `url` has {z}, {x}, {y}, and {key} if a key is needed. */
  layers: Readonly<Partial<Record<MapLayerKind, { url: string; max_zoom: number }>>>;
}

export type MapServiceId = keyof typeof table.services;

/** Tile services whose terms allow a site to show them. */
export const mapServices: Readonly<Record<MapServiceId, MapService>> = table.services;
/** Popular services whose terms do not allow it. */
export const unusableMapServices = Object.values(table.not_usable);

/** The ids, in the order of the list. */
export const mapServiceIds = Object.keys(mapServices) as MapServiceId[]; // of that record

/** The layers of all services; their ids, e.g. gsi.photo, contain a dot, those of entered templates do not. */
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
