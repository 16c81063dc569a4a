import type { Row } from './contract-walk.ts';
import type { World } from './contract-world.ts';
import { frameTime } from './providers.ts';

const areas = '/api/geo/base_map_downloads';

/** Makes room for an area, because only one is stored at a time. */
async function withoutAreas(w: World): Promise<void> {
  const url = `${w.api.provider.origin}/{z}/{x}/{y}.png`;
  const templates = [{ id: 'ours', name: 'Ours', url, may_download: true }];
  await w.make('/api/geo/settings', { providers: { tiles: { templates } } });
  const { downloads } = (await w.ask({ method: 'GET', path: areas })).body as { downloads: { base_map_id: string }[] }; // the declared form
  for (const { base_map_id } of downloads) await w.ask({ method: 'DELETE', path: `${areas}/${base_map_id}` });
}

/** An area that takes longer than the test of its row. */
async function anArea(w: World): Promise<{ base_map_id: string }> {
  await withoutAreas(w);
  const area = { layer: 'ours', bbox: [127, 37, 127.1, 37.1], min_zoom: 15, max_zoom: 16, name: w.fresh('Area') };
  const { base_map_id } = await w.make(areas, area);
  return { base_map_id: String(base_map_id) };
}

/** Calls of outside services, parcels and local maps. */
export const outsideRows: Readonly<Record<string, Row>> = {
  'GET /api/geo/proxy/rainviewer/meta': { shows: { radar: { past: [{ time: frameTime }, {}] } } },
  'GET /api/geo/proxy/rainviewer/tile/:time/:z/:x/:y': {},
  'GET /api/geo/proxy/isric': { query: async () => ({ lat: '37.5', lon: '127.1', property: 'phh2o' }) },
  'GET /api/geo/proxy/openweather': {
    query: async (w) => {
      await w.thing('layer');
      return { lat: '37.5', lon: '127.1', units: 'metric' };
    },
    shows: { main: { temp: 8.4 } },
  },
  'GET /api/geo/proxy/openweather/tile/:layer/:z/:x/:y': {},
  'GET /api/geo/proxy/openmeteo': {
    query: async () => ({ latitude: '37.5', longitude: '127.1', hourly: 'temperature_2m' }),
    shows: { hourly: { temperature_2m: [4.2, null] } },
  },
  'GET /api/geo/proxy/wms/:wms_layer_id': {
    query: async () => ({ BBOX: '0,0,10,10', Width: '256', height: '256' }),
  },
  'GET /api/geo/proxy/wms/:wms_layer_id/info': {
    query: async () => ({ bbox: '0,0,10,10', width: '101', height: '101', i: '50', j: '50' }),
    shows: { text: 'pH 6.1' },
  },
  'POST /api/geo/wms_capabilities': {
    body: async (w) => ({ url: `${w.api.provider.origin}/wms` }),
    shows: { title: 'Land', layers: [{ name: 'soil' }] },
  },
  'POST /api/geo/parcel/from_address': {
    body: async (w) => {
      await w.make('/api/geo/settings', { providers: { vworld: { enabled: true, key: 'k3y' } } });
      return { address: '12 Orchard Lane' };
    },
    shows: { parcel: { parcel_id: '4111113400100120000' } },
  },
  'POST /api/geo/parcel/at': {
    body: async (w) => {
      await w.make('/api/geo/settings', { providers: { vworld: { enabled: true, key: 'k3y' } } });
      return { lat: 37.0001, lng: 127.0005 };
    },
    shows: { parcels: [{ parcel_id: '4111113400100120000' }] },
  },
  'POST /api/geo/parcel/merge': { shows: { geometry: { type: 'Polygon' } } },
  'POST /api/geo/shape_files': { shows: { crs: ['EPSG:4326'], skipped_count: 0, skipped_names: [] } },
  'GET /api/geo/cadastres': {},
  'POST /api/geo/cadastres': { query: async () => ({ name: 'Village' }) },
  'DELETE /api/geo/cadastres/:cadastre_id': { shows: { deleted: true } },
  'GET /api/geo/base_maps': {
    query: async (w) => {
      await w.thing('base_map_id');
      return {};
    },
  },
  'POST /api/geo/base_maps': {
    query: async (w) => ({ name: `${w.fresh('map')}.pmtiles`, offset: '0', total_bytes: '1000' }),
    shows: { received_bytes: 24, base_map: null },
  },
  'GET /api/geo/base_map_downloads': {
    query: async (w) => {
      await anArea(w);
      return {};
    },
    shows: { downloads: [{ layer: 'ours' }] },
  },
  'POST /api/geo/base_map_downloads/estimate': {
    query: async (w) => {
      await withoutAreas(w);
      return {};
    },
    shows: { most_tiles: 20_000 },
  },
  'POST /api/geo/base_map_downloads': {
    query: async (w) => {
      await withoutAreas(w);
      return {};
    },
    shows: { status: 'running', done: 0 },
  },
  'POST /api/geo/base_map_downloads/:base_map_id/complete': {
    params: async (w) => {
      await withoutAreas(w);
      const zooms = { minzoom: '2', maxzoom: '2', bounds: '-180,-85,180,85' };
      return { base_map_id: w.map({ ...zooms, orangery_layer: 'ours', orangery_missing_tiles: '15' }) };
    },
    shows: { status: 'running', done: 0, total: 16 },
  },
  'POST /api/geo/base_map_downloads/:base_map_id/pause': { params: anArea, shows: { status: 'paused' } },
  'POST /api/geo/base_map_downloads/:base_map_id/resume': { params: anArea, shows: { status: 'running' } },
  'DELETE /api/geo/base_map_downloads/:base_map_id': { params: anArea, shows: { deleted: true } },
  'DELETE /api/geo/base_maps/:base_map_id': { shows: { deleted: true } },
  'GET /api/geo/base_maps/:base_map_id/:z/:x/:y': {},
  'GET /api/geo/base_maps/:base_map_id/vector/:z/:x/:y': {
    params: async (w) => ({ base_map_id: w.map({ format: 'pbf' }), z: '2', x: '1', y: '3' }),
  },
  'GET /api/geo/tile_proxy': {
    query: async (w) => {
      const url = `${w.api.provider.origin}/{z}/{x}/{y}.png`;
      await w.make('/api/geo/settings', { providers: { tiles: { templates: [{ id: 'ours', name: 'Ours', url }] } } });
      return { layer: 'ours', z: '3', x: '4', y: '5' };
    },
  },
};
