import { randomUUID } from 'node:crypto';
import type { Endpoint } from '../../server/contract/endpoint.ts';
import { bodyExamples } from '../../server/contract/examples.ts';
import { goodPassword, start } from './accounts.ts';
import { climateRows } from './contract-walk-climate.ts';
import { commissioningRows } from './contract-walk-commissioning.ts';
import { functionBody, pidBody, type Asked, type World } from './contract-world.ts';
import { outsideRows } from './contract-walk-outside.ts';
import { wholeKey } from './whole-api.ts';
import { mildYear } from './mild-year.ts';

const at = (ms: number): string => new Date(ms).toISOString();

/** How to make a call with existing data. */
export interface Row {
  /** In addition to those that follow from the parameters' names. */
  params?: (world: World) => Promise<Record<string, string>>;
  query?: (world: World, params: Record<string, string>) => Promise<Record<string, string>>;
  /** Default: the example of the description. */
  body?: (world: World, params: Record<string, string>) => Promise<unknown>;
  /** Default: the first status of the endpoint. */
  status?: number;
  /** Set if it cannot succeed here and the refusal is itself the contract. */
  refused?: string;
  /** Part of the answer. */
  shows?: unknown;
}

const ofSeries = async (world: World) => {
  const { input_id, measurement_id } = await world.input();
  return { device_id: input_id, measurement_id };
};
const from = at(start - 3_600_000);
const span = async (world: World) => ({ ...(await ofSeries(world)), from });
const series = async (world: World) => {
  const { device_id, measurement_id } = await ofSeries(world);
  return { series: `${device_id}/${measurement_id}`, from };
};
const onOutput = async (world: World) => ({ device_id: await world.thing('output_id'), from });
const drawn = async (world: World) => ({ map_uuid: (await world.shape('site')).map_uuid });
const inTrash = (path: string, name: string) => async (world: World) => {
  const id = await world.thing(name);
  await world.api.request('DELETE', `${path}/${id}`, { key: wholeKey });
  return { [name]: id };
};
const bareHouse = async (world: World) => {
  const { feature_id: shape_uuid } = await world.shape('bay');
  const { envelope } = bodyExamples['POST /api/geo/facility'] as { envelope: object }; // the form of that example
  const made = await world.make('/api/geo/facility', { name: world.fresh('House'), shape_uuid, envelope });
  return { facility_uuid: String(made['unique_id']) };
};
const houseOfModel = async (world: World) => {
  const house = await bareHouse(world);
  await world.make(`/api/geo/facility/${house.facility_uuid}/simulation`, {});
  return house;
};
const geoId = async (world: World) => ({ geo_id: await world.thing('map_uuid') });
const sameShape = bodyExamples['POST /api/geo/overlays'] as { features: object[] }; // the form of that example
const shapes = () => [{ ...sameShape.features[0], properties: { type: 'facility', name: 'East house' } }];

/** Every documented call, in a form that succeeds. */
export const rows: Readonly<Record<string, Row>> = {
  ...outsideRows,
  'GET /api/alarms': { shows: { next_cursor: null } },
  'GET /api/alarms/journal': { shows: { entries: [] } },
  'POST /api/alarms/acknowledge': { body: async (w) => ({ alarm_ids: [await w.thing('alarm_id')] }) },
  'POST /api/alarms/:alarm_id/acknowledge': {},
  'POST /api/alarms/:alarm_id/shelve': {},
  'POST /api/alarms/:alarm_id/unshelve': {},
  'POST /api/alarms/:alarm_id/remove_from_service': {},
  'POST /api/alarms/:alarm_id/return_to_service': {},
  'GET /api/settings/users/:user_id/api_keys': { shows: { api_keys: [] } },
  'POST /api/settings/users/:user_id/api_keys': { shows: { name: 'tablet', scope: 'readonly' } },
  'GET /api/settings/users/:user_id/api_keys/:key_id': { params: (w) => userKey(w), shows: { name: 'old' } },
  'DELETE /api/settings/users/:user_id/api_keys/:key_id': { params: (w) => userKey(w) },
  'GET /api/audit': {},
  'GET /api/audit.csv': {},
  'POST /api/auth/setup': { refused: 'already_set_up' },
  'POST /api/auth/login': {
    body: async () => ({ username: 'owner', password: goodPassword }),
    shows: { user: { username: 'owner' } },
  },
  'POST /api/auth/logout': { refused: 'forbidden' }, // a key has no session to end
  'GET /api/auth/session': { shows: { csrf_token: null } },
  'GET /api/auth/sessions': {},
  'DELETE /api/auth/sessions/:session_id': {},
  'GET /api/auth/state': { shows: { is_set_up: true } },
  'POST /api/controllers/:controller_id': {},
  'POST /api/controllers/:controller_id/actions': {
    params: async (w) => ({ controller_id: await w.thing('trigger_id') }),
    shows: { results: [] },
  },
  'GET /api/notification_targets': {},
  'GET /api/triggers': {},
  'GET /api/conditionals': {},
  'GET /api/conditionals/language': {},
  ...commissioningRows,
  'GET /api/settings/dashboards': {},
  'POST /api/settings/dashboards': { shows: { name: 'Morning' } },
  'GET /api/settings/dashboards/:dashboard_id': {},
  'PATCH /api/settings/dashboards/:dashboard_id': { shows: { name: 'Evening' } },
  'DELETE /api/settings/dashboards/:dashboard_id': { shows: { deleted: true } },
  'GET /api/settings/trend_views': {},
  'POST /api/settings/trend_views': { shows: { name: 'Air of the day', is_own: true, author: 'owner' } },
  'GET /api/settings/trend_views/:trend_view_id': { shows: { is_shared: false } },
  'PATCH /api/settings/trend_views/:trend_view_id': { shows: { is_shared: true } },
  'DELETE /api/settings/trend_views/:trend_view_id': { shows: { deleted: true } },
  'GET /api/settings/pids': {},
  'POST /api/settings/pids': { body: pidBody, shows: { name: 'Heating', band: 0, lower: null } },
  'GET /api/settings/pids/:pid_id': { shows: { setpoint: 20 } },
  'PATCH /api/settings/pids/:pid_id': { shows: { setpoint: 21.5, period_s: 60 } },
  'DELETE /api/settings/pids/:pid_id': { shows: { deleted: true } },
  'POST /api/settings/pids/dry_run': {
    body: async (w) => ({ pid: await pidBody(w) }),
    shows: { setpoint: 20, measurement: null, control: null },
  },
  'GET /api/pids': {},
  'GET /api/pids/:pid_id': { shows: { setpoint: 20 } },
  'POST /api/pids/:pid_id/hold': {},
  'POST /api/pids/:pid_id/pause': {},
  'POST /api/pids/:pid_id/resume': {},
  'PATCH /api/pids/:pid_id/live': {},
  'POST /api/pids/:pid_id/rehearse': { shows: { raise: 'heater' } },
  'POST /api/pids/:pid_id/autotune': { shows: { phase: 'idle' } },
  'GET /api/pids/:pid_id/autotune': {},
  'DELETE /api/pids/:pid_id/autotune': {},
  'GET /api/daemon': {},
  'GET /api/daemon/end': {},
  'POST /api/daemon/start': {},
  'GET /api/geo/init_design': {},
  'GET /api/logs': { shows: { logs: [], next_cursor: null } },
  'GET /api/backups': { shows: { fault: null, plan: { at_min: 180, passphrase: null } } },
  'PATCH /api/backups/plan': { shows: { keep_days: 14, at_min: 180 } },
  'POST /api/backups': {},
  'POST /api/backups/undo': { body: async () => ({ password: goodPassword }), refused: 'conflict' }, // nothing was restored
  'GET /api/backups/:backup_id/file': {},
  'POST /api/backups/upload': {
    query: async () => ({ upload_id: randomUUID(), offset: '0', total_bytes: '99' }),
  },
  'POST /api/backups/upload/take': { refused: 'not_found' }, // nothing was uploaded before
  'GET /api/backups/:backup_id': { shows: { reason: 'hand', check: { fault: null } } },
  'DELETE /api/backups/:backup_id': { shows: { deleted: true } },
  'POST /api/backups/:backup_id/check': {},
  'POST /api/backups/:backup_id/restore': { body: async () => ({ password: goodPassword }) },
  'POST /api/geo/parcel/from_csv': { shows: { counts: { invalid: 0, not_found: 0 } } },
  'POST /api/geo/parcel/save_as_site': {
    body: async (w) => ({
      ...(bodyExamples['POST /api/geo/parcel/save_as_site'] as object), // the form of that example
      geo_id: await w.thing('map_uuid'),
    }),
    shows: { properties: { type: 'site', name: 'North field' } },
  },
  'POST /api/geo/read-pipes': { shows: { placed_by: 'degrees', steps: 1 } },
  'POST /api/geo/generate-pipes': {
    body: async (w) => {
      const { map_uuid } = await w.shape('zone');
      const device_ids = [await w.thing('output_id'), await w.thing('output_id')];
      const added = device_ids.map((device_id, index) => ({
        type: 'Feature',
        geometry: { type: 'Point', coordinates: [127 + index / 1000, 37] },
        properties: { type: 'device', device_id },
      }));
      await w.make('/api/geo/overlays/delta', { geo_id: map_uuid, added });
      return { geo_id: map_uuid, device_ids };
    },
    shows: { type: 'FeatureCollection', revision: null },
  },
  'GET /api/geo/designs': {},
  'GET /api/geo/designs/:map_uuid': { shows: { features: { type: 'FeatureCollection' } } },
  'GET /api/geo/designs/:map_uuid/sketch': { params: drawn, shows: { revision: 1 } },
  'POST /api/geo/designs': { status: 201, shows: { name: 'Farm', layers: { base: 'natural-earth' } } },
  'DELETE /api/geo/designs/:map_uuid': { shows: { deleted: true } },
  'POST /api/geo/designs/:map_uuid/restore': { params: inTrash('/api/geo/designs', 'map_uuid') },
  'GET /api/geo/designs/:map_uuid/shapefile': { params: drawn },
  'GET /api/geo/designs/:map_uuid/geopackage': { params: drawn, query: async () => ({ crs: 'EPSG:5186' }) },
  'GET /api/geo/designs/:map_uuid/history': { params: drawn },
  'GET /api/geo/designs/:map_uuid/history/:revision': { params: drawn, shows: { revision: 1 } },
  'POST /api/geo/designs/:map_uuid/history/:revision/restore': { params: drawn },
  'GET /api/geo/devices': { query: geoId },
  'GET /api/geo/inputs': { query: geoId },
  'GET /api/geo/outputs': { query: geoId },
  'GET /api/drivers': {},
  'POST /api/drivers/modbus/probe': { shows: { found: 'silent' } },
  'POST /api/drivers/onewire/probe': { shows: { found: 'absent' } },
  'POST /api/drivers/mqtt/probe': { shows: { found: 'unreachable' } },
  'GET /api/events': {},
  'GET /api/geo/facility/list': { query: geoId, shows: { facilities: [] } },
  'GET /api/geo/facility/:facility_uuid': { shows: { preset: 'greenhouse' } },
  'POST /api/geo/facility': {
    status: 201,
    body: async (w) => ({
      ...(bodyExamples['POST /api/geo/facility'] as object), // the form of that example
      shape_uuid: (await w.shape('bay')).feature_id,
    }),
  },
  'DELETE /api/geo/facility/:facility_uuid': { shows: { deleted: true } },
  'POST /api/geo/facility/:facility_uuid/restore': { params: inTrash('/api/geo/facility', 'facility_uuid') },
  'POST /api/geo/facility/compute': {},
  'POST /api/geo/facility/study': {},
  'GET /api/geo/weather_files': {},
  'POST /api/geo/weather_files/:name': {
    params: async () => ({ name: 'mild.csv' }),
    body: async () => ({ file: mildYear }),
  },
  'DELETE /api/geo/weather_files/:name': {
    params: async (w) => {
      await w.make('/api/geo/weather_files/mild.csv', { file: mildYear });
      return { name: 'mild.csv' };
    },
    shows: { deleted: true },
  },
  'GET /api/geo/materials': {},
  'GET /api/geo/facility/:facility_uuid/integration': {},
  'GET /api/geo/facility/:facility_uuid/runtime': {},
  'GET /api/geo/facility/:facility_uuid/wind': { query: async () => ({ wind_speed: '3', wind_dir: '270' }) },
  'GET /api/geo/facility/:facility_uuid/wind/rose': {},
  'POST /api/geo/facility/:facility_uuid/apply': {
    body: async () => ({ actions: [{ role: 'roof_vent', state: true }] }),
  },
  'GET /api/geo/facility/:facility_uuid/simulation': { params: bareHouse, shows: { is_simulated: false, others: [] } },
  'POST /api/geo/facility/:facility_uuid/simulation': {
    params: bareHouse,
    status: 201,
    shows: { is_simulated: true, crop: 'full' },
  },
  'PATCH /api/geo/facility/:facility_uuid/simulation': { params: houseOfModel, shows: { crop: 'none', speed: 60 } },
  'DELETE /api/geo/facility/:facility_uuid/simulation': { params: houseOfModel, shows: { is_simulated: false } },
  'GET /api/settings/network_addresses': { shows: { addresses: ['192.168.1.20'] } },
  'GET /api/health': { shows: { status: 'up' } },
  'GET /api/settings/inputs': {},
  'POST /api/settings/inputs': { shows: { name: 'Thermometer', period_s: 15 } },
  'GET /api/settings/inputs/:input_id': {},
  'PATCH /api/settings/inputs/:input_id': { shows: { name: 'Thermometer, bay 2', period_s: 30 } },
  'DELETE /api/settings/inputs/:input_id': { shows: { deleted: true } },
  'POST /api/inputs/:input_id/force_measurement': {},
  'GET /api/jobs': {},
  'GET /api/jobs/:job_id': { shows: { kind: 'overlay.save' } },
  'DELETE /api/jobs/:job_id': {},
  'GET /api/measurements/states': { query: onOutput },
  'GET /api/measurements/switches': { query: onOutput },
  'GET /api/measurements/analytics/degree_days': { query: async (w) => ({ ...(await span(w)), base_c: '10' }) },
  'GET /api/measurements/analytics/light_sum': {
    query: async (w) => {
      const made = await w.make('/api/settings/inputs', {
        name: 'Climate',
        driver: 'simulated',
        options: { part: 'indoor', house: randomUUID() },
      });
      const light = (made['channels'] as { measurement: string; measurement_id: string }[]).find(
        ({ measurement }) => measurement === 'light',
      ); // of an input
      return { device_id: String(made['unique_id']), measurement_id: light?.measurement_id ?? '', from };
    },
  },
  'GET /api/measurements/analytics/vpd': {
    query: async (w) => {
      const made = await w.make('/api/settings/inputs', {
        name: 'Climate',
        driver: 'simulated',
        options: { part: 'indoor', house: randomUUID() },
      });
      const [first, second] = made['channels'] as { measurement_id: string }[]; // of an input
      const pair = (id = '') => `${String(made['unique_id'])}/${id}`;
      return {
        temperature: pair(first?.measurement_id),
        humidity: pair(second?.measurement_id),
        from,
        low_kpa: '0.4',
        high_kpa: '1.2',
      };
    },
  },
  'GET /api/measurements/analytics/time_in_state': { query: onOutput },
  'GET /api/measurements/analytics/energy': { query: async (w) => ({ ...(await onOutput(w)), rating_kw: '5' }) },
  'GET /api/measurements/last': { query: ofSeries, shows: { last: { value: 20 } } },
  'GET /api/measurements/past': {
    query: async (w) => ({ ...(await ofSeries(w)), past_s: '60' }),
    shows: { unit: 'C' },
  },
  'GET /api/measurements/historical': { query: span, shows: { unit: 'C' } },
  'GET /api/measurements/multi': { query: series },
  'GET /api/measurements/aggregated': { query: async (w) => ({ ...(await series(w)), bucket: 'hour' }) },
  'POST /api/measurements/create': {
    body: async (w) => ({ ...(await ofSeries(w)), value: 21.5, time: at(start - 5000) }),
    shows: { value: 21.5, unit: 'C' },
  },
  'GET /api/measurements/export.csv': { query: series },
  'GET /api/settings/measurements': {},
  'POST /api/settings/measurements': {
    body: async (w) => ({ unique_id: await w.thing('measurement_id'), raw_days: 30 }),
  },
  'GET /api/settings/measurements/:measurement_id': {},
  'PATCH /api/settings/measurements/:measurement_id': { params: async (w) => kept(w), shows: { raw_days: 60 } },
  'DELETE /api/settings/measurements/:measurement_id': { params: async (w) => kept(w) },
  'GET /api/settings/lcds': {},
  'POST /api/settings/lcds': { shows: { name: 'Door' } },
  'GET /api/settings/lcds/:lcd_id': {},
  'PATCH /api/settings/lcds/:lcd_id': { shows: { name: 'Back door' } },
  'DELETE /api/settings/lcds/:lcd_id': { shows: { deleted: true } },
  'GET /api/settings/methods': {},
  'POST /api/settings/methods': { shows: { kind: 'daily' } },
  'GET /api/settings/methods/:method_id': {},
  'PATCH /api/settings/methods/:method_id': { shows: { name: 'Tomato, night cooler' } },
  'DELETE /api/settings/methods/:method_id': { shows: { deleted: true } },
  'POST /api/settings/methods/preview': { shows: { unit: 'C' } },
  'GET /api/settings/methods/:method_id/preview': { shows: { unit: 'C' } },
  'GET /api/settings/triggers': {},
  'POST /api/settings/triggers': { shows: { kind: 'sunrise_sunset', missed: 'skip' } },
  'GET /api/settings/triggers/:trigger_id': {},
  'PATCH /api/settings/triggers/:trigger_id': { shows: { missed: 'run' } },
  'DELETE /api/settings/triggers/:trigger_id': { shows: { deleted: true } },
  'POST /api/settings/triggers/dry_run': { shows: { run_count: 3, is_known: true } },
  'GET /api/settings/conditionals': {},
  'POST /api/settings/conditionals': { shows: { name: 'Frost guard' } },
  'GET /api/settings/conditionals/:conditional_id': {},
  'PATCH /api/settings/conditionals/:conditional_id': { shows: { period_s: 30 } },
  'DELETE /api/settings/conditionals/:conditional_id': { shows: { deleted: true } },
  'POST /api/settings/conditionals/dry_run': { shows: { unknown: ['guard_is_well'] } },
  'POST /api/settings/conditionals/check': { shows: { errors: [] } },
  ...climateRows,
  'GET /api/settings/functions': {},
  'POST /api/settings/functions': { body: functionBody, shows: { kind: 'bang_bang', is_activated: true } },
  'GET /api/settings/functions/:function_id': {},
  'PATCH /api/settings/functions/:function_id': { shows: { name: 'Frost guard, bay 2' } },
  'DELETE /api/settings/functions/:function_id': { shows: { deleted: true } },
  'POST /api/settings/functions/dry_run': {
    body: async (w) => ({
      function: await functionBody(w),
      from: '2026-01-15T00:00:00Z',
      to: '2026-01-15T01:00:00Z',
    }),
    shows: { looks: 361, missing_count: 361, run_count: 0 },
  },
  'GET /api/functions': {},
  'GET /api/functions/kinds': {},
  'POST /api/functions/:function_id/command': { shows: { is_on: null } },
  'GET /api/lcds': {},
  'GET /api/lcds/:lcd_id': {},
  'POST /api/lcds/:lcd_id/backlight': {},
  'POST /api/lcds/:lcd_id/flash': {},
  'POST /api/lcds/:lcd_id/reset': {},
  'GET /api/notes': {},
  'POST /api/notes': { shows: { text: 'Pruned row 3', author: 'owner' } },
  'GET /api/notes/:note_id': {},
  'PATCH /api/notes/:note_id': { shows: { text: 'Pruned rows 3 and 4' } },
  'DELETE /api/notes/:note_id': { shows: { deleted: true } },
  'GET /api/settings/notification_targets': {},
  'POST /api/settings/notification_targets': { shows: { name: 'Broker' } },
  'GET /api/settings/notification_targets/:notification_target_id': {},
  'PATCH /api/settings/notification_targets/:notification_target_id': { shows: { name: 'Broker in the office' } },
  'DELETE /api/settings/notification_targets/:notification_target_id': { shows: { deleted: true } },
  'POST /api/settings/notification_targets/:notification_target_id/test': {},
  'GET /api/settings/outputs': {},
  'POST /api/settings/outputs': { shows: { name: 'Heater' } },
  'GET /api/settings/outputs/:output_id': {},
  'PATCH /api/settings/outputs/:output_id': { shows: { name: 'Heater, bay 2' } },
  'DELETE /api/settings/outputs/:output_id': { shows: { deleted: true } },
  'GET /api/outputs': {},
  'GET /api/outputs/:output_id': {},
  'POST /api/outputs/:output_id': { shows: { outcome: 'confirmed', requested: 'on' } },
  'DELETE /api/outputs/:output_id/override': { shows: { released: true } },
  'GET /api/geo/overlays/list': {},
  'GET /api/geo/overlays': { query: geoId },
  'GET /api/geo/overlays/changes': { query: async (w) => ({ ...(await geoId(w)), since: '0' }) },
  'POST /api/geo/overlays': { body: async (w) => ({ ...(await geoId(w)), features: shapes() }), shows: { added: 1 } },
  'POST /api/geo/overlays/delta': {
    body: async (w) => ({ ...(await geoId(w)), added: shapes() }),
    shows: { added: 1 },
  },
  'POST /api/settings/presets/simulated_greenhouse': {},
  'GET /api/settings/device_file': { shows: { format: 'orangery-devices', version: 1 } },
  'POST /api/settings/device_file': { shows: { is_dry_run: false, refused: [] } },
  'GET /api/backup_targets': {},
  'POST /api/backup_targets': { shows: { name: 'Office NAS', secret: { set: true } } },
  'GET /api/backup_targets/:backup_target_id': { shows: { last_result: null } },
  'PATCH /api/backup_targets/:backup_target_id': { shows: { name: 'NAS in the office' } },
  'DELETE /api/backup_targets/:backup_target_id': { shows: { deleted: true } },
  'POST /api/backup_targets/:backup_target_id/copy': {
    params: async (w) => {
      await w.thing('backup_id'); // there must be one to copy
      return { backup_target_id: await w.thing('backup_target_id') };
    },
  },
  'GET /api/backup_targets/:backup_target_id/backups': { refused: 'backup_failed' }, // no server has that name
  'POST /api/backup_targets/:backup_target_id/backups/:backup_id/fetch': {},
  'GET /api/site_file': { shows: { format: 'orangery-site', version: 1 } },
  'GET /api/site_file/schema': { shows: { type: 'object' } },
  'POST /api/site_file': { shows: { is_dry_run: false, refused: [] } },
  'GET /api/settings/roles': {},
  'POST /api/settings/roles': { body: async (w) => ({ name: w.fresh('Watch'), permissions: ['view_stats'] }) },
  'GET /api/settings/roles/:role_id': {},
  'PATCH /api/settings/roles/:role_id': { body: async (w) => ({ name: w.fresh('Guard') }) },
  'DELETE /api/settings/roles/:role_id': { shows: { deleted: true } },
  'GET /api/emergency_stop': {},
  'POST /api/emergency_stop': { shows: { active: true } },
  'DELETE /api/emergency_stop': { shows: { active: false } },
  'GET /api/geo/settings': { shows: { lat: 37.5665 } },
  'POST /api/geo/settings': { shows: { alarm_limits: { wind_m_s: 12 } } },
  'GET /api/auth/totp': { shows: { is_enabled: false } },
  'POST /api/auth/totp': { body: async () => ({ password: goodPassword }) },
  'POST /api/auth/totp/confirm': { refused: 'invalid_field' },
  'POST /api/auth/totp/recovery_codes': { body: async () => ({ password: goodPassword }), refused: 'conflict' },
  'POST /api/auth/totp/disable': { body: async () => ({ password: goodPassword }) },
  'GET /api/settings/units': {},
  'POST /api/settings/units': { body: async (w) => ({ measurement: 'temperature', unit: w.fresh('d'), factor: 3 }) },
  'GET /api/settings/units/:unit_id': {},
  'PATCH /api/settings/units/:unit_id': { body: async (w) => ({ unit: w.fresh('e') }) },
  'DELETE /api/settings/units/:unit_id': { shows: { deleted: true } },
  'GET /api/settings/users': {},
  'POST /api/settings/users': {
    body: async (w) => ({ username: w.fresh('lee'), password: goodPassword, role: 'Monitor' }),
  },
  'GET /api/settings/users/:user_id': { shows: { role: 'Guest' } },
  'PATCH /api/settings/users/:user_id': { body: async () => ({ role: 'Monitor' }), shows: { role: 'Monitor' } },
  'DELETE /api/settings/users/:user_id': { shows: { deleted: true } },
  'DELETE /api/settings/users/:user_id/totp': { refused: 'conflict' },
};

async function userKey(world: World): Promise<Record<string, string>> {
  const user_id = await world.thing('user_id');
  const { key_id } = await world.make(`/api/settings/users/${user_id}/api_keys`, { name: 'old' });
  return { user_id, key_id: String(key_id) };
}

async function kept(world: World): Promise<Record<string, string>> {
  const measurement_id = await world.thing('measurement_id');
  await world.make('/api/settings/measurements', { unique_id: measurement_id, raw_days: 30 });
  return { measurement_id };
}

/** A call of an endpoint with everything that it needs. */
export async function askedOf(world: World, endpoint: Endpoint, row: Row): Promise<Asked> {
  const params = { ...(await row.params?.(world)) };
  for (const [, name = ''] of endpoint.path.matchAll(/:(\w+)/g)) params[name] ??= await world.thing(name);
  const query = (await row.query?.(world, params)) ?? {};
  const example = endpoint.body && structuredClone(bodyExamples[`${endpoint.method} ${endpoint.path}`]);
  return { params, query, body: row.body ? await row.body(world, params) : example };
}
