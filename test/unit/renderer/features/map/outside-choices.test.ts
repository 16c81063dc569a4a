import { describe, expect, it } from 'vitest';
import {
  baseChoices,
  fileChoices,
  radarLayer,
  weatherLayerOf,
  wmsChoices,
} from '../../../../../renderer/features/map/outside-choices.ts';
import { outlinesOf } from '../../../../../renderer/features/map/use-parcel-search.ts';
import type { Settings } from '../../../../../server/contract/setting.ts';
import type { WmsLayer } from '../../../../../server/contract/wms-layer.ts';
import { defaultSettings } from '../../../../../server/services/setting/defaults.ts';

const delivered = defaultSettings('UTC');
const template = { id: 'farm', name: 'Farm', url: 'http://nas.local/{z}/{x}/{y}.png', max_zoom: 21 };

describe('the layers of outside services', () => {
  it('come through this server, at its own addresses', () => {
    expect(radarLayer(1_609_401_600).url).toBe('/api/geo/proxy/rainviewer/tile/1609401600/{z}/{x}/{y}');
    expect(weatherLayerOf('wind_new').url).toBe('/api/geo/proxy/openweather/tile/wind_new/{z}/{x}/{y}');
  });

  it('have the tile services of the settings below them, unless these are switched off', () => {
    const tiles = (enabled: boolean): Settings => ({
      ...delivered,
      providers: { ...delivered.providers, tiles: { enabled, templates: [template] } },
    });
    expect(baseChoices(tiles(false))).toEqual([]);
    expect(baseChoices(tiles(true))).toEqual([
      {
        id: 'tiles farm',
        name: 'Farm',
        attribution: 'Farm',
        deepestZoom: 21,
        url: '/api/geo/tile_proxy?layer=farm&z={z}&x={x}&y={y}',
      },
    ]);
  });

  it('have the map files of the server below them, as far as these can be drawn', () => {
    const file = {
      file: 'a.mbtiles',
      bytes: 1,
      base_map_id: 'a',
      name: 'A',
      attribution: '',
      min_zoom: 0,
      max_zoom: 16,
      kind: 'raster' as const,
      layers: [],
      missing_tiles: null,
      area: null,
    };
    const files = [
      { ...file, fault: null },
      { ...file, fault: 'no_tiles' as const },
      { ...file, base_map_id: 'v', name: 'V', fault: null, kind: 'vector' as const, layers: ['water'] },
      { ...file, base_map_id: null, fault: 'name' as const },
    ];
    expect(fileChoices(files)).toEqual([
      { id: 'file a', name: 'A', attribution: 'A', deepestZoom: 16, url: '/api/geo/base_maps/a/{z}/{x}/{y}' },
      {
        id: 'file v',
        name: 'V',
        attribution: 'V',
        deepestZoom: 16,
        vectorLayers: ['water'],
        url: '/api/geo/base_maps/v/vector/{z}/{x}/{y}',
      },
    ]);
  });

  it('are of a Web Map Service only where its pictures fit the map', () => {
    const layer: Omit<WmsLayer, 'crs'> = {
      unique_id: '11111111-1111-4111-8111-111111111111',
      name: 'Soil',
      url: 'http://gis.local/wms',
      version: '1.3.0',
      layers: 'soil',
      format: 'image/png',
    };
    const crs = ['EPSG:3857', 'CRS:84', 'EPSG:5186'];
    const choices = wmsChoices({ ...delivered, wms_layers: crs.map((one) => ({ ...layer, crs: one })) });
    expect(choices.map((choice) => choice.layer?.url)).toEqual([
      '/api/geo/proxy/wms/11111111-1111-4111-8111-111111111111?crs=EPSG%3A3857',
      '/api/geo/proxy/wms/11111111-1111-4111-8111-111111111111?crs=CRS%3A84',
      undefined,
    ]);
  });
});

it('shows where a row of a table says that it is and no parcel was found', () => {
  const row = { line: 2, address: '', name: 'Far', status: 'not_found' } as const;
  expect(outlinesOf([], [], [{ ...row, place: { lat: 37, lng: 127 } }, row])).toEqual([
    { positions: [[127, 37]], isMain: false, isFault: true },
  ]);
});
