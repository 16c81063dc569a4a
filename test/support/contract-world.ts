import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { Endpoint } from '../../server/contract/endpoint.ts';
import { bodyExamples } from '../../server/contract/examples.ts';
import { goodPassword, start } from './accounts.ts';
import { alarmBench, condition } from './alarm-bench.ts';
import type { TestAnswer } from './api.ts';
import { sampleCheck } from './commissioning-check.ts';
import { writeMbTiles } from './mbtiles.ts';
import { frameTime } from './providers.ts';
import { wholeKey, type WholeApi } from './whole-api.ts';

const corner = () => 127 + Math.random();

export interface Asked {
  /** Values of the path's parameters. */
  params: Record<string, string>;
  query: Record<string, string>;
  body: unknown;
}

/** Things to call, created through the API like any program does. */
export class World {
  readonly api: WholeApi;
  #made = 0;

  constructor(api: WholeApi) {
    this.api = api;
  }

  async ask(
    endpoint: Pick<Endpoint, 'method' | 'path'>,
    asked: Partial<Asked> = {},
    more: object = {},
  ): Promise<TestAnswer> {
    const { params = {}, query = {}, body } = asked;
    const path = endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
    const search = new URLSearchParams(query).toString();
    const text = search === '' ? path : `${path}?${search}`;
    return this.api.request(endpoint.method, text, { key: wholeKey, ...(body !== undefined && { body }), ...more });
  }

  /** Creates something and returns the members of the answer. */
  async make(path: string, body: object): Promise<Record<string, unknown>> {
    const answer = await this.api.request('POST', path, { key: wholeKey, body });
    if (answer.status !== 201 && answer.status !== 200) throw new Error(`${path}: ${answer.text}`);
    return answer.body as Record<string, unknown>; // what the call declares
  }

  /** The result of a job. */
  async ended<Result>(job_id: unknown): Promise<Result> {
    for (;;) {
      const { body } = await this.ask({ method: 'GET', path: `/api/jobs/${String(job_id)}` });
      const { status, result } = body as { status: string; result?: Result }; // a job
      if (result !== undefined) return result;
      if (status !== 'running') throw new Error(`the job ended as ${status}`);
    }
  }

  /** Waits until no job runs, because backups are processed one at a time. */
  async idle(): Promise<void> {
    for (;;) {
      const { body } = await this.ask({ method: 'GET', path: '/api/jobs' });
      if (!(body as { jobs: { status: string }[] }).jobs.some(({ status }) => status === 'running')) return; // the form in the contract
    }
  }

  fresh(word: string): string {
    return `${word}${(this.#made += 1)}`;
  }

  /** An input whose first series has readings, with the id of that series. */
  async input(): Promise<{ input_id: string; measurement_id: string }> {
    const options = { part: 'indoor', house: randomUUID() };
    const made = await this.make('/api/settings/inputs', { name: this.fresh('Sensor'), driver: 'simulated', options });
    const [first] = made['channels'] as { measurement_id: string; unit: string }[]; // of an input
    const { measured } = this.api;
    const id = measured
      .prepare('INSERT INTO series (device_id, measurement_id, channel, unit) VALUES (?, ?, 0, ?)')
      .run(made['unique_id'], first?.measurement_id, first?.unit).lastInsertRowid;
    for (const s of [30, 20, 10]) measured.prepare('INSERT INTO sample VALUES (?, ?, 20, 0)').run(id, start - s * 1000);
    return { input_id: String(made['unique_id']), measurement_id: first?.measurement_id ?? '' };
  }

  /** A map of pictures, unless the metadata says otherwise. */
  map(metadata: Record<string, string>): string {
    const name = this.fresh('map');
    writeMbTiles(join(dirname(this.api.accounts.db.name), `${name}.mbtiles`), { metadata });
    return name;
  }

  async shape(type: string): Promise<{ map_uuid: string; feature_id: string }> {
    const map_uuid = await this.thing('map_uuid');
    const [lng, lat] = [corner(), 37];
    const ring = [
      [lng, lat],
      [lng + 0.001, lat],
      [lng + 0.001, lat + 0.001],
      [lng, lat + 0.001],
      [lng, lat],
    ];
    const feature = { type: 'Feature', geometry: { type: 'Polygon', coordinates: [ring] }, properties: { type } };
    const saved = await this.make('/api/geo/overlays/delta', { geo_id: map_uuid, added: [feature] });
    return { map_uuid, feature_id: String((saved['features'] as string[])[0]) }; // of a save
  }

  /** A check of its own house, running unless it has another status. */
  async check(status: 'awaiting_verdict' | 'completed' = 'awaiting_verdict'): Promise<Record<string, string>> {
    const facility_uuid = await this.thing('facility_uuid');
    const check_id = randomUUID();
    this.api.daemon.checks.push(sampleCheck(facility_uuid, { check_id, status }));
    return { facility_uuid, check_id };
  }

  /** The id of a new thing of the kind that a parameter names. */
  async thing(parameter: string): Promise<string> {
    const make = makers[parameter];
    if (make === undefined) throw new Error(`nothing makes a ${parameter}`);
    return make(this);
  }
}

const posting =
  (path: string, body: (world: World) => object, id = 'unique_id') =>
  async (world: World): Promise<string> =>
    String((await world.make(path, body(world)))[id]);

/** The body that creates one of a kind of controller, from the examples. */
const stored = (plural: string): object => bodyExamples[`POST /api/settings/${plural}`] as object;

const makers: Record<string, (world: World) => Promise<string>> = {
  input_id: async (world) => (await world.input()).input_id,
  measurement_id: async (world) => (await world.input()).measurement_id,
  output_id: posting('/api/settings/outputs', (w) => ({ name: w.fresh('Output'), driver: 'simulated' })),
  controller_id: async (world) => world.thing('output_id'),
  pid_id: async (world) => String((await world.make('/api/settings/pids', await pidBody(world)))['unique_id']),
  lcd_id: posting('/api/settings/lcds', (w) => ({ name: w.fresh('Display'), driver: 'virtual' })),
  method_id: posting('/api/settings/methods', (w) => ({ ...stored('methods'), name: w.fresh('Method') })),
  trigger_id: posting('/api/settings/triggers', (w) => ({ ...stored('triggers'), name: w.fresh('Trigger') })),
  conditional_id: posting('/api/settings/conditionals', (w) => ({ ...stored('conditionals'), name: w.fresh('Rule') })),
  function_id: async (world) =>
    String((await world.make('/api/settings/functions', await functionBody(world)))['unique_id']),
  climate_id: async (world) => {
    const facility_uuid = await world.thing('facility_uuid');
    return String((await world.make('/api/settings/climates', { ...stored('climates'), facility_uuid }))['unique_id']);
  },
  user_id: posting('/api/settings/users', (w) => ({
    username: w.fresh('user'),
    password: goodPassword,
    role: 'Guest',
  })),
  role_id: posting('/api/settings/roles', (w) => ({ name: w.fresh('Role'), permissions: ['view_stats'] })),
  unit_id: posting('/api/settings/units', (w) => ({ measurement: 'temperature', unit: w.fresh('u'), factor: 2 })),
  note_id: posting('/api/notes', () => ({ text: 'Pruned' })),
  trend_view_id: posting('/api/settings/trend_views', (w) => ({ ...stored('trend_views'), name: w.fresh('View') })),
  dashboard_id: posting('/api/settings/dashboards', (w) => ({ name: w.fresh('Mine') })),
  notification_target_id: posting('/api/settings/notification_targets', (w) => ({
    name: w.fresh('Broker'),
    options: { kind: 'mqtt', url: 'mqtt://broker.example', topic: 'alarms' },
  })),
  map_uuid: posting('/api/geo/designs', (w) => ({ name: w.fresh('Farm'), lat: 37, lng: 127, zoom: 18 }), 'map_uuid'),
  facility_uuid: async (world) => {
    const { feature_id } = await world.shape('facility');
    const { envelope } = bodyExamples['POST /api/geo/facility'] as { envelope: object }; // the form of that example
    const output_id = await world.thing('output_id');
    const actuators = [{ role: 'roof_vent', device_id: output_id, name: 'Vent' }];
    const house = { name: world.fresh('House'), shape_uuid: feature_id, envelope, actuators };
    return String((await world.make('/api/geo/facility', house))['unique_id']);
  },
  alarm_id: async ({ api }) => {
    const { alarms } = alarmBench();
    alarms.raise(condition({ source_id: randomUUID() }));
    const [alarm] = alarms.list();
    if (alarm === undefined) throw new Error('no alarm was raised');
    api.daemon.alarms.push(alarm);
    return alarm.alarm_id;
  },
  job_id: async (world) => {
    const geo_id = await world.thing('map_uuid');
    return String((await world.make('/api/geo/overlays?async=true', { geo_id, features: [] }))['job_id']);
  },
  session_id: async (world) => {
    await world.make('/api/auth/login', { username: 'owner', password: goodPassword });
    const answer = await world.ask({ method: 'GET', path: '/api/auth/sessions' });
    return String((answer.body as { sessions: { session_id: string }[] }).sessions[0]?.session_id); // the declared form
  },
  revision: async () => '1',
  time: async () => String(frameTime),
  z: async () => '2',
  x: async () => '1',
  y: async () => '3',
  layer: async (world) => {
    await world.make('/api/geo/settings', { providers: { openweather: { enabled: true, key: 'k3y' } } });
    return 'clouds_new';
  },
  base_map_id: async (world) => world.map({}),
  cadastre_id: async (world) => {
    const sent = bodyExamples['POST /api/geo/cadastres'];
    const { job_id } = await world.make(`/api/geo/cadastres?name=${world.fresh('Village')}`, sent as object); // a body
    return (await world.ended<{ unique_id: string }>(job_id)).unique_id;
  },
  backup_id: async (world) => {
    await world.idle();
    const { body: list } = await world.ask({ method: 'GET', path: '/api/backups' });
    const [there] = (list as { backups: { backup_id: string }[] }).backups; // the form in the contract
    if (there !== undefined) return there.backup_id; // making one takes seconds
    for (;;) {
      const { status, body } = await world.ask({ method: 'POST', path: '/api/backups' });
      const { job_id } = body as { job_id: unknown }; // a job, unless an earlier one is still running
      if (status === 201) return (await world.ended<{ backup_id: string }>(job_id)).backup_id;
    }
  },
  backup_target_id: async (world) => {
    const { body } = await world.ask({ method: 'GET', path: '/api/backup_targets' });
    const [there] = (body as { backup_targets: { unique_id: string }[] }).backup_targets; // the form in the contract
    if (there !== undefined) return there.unique_id; // there are five at most
    const made = await world.make('/api/backup_targets', bodyExamples['POST /api/backup_targets'] as object); // a body
    return String(made['unique_id']);
  },
  wms_layer_id: async (world) => {
    const unique_id = randomUUID();
    const plain = { version: '1.3.0', layers: 'soil', format: 'image/png', crs: 'EPSG:3857' };
    const layer = { unique_id, name: 'Soil', url: `${world.api.provider.origin}/wms`, ...plain };
    await world.make('/api/geo/settings', { wms_layers: [layer] });
    return unique_id;
  },
};

/** The example, with ids of existing things. */
export async function pidBody(world: World): Promise<object> {
  const { input_id: device_id, measurement_id } = await world.input();
  const raise = { output_id: await world.thing('output_id'), kind: 'duration' };
  const example = bodyExamples['POST /api/settings/pids'] as object; // the form of that example
  return { ...example, measurement: { device_id, measurement_id, max_age_s: 60 }, raise };
}

export async function functionBody(world: World): Promise<object> {
  const { input_id: device_id, measurement_id } = await world.input();
  const measurement = { device_id, measurement_id, max_age_s: 60 };
  const output = { output_id: await world.thing('output_id') };
  const options = { period_s: 10, measurement, output, direction: 'raise', setpoint: 4, hysteresis: 0.5 };
  return { ...stored('functions'), options };
}
