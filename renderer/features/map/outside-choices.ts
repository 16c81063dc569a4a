import { mapLayers, type MapLayerKind } from '../../../server/contract/map-service.ts';
import { baseMapEndpoints, type BaseMap } from '../../../server/contract/base-map.ts';
import { providerAttribution } from '../../../server/contract/provider.ts';
import { proxyEndpoints, radarDeepestZoom, type weatherLayers } from '../../../server/contract/proxy.ts';
import type { Settings } from '../../../server/contract/setting.ts';
import { addressOf } from '../../client/client.ts';
import { outsideCrs, type OutsideCrs, type OutsideLayer } from '../../map/outside-layer.ts';

type Wanted = Omit<OutsideLayer, 'opacity'>;
/** `area`: the layer of which areas may be stored. */
type BaseChoice = Wanted & { name: string; area?: { layer: string; name: string; max_zoom: number } };
export type WeatherLayer = (typeof weatherLayers)[number];

/** Of a tile service that does not say how deep it goes. */
const usualDeepestZoom = 19;

const tileQuery = '&z={z}&x={x}&y={y}';

/** Map files of the server, to lie under everything. */
export function fileChoices(files: readonly BaseMap[]): BaseChoice[] {
  return files.flatMap(({ base_map_id, fault, name, attribution, max_zoom, kind, layers }) => {
    if (base_map_id === null || fault !== null) return [];
    const shown = { id: `file ${base_map_id}`, name, attribution: attribution || name };
    const at = (path: string): string => withTile(path.replace(':base_map_id', base_map_id));
    return kind === 'vector'
      ? {
          ...shown,
          url: at(baseMapEndpoints.vectorTile.path),
          vectorLayers: layers,
          deepestZoom: max_zoom ?? undefined,
        }
      : { ...shown, url: at(baseMapEndpoints.tile.path), deepestZoom: max_zoom ?? usualDeepestZoom };
  });
}

/** Layers of the tile services that are turned on; `nameOf` writes what a layer shows. */
export function listedChoices(
  { providers }: Settings,
  nameOf: (service: string, kind: MapLayerKind) => string,
): BaseChoice[] {
  return mapLayers.flatMap(({ layer_id, id, service, kind, max_zoom }) => {
    const provider = providers[id];
    const isReady = provider.enabled && (!service.needs_key || ('key' in provider && provider.key !== undefined));
    if (!isReady) return [];
    const url = `${addressOf(proxyEndpoints.tile, { query: { layer: layer_id } })}${tileQuery}`;
    const name = nameOf(service.name, kind);
    const area = service.may_download && { area: { layer: layer_id, name, max_zoom } };
    return { id: `tiles ${layer_id}`, name, attribution: service.attribution, url, deepestZoom: max_zoom, ...area };
  });
}

/** Tile services that were entered, to lie under everything. */
export function baseChoices({ providers }: Settings): BaseChoice[] {
  if (!providers.tiles.enabled) return [];
  return providers.tiles.templates.map(({ id, name, attribution, max_zoom = usualDeepestZoom, may_download }) => ({
    id: `tiles ${id}`,
    name,
    attribution: attribution ?? name,
    url: `${addressOf(proxyEndpoints.tile, { query: { layer: id } })}${tileQuery}`,
    deepestZoom: max_zoom,
    ...(may_download === true && { area: { layer: id, name, max_zoom } }),
  }));
}

interface WmsChoice {
  id: string;
  unique_id: string;
  name: string;
  layer: (Wanted & { crs: OutsideCrs }) | null;
}

/** Layers of Web Map Services; `null` where the map cannot be put together of pictures in that coordinate system. */
export function wmsChoices({ wms_layers }: Settings): WmsChoice[] {
  return wms_layers.map(({ unique_id, name, crs }) => {
    const id = `wms ${unique_id}`;
    const usable = outsideCrs.find((one) => one === crs);
    return { id, unique_id, name, layer: usable === undefined ? null : wmsLayer(unique_id, name, usable) };
  });
}

function wmsLayer(unique_id: string, name: string, crs: OutsideCrs): Wanted & { crs: OutsideCrs } {
  const url = addressOf(proxyEndpoints.wms, { params: { wms_layer_id: unique_id }, query: { crs } });
  return { id: `wms ${unique_id}`, attribution: name, url, crs };
}

export function radarLayer(time: number): Wanted {
  return {
    id: 'radar',
    attribution: providerAttribution.rainviewer,
    deepestZoom: radarDeepestZoom,
    url: withTile(proxyEndpoints.radarTile.path.replace(':time', String(time))),
  };
}

export function weatherLayerOf(layer: WeatherLayer): Wanted {
  return {
    id: 'weather',
    attribution: providerAttribution.openweather,
    url: withTile(proxyEndpoints.weatherTile.path.replace(':layer', layer)),
  };
}

function withTile(path: string): string {
  return path.replace(':z', '{z}').replace(':x', '{x}').replace(':y', '{y}');
}
