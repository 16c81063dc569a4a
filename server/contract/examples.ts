import { drivers, searchingDrivers } from './drivers/index.ts';

const id = '6f1c2a54-3b0e-4f0a-9c57-1d2e3f405162';
const other = '0b9d7c1e-52f4-4a86-8f3b-7a6c5d4e3f21';
const reason = { reason: 'Seen on the spot' };
const envelope = { material: 'vinyl_double', bay_width_m: 8, length_m: 50, eave_height_m: 2.5, ridge_height_m: 4 };
const corners = [
  [126.978, 37.566],
  [126.9786, 37.566],
  [126.9786, 37.5661],
  [126.978, 37.5661],
  [126.978, 37.566],
];
const shape = {
  type: 'Feature',
  geometry: { type: 'Polygon', coordinates: [corners] },
  properties: { type: 'facility', name: 'East house', unique_id: id },
};
const place = { column: 0, row: 0, columns: 6, rows: 2 };
const password = 'tall-ladder-42';
const area = { layer: 'ours', bbox: [127, 37, 127.01, 37.01], min_zoom: 10, max_zoom: 14 };

const climate = {
  periods: [
    {
      name: 'Day',
      start: { event: 'sunrise', offset_min: -30 },
      ramp: { k_per_h: 1.5 },
      setpoints: { heating_c: 19, ventilation_c: 23, humidity_pct: 85 },
    },
    {
      name: 'Night',
      start: { event: 'sunset' },
      ramp: { k_per_h: 1 },
      setpoints: { heating_c: 16, ventilation_c: 19, humidity_pct: 88 },
    },
  ],
  is_activated: true,
};
const rule = {
  conditions: [{ unique_id: id, name: 'guard_is_well', kind: 'controller', controller_id: other }],
  statement: 'if (!otherwise(guard_is_well, false)) { run(warn); } else { run(warn, false); }',
  actions: [
    { unique_id: other, name: 'warn', kind: 'alarm', severity: 'warning', text: 'No frost guard', raise: true },
  ],
};

const searches = Object.fromEntries(
  searchingDrivers.map((name) => [`POST /api/drivers/${name}/probe`, drivers[name].search.example]),
);

/** A tap with one valve. */
const smallNetwork = [
  '[JUNCTIONS]',
  'Valve 0 1.5',
  '[RESERVOIRS]',
  'Tap 30',
  '[PIPES]',
  'P1 Tap Valve 100 40.8 150',
  '[COORDINATES]',
  'Tap 127 37.5',
  'Valve 127.001 37.5',
  '[OPTIONS]',
  'Units CMH',
  'Headloss H-W',
  '[END]',
  '',
].join('\n');

/** A body for every call that takes one, by method and path: the description shows them, and the tests send them. */
export const bodyExamples: Readonly<Record<string, unknown>> = {
  'POST /api/auth/setup': { setup_token: 'the token that the console printed', username: 'kim', password },
  'POST /api/auth/login': { username: 'kim', password },
  'POST /api/auth/totp': { password },
  'POST /api/auth/totp/confirm': { code: '123456' },
  'POST /api/auth/totp/recovery_codes': { password },
  'POST /api/auth/totp/disable': { password },
  'POST /api/alarms/acknowledge': { alarm_ids: [id], ...reason },
  'POST /api/alarms/:alarm_id/acknowledge': reason,
  'POST /api/alarms/:alarm_id/shelve': { duration_s: 3600, ...reason },
  'POST /api/alarms/:alarm_id/unshelve': reason,
  'POST /api/alarms/:alarm_id/remove_from_service': reason,
  'POST /api/alarms/:alarm_id/return_to_service': reason,
  'POST /api/controllers/:controller_id': { activate: true },
  'POST /api/controllers/:controller_id/actions': {},
  ...searches,
  'POST /api/emergency_stop': { reason: 'Someone is in the fan' },
  'DELETE /api/emergency_stop': { reason: 'All clear' },
  'POST /api/geo/designs': { name: 'Farm', lat: 37.5665, lng: 126.978, zoom: 18, layers: { base: 'natural-earth' } },
  'POST /api/geo/overlays': { geo_id: other, features: [shape] },
  'POST /api/geo/overlays/delta': { geo_id: other, added: [shape], revision: 3, save_id: id },
  'POST /api/geo/wms_capabilities': { url: 'https://maps.example.org/wms' },
  'POST /api/geo/parcel/from_address': { address: '12 Orchard Lane' },
  'POST /api/geo/parcel/from_csv': { file: 'address,name\n12 Orchard Lane,North field\n' },
  'PATCH /api/backups/plan': { keep_days: 14, folder: null },
  'POST /api/backups/:backup_id/check': { passphrase: 'where the oranges grow' },
  'POST /api/backups/:backup_id/restore': { password: 'a password of one', history: false },
  'POST /api/geo/parcel/at': { lat: 37.0001, lng: 127.0005 },
  'POST /api/geo/parcel/merge': { geometries: [shape.geometry, shape.geometry] },
  'POST /api/geo/base_map_downloads': { ...area, name: 'North farm' },
  'POST /api/geo/base_map_downloads/estimate': area,
  'POST /api/backups/undo': { password: 'a password of one' },
  'POST /api/backups/upload': { file: 'age-encryption.org/v1 and what follows' },
  'POST /api/backups/upload/take': {
    upload_id: '6f1c2b8e-3f0a-4c57-9d53-0d3a0a4c1f77',
    file_name: 'orangery-20261123t030000z-hand-0c5e91f2.tar.gz',
  },
  'POST /api/geo/base_maps': { file: 'PMTiles and what follows' },
  'POST /api/geo/cadastres': {
    file: JSON.stringify({
      type: 'FeatureCollection',
      features: [{ type: 'Feature', properties: { address: 'Mill Road 7' }, geometry: shape.geometry }],
    }),
  },
  'POST /api/geo/shape_files': {
    file: JSON.stringify({
      type: 'FeatureCollection',
      features: [{ type: 'Feature', properties: { name: 'Pond' }, geometry: shape.geometry }],
    }),
  },
  'POST /api/geo/parcel/save_as_site': { geo_id: other, geometry: shape.geometry, name: 'North field' },
  'POST /api/geo/read-pipes': { inp: smallNetwork, at: { lat: 37.5, lng: 127 } },
  'POST /api/geo/generate-pipes': {
    geo_id: other,
    device_ids: [id, other],
    options: { orthogonal: true, clearance_m: 0.5 },
  },
  'POST /api/geo/facility': { name: 'East house', shape_uuid: id, envelope },
  'POST /api/geo/facility/compute': { envelope, bay_count: 3 },
  'POST /api/geo/facility/study': { envelope, bay_count: 3, design_conditions: { heating_day_c: 20, fuel_price: 0.8 } },
  'POST /api/geo/weather_files/:name': { file: 'temp_c,humidity_pct,global_radiation_w_m2\n-2.1,84,0\n-2.3,85,0\n' },
  'POST /api/geo/facility/:facility_uuid/simulation': { crop: 'full', parts: ['heater', 'roof_vent', 'co2', 'valve'] },
  'PATCH /api/geo/facility/:facility_uuid/simulation': { crop: 'none', speed: 60 },
  'POST /api/geo/facility/:facility_uuid/apply': {
    actions: [{ role: 'roof_vent', state: true, amount: 30, unit: 'pct' }],
  },
  'POST /api/geo/facility/:facility_uuid/commissioning/start': { include: [id] },
  'POST /api/geo/facility/:facility_uuid/commissioning/:check_id/verdict': { device_id: id, verdict: 'approved' },
  'POST /api/geo/facility/:facility_uuid/commissioning/:check_id/reopen': { reason: 'The heater was replaced' },
  'POST /api/geo/facility/:facility_uuid/commissioning/:check_id/accuracy': {
    device_id: id,
    measurement_id: other,
    point: 1,
    reference: 21.3,
    instrument: 'PT100, certificate 4711',
  },
  'POST /api/geo/settings': { alarm_limits: { wind_m_s: 12 }, language: 'en' },
  'POST /api/settings/pids': {
    name: 'Heating',
    measurement: { device_id: id, measurement_id: other, max_age_s: 120 },
    setpoint: 20,
    period_s: 60,
    kp: 12,
    ki: 0.02,
    direction: 'raise',
    raise: { output_id: other, kind: 'duration', min: 5, min_off_s: 5 },
  },
  'PATCH /api/settings/pids/:pid_id': { setpoint: 21.5 },
  'POST /api/settings/pids/dry_run': {
    pid: {
      name: 'Heating',
      measurement: { device_id: id, measurement_id: other, max_age_s: 120 },
      setpoint: 20,
      kp: 12,
      raise: { output_id: other, kind: 'duration' },
    },
  },
  'POST /api/pids/:pid_id/rehearse': {
    gains: [{ kp: 5, ki: 0.002, kd: 0 }],
    from: 18,
    to: 20,
    hours: 2,
    lag_s: 180,
    outdoor: { temp_c: 5, radiation_w_m2: 0, wind_m_s: 2 },
  },
  'POST /api/pids/:pid_id/autotune': { hysteresis: 0.2, least: 15, most: 30, max_s: 14_400 },
  'PATCH /api/pids/:pid_id/live': { setpoint: 21.5, integrator: 0 },
  'POST /api/lcds/:lcd_id/backlight': { state: true },
  'POST /api/lcds/:lcd_id/flash': { state: true },
  'POST /api/measurements/create': { device_id: id, measurement_id: other, value: 21.5, time: '2026-03-01T06:00:00Z' },
  'POST /api/notes': { text: 'Pruned row 3', category: 'work' },
  'PATCH /api/notes/:note_id': { text: 'Pruned rows 3 and 4' },
  'POST /api/outputs/:output_id': { state: true, duration_s: 600, reason: 'Too dry' },
  'POST /api/settings/dashboards': {
    name: 'Morning',
    widgets: [{ kind: 'text', id: 'a', ...place, text: 'Look at bay 2' }],
  },
  'PATCH /api/settings/dashboards/:dashboard_id': { name: 'Evening' },
  'POST /api/settings/trend_views': {
    name: 'Air of the day',
    shown: {
      series: [],
      hidden: [],
      outputs: [],
      span_s: 86_400,
      ends_at: null,
      compare: { with: 'earlier', back: 'day' },
      has_forecast: false,
      degree_base_c: 10,
    },
  },
  'PATCH /api/settings/trend_views/:trend_view_id': { is_shared: true },
  'POST /api/settings/inputs': { name: 'Thermometer', driver: 'simulated', period_s: 15 },
  'PATCH /api/settings/inputs/:input_id': { name: 'Thermometer, bay 2', period_s: 30 },
  'POST /api/settings/lcds': { name: 'Door', driver: 'virtual' },
  'PATCH /api/settings/lcds/:lcd_id': { name: 'Back door' },
  'POST /api/settings/methods': {
    name: 'Tomato, air',
    unit: 'C',
    kind: 'daily',
    shape: 'linear',
    points: [
      { at: '06:00', value: 18 },
      { at: '13:00', value: 23 },
      { at: '21:00', value: 16.5 },
    ],
  },
  'POST /api/settings/methods/preview': {
    method: {
      name: 'Tomato, by the sun',
      unit: 'C',
      kind: 'sun',
      points: [
        { event: 'sunrise', value: 18, ramp: { minutes: 60 } },
        { event: 'sunset', value: 16, ramp: { per_h: 2 } },
      ],
    },
  },
  'PATCH /api/settings/methods/:method_id': { name: 'Tomato, night cooler' },
  'POST /api/settings/triggers': {
    name: 'Lamps in the morning',
    kind: 'sunrise_sunset',
    event: 'sunrise',
    offset_min: -30,
    actions: [{ unique_id: other, name: 'lamps', kind: 'alarm', severity: 'info', text: 'Lamps on', raise: true }],
  },
  'PATCH /api/settings/triggers/:trigger_id': { missed: 'run' },
  'POST /api/settings/triggers/dry_run': {
    trigger: { name: 'Lamps in the morning', kind: 'time_point', at: '06:00' },
    from: '2026-01-15T00:00:00Z',
    to: '2026-01-18T00:00:00Z',
  },
  'POST /api/settings/conditionals': { name: 'Frost guard', period_s: 60, ...rule },
  'PATCH /api/settings/conditionals/:conditional_id': { period_s: 30 },
  'POST /api/settings/conditionals/check': rule,
  'POST /api/settings/conditionals/dry_run': {
    ...rule,
    period_s: 60,
    from: '2026-01-15T00:00:00Z',
    to: '2026-01-15T01:00:00Z',
  },
  'POST /api/settings/climates': { facility_uuid: other, ...climate },
  'PATCH /api/settings/climates/:climate_id': { heating: { gain_pct_per_k: 20 } },
  'POST /api/geo/facility/:facility_uuid/climate': climate,
  'POST /api/geo/facility/:facility_uuid/climate/preview': climate,
  'POST /api/geo/facility/:facility_uuid/climate/undo': { id: 1204 },
  'POST /api/geo/facility/:facility_uuid/climate/rehearse': { from: '2026-01-10', days: 2 },
  'POST /api/settings/functions': {
    name: 'Frost guard',
    kind: 'bang_bang',
    options: {
      period_s: 10,
      measurement: { device_id: id, measurement_id: other, max_age_s: 120 },
      output: { output_id: other },
      direction: 'raise',
      setpoint: 4,
      hysteresis: 0.5,
    },
  },
  'POST /api/settings/functions/dry_run': {
    function: {
      name: 'Air',
      kind: 'statistics',
      options: {
        period_s: 60,
        window_s: 3_600,
        measurement: { device_id: id, measurement_id: other, max_age_s: 120 },
      },
    },
    from: '2026-01-15T00:00:00Z',
    to: '2026-01-15T01:00:00Z',
  },
  'POST /api/functions/:function_id/command': { command: 'look' },
  'PATCH /api/settings/functions/:function_id': { name: 'Frost guard, bay 2' },
  'POST /api/settings/measurements': { unique_id: other, raw_days: 30 },
  'PATCH /api/settings/measurements/:measurement_id': { raw_days: 60 },
  'POST /api/settings/notification_targets': {
    name: 'Broker',
    options: { kind: 'mqtt', url: 'mqtt://broker.example', topic: 'alarms' },
  },
  'PATCH /api/settings/notification_targets/:notification_target_id': { name: 'Broker in the office' },
  'POST /api/settings/outputs': { name: 'Heater', driver: 'simulated' },
  'PATCH /api/settings/outputs/:output_id': { name: 'Heater, bay 2' },
  'POST /api/settings/device_file': {
    format: 'orangery-devices',
    version: 1,
    made_at: '2026-11-23T03:00:00.000Z',
    program_version: '0.1.0',
    entries: [
      {
        kind: 'output',
        settings: { unique_id: '0c5e91f2-5f1c-4b52-9f39-0d4d3ad7a111', name: 'Heater', driver: 'simulated' },
      },
    ],
  },
  'POST /api/backup_targets': {
    name: 'Office NAS',
    options: { kind: 'webdav', url: 'https://nas.example/backups', network: 'public', username: 'orangery' },
    secret: 'let-me-in',
  },
  'PATCH /api/backup_targets/:backup_target_id': { name: 'NAS in the office' },
  'POST /api/backup_targets/:backup_target_id/backups/:backup_id/fetch': {},
  'POST /api/site_file': {
    format: 'orangery-site',
    version: 1,
    devices: [
      {
        kind: 'output',
        settings: { unique_id: '0c5e91f2-5f1c-4b52-9f39-0d4d3ad7a112', name: 'Vent', driver: 'simulated' },
      },
    ],
  },
  'POST /api/settings/presets/simulated_greenhouse': { name: 'Trial', speed: 60 },
  'POST /api/settings/roles': { name: 'Night watch', permissions: ['view_stats'] },
  'PATCH /api/settings/roles/:role_id': { name: 'Guard' },
  'POST /api/settings/units': { measurement: 'temperature', unit: 'R', factor: 0.5555556, offset: -273.15 },
  'PATCH /api/settings/units/:unit_id': { unit: 'degR' },
  'POST /api/settings/users': { username: 'lee', password, role: 'Monitor' },
  'PATCH /api/settings/users/:user_id': { role: 'Guest' },
  'POST /api/settings/users/:user_id/api_keys': { name: 'tablet', scope: 'readonly' },
};
