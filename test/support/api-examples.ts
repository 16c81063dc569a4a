import { randomUUID } from 'node:crypto';
import { goodPassword } from './accounts.ts';
import { mildYear } from './mild-year.ts';
import { thermometerId } from './commissioning-check.ts';

type Known = (field: string) => string | undefined;

const envelope = { material: 'vinyl_double', bay_width_m: 8, length_m: 50, eave_height_m: 2.5, ridge_height_m: 4 };
const view = { name: 'Farm', lat: 37, lng: 127, zoom: 18 };
const ring = [
  [127, 37],
  [127.001, 37],
  [127.001, 37.0002],
  [127, 37.0002],
  [127, 37],
];
const shape = (type: string) => ({
  type: 'Feature',
  geometry: { type: 'Polygon', coordinates: [ring] },
  properties: { type, name: 'drawn', unique_id: randomUUID() },
});

let count = 0;
const fresh = (word: string): string => `${word}${(count += 1)}`;

/** Bodies that succeed although their fields must fit one another or existing data, by method and path. */
export function exampleBodies(known: Known): Record<string, () => object> {
  const geo_id = () => known('geo_id');
  const place = { column: 0, row: 0, columns: 6, rows: 2 };
  return {
    'POST /api/geo/designs': () => view,
    'POST /api/geo/overlays': () => ({ geo_id: geo_id(), features: [shape('site'), shape('bay')] }),
    'POST /api/geo/overlays/delta': () => ({ geo_id: geo_id(), added: [shape('facility'), shape('zone')] }),
    'POST /api/geo/facility': () => ({
      name: 'House',
      shape_uuid: known('shape_uuid'),
      envelope,
      actuators: [{ role: 'heater', device_id: known('output_id'), name: 'Heater' }],
    }),
    'POST /api/geo/facility/{facility_uuid}/apply': () => ({ actions: [{ role: 'heater', state: true }] }),
    'POST /api/geo/facility/{facility_uuid}/commissioning/start': () => ({}),
    'POST /api/geo/facility/{facility_uuid}/commissioning/{check_id}/verdict': () => ({
      device_id: thermometerId,
      verdict: 'held',
    }),
    'POST /api/geo/facility/compute': () => ({
      envelope,
      bay_count: 3,
      fans: [{ kind: 'exhaust', flow_m3h: 30_000, count: 2 }],
      openings: [{ id: 'a', name: 'Side', face: 'left', area_m2: 10, centre_height_m: 1 }],
      curtains: [{ kind: 'thermal', position: 'ceiling', layers: 1 }],
    }),
    'POST /api/geo/facility/study': () => ({ envelope, bay_count: 2, design_conditions: { fuel_price: 1 } }),
    'POST /api/geo/weather_files/{name}': () => ({ file: mildYear }),
    'POST /api/settings/inputs': () => ({ name: 'Sensor', driver: 'simulated', period_s: 1 }),
    'POST /api/settings/outputs': () => ({ name: 'Switch', driver: 'simulated' }),
    'PATCH /api/settings/inputs/{input_id}': () => ({ name: 'Probe', period_s: 2 }),
    'PATCH /api/settings/outputs/{output_id}': () => ({ name: 'Pump', options: { speed: null } }),
    'POST /api/settings/lcds': () => ({ name: 'Door', driver: 'virtual' }),
    'POST /api/settings/measurements': () => ({ unique_id: known('measurement_id'), raw_days: 30 }),
    'POST /api/controllers/{controller_id}': () => ({ activate: true }),
    'POST /api/outputs/{output_id}': () => ({ state: true, reason: 'example' }),
    'POST /api/settings/users': () => ({ username: fresh('user'), password: goodPassword, role: 'Guest' }),
    'PATCH /api/settings/users/{user_id}': () => ({ role: 'Monitor', email: 'a@example.com' }),
    'POST /api/settings/users/{user_id}/api_keys': () => ({ name: 'tablet' }),
    'POST /api/settings/roles': () => ({ name: fresh('role'), permissions: ['view_stats'] }),
    'PATCH /api/settings/roles/{role_id}': () => ({ name: fresh('role') }),
    'POST /api/settings/notification_targets': () => ({
      name: 'Broker',
      options: { kind: 'mqtt', url: 'mqtt://broker.example', topic: 'alarms' },
    }),
    'PATCH /api/settings/notification_targets/{notification_target_id}': () => ({ name: 'Broker 2', repeat_min: 15 }),
    'POST /api/alarms/acknowledge': () => ({ alarm_ids: [known('alarm_id')] }),
    'POST /api/alarms/{alarm_id}/shelve': () => ({ duration_s: 600, reason: 'Known' }),
    'POST /api/notes': () => ({ text: 'Pruned', device_id: known('device_id') ?? null, map_uuid: geo_id() ?? null }),
    'PATCH /api/notes/{note_id}': () => ({ text: 'Pruned again', category: null }),
    'POST /api/settings/dashboards': () => ({
      name: 'Mine',
      widgets: [{ kind: 'text', id: 'a', ...place, text: 'hello' }],
    }),
    'PATCH /api/settings/dashboards/{dashboard_id}': () => ({ widgets: [{ kind: 'alarms', id: 'b', ...place }] }),
    'POST /api/geo/settings': () => ({
      providers: { vworld: { key: 'secret', enabled: true } },
      theme: { site: { color: '#00ff00' } },
      design_conditions: { wind_factor: 1.1 },
      alarm_limits: { wind_m_s: 12, rain: null },
    }),
  };
}

/** Calls that together create one of everything, in this order. */
export const firstCalls = [
  'POST /api/settings/presets/simulated_greenhouse',
  'POST /api/geo/designs',
  'POST /api/geo/overlays/delta',
  'POST /api/geo/facility',
  'POST /api/settings/users',
  'POST /api/settings/users/{user_id}/api_keys',
  'POST /api/settings/roles',
  'POST /api/notes',
  'POST /api/settings/dashboards',
] as const;
