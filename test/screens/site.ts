import type { ActuatorRole, SensorRole } from '../../server/contract/facility-binding.ts';
import { aimChannels } from '../../server/contract/climate-aims.ts';
import type { Climate } from '../../server/contract/climate-settings.ts';
import { bodyExamples } from '../../server/contract/examples.ts';
import { simulatedMeasurements, simulatedParts } from '../../server/contract/drivers/simulated.ts';
import type { Input } from '../../server/contract/input.ts';
import type { SimulatedGreenhouse } from '../../server/contract/preset.ts';
import type { Sample } from '../../server/measurement/store.ts';
import { marksOf, samplesOf, writeHistory } from '../support/history.ts';
import { freshDataDirectory, startService, type RunningService } from '../support/running-service.ts';
import { makeSimulatedSite, ServiceClient, type SimulatedSite } from '../support/service-client.ts';

const hourMs = 3_600_000;
/** Wind, its direction, sun and rain: none of them has a lane with what is measured indoors. */
const weatherChannels = [2, 3, 4, 5];
/** Sensors that fall silent at once, as behind a cable that was cut. */
const flood = 24;

/** What the simulated devices are to the house, in the order in which the preset makes them. */
const simulated = {
  sensors: [
    ['indoor_temp', 'indoor_humidity', 'indoor_co2', 'indoor_light'],
    ['outdoor_temp', 'outdoor_humidity', 'outdoor_wind', 'outdoor_wind_dir', 'outdoor_solar', 'rain'],
  ],
  actuators: [
    'heater',
    'exhaust_fan',
    'side_vent',
    'roof_vent',
    'co2_supply',
    'lighting',
    'shade_curtain',
    'fogger',
    'irrigation_valve',
  ],
} as const satisfies {
  sensors: readonly (readonly SensorRole[])[];
  actuators: readonly ActuatorRole[];
};

export interface PicturedSite {
  service: RunningService;
  /** A second one, which nobody has set up. */
  fresh: RunningService;
  client: ServiceClient;
  house: string;
  map: string;
  pid: string;
  user: string;
  dashboard: string;
  /** `device/measurement`, of the trends. */
  series: string[];
  /** Of these, a year is written. */
  yearSeries: string[];
}

/** A site as it is after a day of use: live values, a program, alarms, a check, people and what they wrote. */
export async function makePicturedSite(): Promise<PicturedSite> {
  const fresh = await startService();
  const dataDirectory = freshDataDirectory();
  const first = await startService({ dataDirectory });
  const before = await ServiceClient.setUp(first);
  await before.ask('POST', '/api/geo/settings', {
    site_name: 'Suwon farm',
    lat: 37.26,
    lng: 127.03,
    time_zone: 'Asia/Seoul',
  });
  const site = await makeSimulatedSite(before, 1, namesOf('House 1'));
  await bindHouse(before, site);
  const program = await makeProgram(before, site);
  before.close();
  await first.stop();
  await writeDay(dataDirectory, site, program);
  const service = await startService({ dataDirectory });
  const client = await ServiceClient.withNewKey(service);
  const pid = await makeControllers(client, site);
  const user = await makePeople(client);
  await makeTrouble(client, site);
  const [indoor, weather] = site.inputs;
  const series = keysOf(indoor, [0, 1, 2, 3]);
  const yearSeries = [...series, ...keysOf(weather, weatherChannels)];
  const dashboard = await makeDashboard(client, site);
  return {
    service,
    fresh,
    client,
    house: site.facility.unique_id,
    map: site.map_uuid,
    pid,
    user,
    dashboard,
    series,
    yearSeries,
  };
}

/**
 * Names that say that somebody wrote them: those of the service are English, and left so by a page they would look
 * alike.
 */
function namesOf(house: string): SimulatedGreenhouse {
  const measured = [...new Set(Object.values(simulatedMeasurements).flat())];
  return {
    part_names: Object.fromEntries(simulatedParts.map((part) => [part, `${house} ${part}`])),
    measurement_names: Object.fromEntries(measured.map((one) => [one, `${house} ${one}`])),
  };
}

const keysOf = (input: Input | undefined, channels: readonly number[]): string[] =>
  channels.map((at) => `${input?.unique_id}/${input?.channels[at]?.measurement_id}`);

/** One widget of each kind. */
async function makeDashboard(client: ServiceClient, { inputs, outputs, ...site }: SimulatedSite): Promise<string> {
  const [indoor] = inputs;
  const sources = (indoor?.channels ?? [])
    .slice(0, 2)
    .map(({ measurement_id }) => ({ device_id: indoor?.unique_id, measurement_id }));
  const widgets = [
    { kind: 'value', column: 0, row: 0, columns: 6, rows: 4, source: sources[0] },
    { kind: 'output', column: 6, row: 0, columns: 6, rows: 8, device_id: outputs[0]?.unique_id },
    { kind: 'alarms', column: 12, row: 0, columns: 12, rows: 5 },
    { kind: 'trend', column: 0, row: 8, columns: 16, rows: 8, sources, span_s: 86_400 },
    { kind: 'text', column: 16, row: 8, columns: 8, rows: 2, text: 'Water the cuttings at noon' },
    { kind: 'notes', column: 16, row: 10, columns: 8, rows: 6 },
    { kind: 'facility', column: 0, row: 16, columns: 8, rows: 10, facility_uuid: site.facility.unique_id },
    { kind: 'map', column: 8, row: 16, columns: 8, rows: 3, map_uuid: site.map_uuid },
  ].map((one, at) => ({ id: `${at}`, ...one }));
  const made = await client.ask('POST', '/api/settings/dashboards', { name: 'Today', widgets });
  return (made.body as { unique_id: string }).unique_id; // the new dashboard
}

async function writeDay(dataDirectory: string, { inputs, outputs }: SimulatedSite, program: Climate): Promise<void> {
  const toMs = Date.now();
  const day = { from_ms: toMs - 24 * hourMs, to_ms: toMs };
  const wave =
    (about: number, by: number, lag_h = 0) =>
    (atMs: number) =>
      about + by * Math.sin((2 * Math.PI * (atMs / hourMs - lag_h)) / 24) + (by / 12) * Math.sin(atMs / 400_000);
  const [indoor, weather] = inputs as [Input, Input]; // the preset makes both
  /** Warmer by day; nothing for some hours, in which the program was off. */
  const byDay = (by_night: number, by_day: number) => (atMs: number) => {
    const ago_h = (toMs - atMs) / hourMs;
    return ago_h > 12 && ago_h < 15 ? null : ago_h > 4 && ago_h < 18 ? by_day : by_night;
  };
  const aimed = [byDay(17, 19), byDay(21, 24), byDay(85, 80), byDay(0.3, 0.5), byDay(400, 800)];
  const aims = { unique_id: program.unique_id, name: program.name, channels: aimChannels(program) };
  const samples = [
    ...[wave(20, 5), wave(72, -14), wave(620, 180, 3), wave(220, 200)].flatMap((of, at) =>
      samplesOf(indoor, at, day, of),
    ),
    ...samplesOf(weather, 0, day, wave(7, 6)),
    ...aimed.flatMap((value, at) => samplesOf(aims, at, day, value)),
    ...yearBefore(day.from_ms, indoor, weather),
  ];
  const [heater, fan] = outputs;
  const marks = [
    ...marksOf(heater?.unique_id ?? '', 100, { from_ms: toMs - 20 * hourMs, to_ms: toMs - 16 * hourMs }),
    ...marksOf(heater?.unique_id ?? '', 0, { from_ms: toMs - 16 * hourMs, to_ms: toMs }),
    ...marksOf(fan?.unique_id ?? '', 40, { from_ms: toMs - 9 * hourMs, to_ms: toMs - 3 * hourMs }),
  ];
  await writeHistory(dataDirectory, samples, marks);
}

/** Eight channels with a day and a season, for a year until then. */
function yearBefore(to_ms: number, indoor: Input, weather: Input): Sample[] {
  const year = { from_ms: to_ms - 365 * 24 * hourMs, to_ms };
  /** About a mean, by so much through the year and so much through the day; less by night than zero is none. */
  const waves: [Input, number, number, number, number][] = [
    [indoor, 0, 21, 4, 5],
    [indoor, 1, 72, 6, 14],
    [indoor, 2, 640, 90, 180],
    [indoor, 3, 160, 90, 200],
    ...weatherChannels.map((at, nth): [Input, number, number, number, number] => [
      weather,
      at,
      ...([
        [4, 1, 3],
        [180, 60, 90],
        [200, 120, 260],
        [1, 1, 2],
      ][nth] as [number, number, number]), // one for each
    ]),
  ];
  const turn = (atMs: number, days: number): number => Math.sin((2 * Math.PI * (atMs - to_ms)) / (days * 24 * hourMs));
  return waves.flatMap(([input, channel, about, by_season, by_day]) =>
    samplesOf(
      input,
      channel,
      year,
      (atMs) => Math.max(0, about + by_season * turn(atMs, 365) + by_day * turn(atMs, 1) * (1 + 0.3 * turn(atMs, 9))),
      hourMs / 2,
    ),
  );
}

/** Every sensor and actuator of the preset, and a second house with nothing bound yet. */
async function bindHouse(client: ServiceClient, { facility, inputs, outputs, map_uuid }: SimulatedSite): Promise<void> {
  const sensors = simulated.sensors.flatMap((roles, at) =>
    roles.map((role, channel) => ({
      role,
      name: `No. ${channel + 1}`,
      device_id: inputs[at]?.unique_id,
      measurement_id: inputs[at]?.channels[channel]?.measurement_id,
    })),
  );
  const actuators = simulated.actuators.map((role, at) => ({
    role,
    name: `No. ${at + 1}`,
    device_id: outputs[at]?.unique_id,
  }));
  const known = sensors.filter(({ measurement_id }) => measurement_id !== undefined);
  await client.ask('POST', '/api/geo/facility', { unique_id: facility.unique_id, sensors: known, actuators });
  const ring = [
    [127.0003, 37.5],
    [127.0006, 37.5],
    [127.0006, 37.50045],
    [127.0003, 37.50045],
    [127.0003, 37.5],
  ];
  const added = [
    {
      type: 'Feature',
      geometry: { type: 'Polygon', coordinates: [ring] },
      properties: { type: 'facility', name: 'House 2' },
    },
  ];
  const saved = await client.ask('POST', '/api/geo/overlays/delta', { geo_id: map_uuid, added });
  const [shape_uuid] = (saved.body as { features: string[] }).features; // the save's result
  await client.ask('POST', '/api/geo/facility', {
    name: 'House 2',
    shape_uuid,
    preset: 'greenhouse',
    structure: 'connected',
    bay_count: 4,
    envelope: { material: 'glass_single', bay_width_m: 8, length_m: 50, eave_height_m: 4, ridge_height_m: 6 },
  });
}

async function makeProgram(client: ServiceClient, { facility }: SimulatedSite): Promise<Climate> {
  const climate = bodyExamples['POST /api/geo/facility/:facility_uuid/climate'] as object; // as it is written there
  const path = `/api/geo/facility/${facility.unique_id}/climate`;
  const made = await client.ask('POST', path, { name: 'Tomato', ...climate });
  return made.body as Climate; // the new program
}

async function makeControllers(client: ServiceClient, { inputs, outputs }: SimulatedSite): Promise<string> {
  const [heater] = outputs;
  const measurement = {
    device_id: inputs[0]?.unique_id,
    measurement_id: inputs[0]?.channels[0]?.measurement_id,
    max_age_s: 120,
  };
  const example = bodyExamples['POST /api/settings/pids'] as object; // as it is written there
  const spare = await Promise.all(['House 2 pump', 'House 2 fan'].map((name) => addOutput(client, name)));
  const raise = { output_id: spare[0], kind: 'duration', min: 5, min_off_s: 5 };
  const pid = await client.ask('POST', '/api/settings/pids', { ...example, measurement, raise, is_activated: true });
  await client.ask('POST', '/api/settings/methods', bodyExamples['POST /api/settings/methods']);
  await client.ask('POST', '/api/settings/triggers', {
    ...(bodyExamples['POST /api/settings/triggers'] as object), // as it is written there
    is_activated: true,
  });
  const rule = bodyExamples['POST /api/settings/conditionals'] as { conditions: object[] }; // as it is written there
  const guarded = rule.conditions.map((one) => ({ ...one, controller_id: heater?.unique_id }));
  await client.ask('POST', '/api/settings/conditionals', { ...rule, conditions: guarded });
  const lookout = bodyExamples['POST /api/settings/functions'] as { options: object }; // as it is written there
  const options = { ...lookout.options, measurement, output: { output_id: spare[1] } };
  await client.ask('POST', '/api/settings/functions', { ...lookout, options });
  return (pid.body as { unique_id: string }).unique_id;
}

async function addOutput(client: ServiceClient, name: string, options: object = {}): Promise<string> {
  const made = await client.ask('POST', '/api/settings/outputs', { name, driver: 'simulated', options });
  return (made.body as { unique_id: string }).unique_id; // the new output
}

async function makePeople(client: ServiceClient): Promise<string> {
  const people = [
    ['hana', 'Editor'],
    ['jun', 'Guest'],
  ] as const;
  const made = await Promise.all(
    people.map(([username, role]) =>
      client.ask('POST', '/api/settings/users', { username, role, password: 'tall-ladder-42' }),
    ),
  );
  await client.ask('POST', '/api/settings/roles', { name: 'Shift', permissions: ['view_stats'] });
  await client.ask('POST', '/api/notes', { text: 'Pruned the first row' });
  const target = bodyExamples['POST /api/settings/notification_targets'];
  await client.ask('POST', '/api/settings/notification_targets', target);
  await client.ask('POST', '/api/backups');
  const [first] = made.map(({ body }) => body as { unique_id: string }); // new users
  return first?.unique_id ?? '';
}

/** A valve that refuses, many silent probes, a heater that somebody switched on, and a check under way. */
async function makeTrouble(client: ServiceClient, { facility, outputs }: SimulatedSite): Promise<void> {
  const valve = await addOutput(client, 'Valve 3', { fault: { kind: 'refuses' } });
  for (let number = 7; number < 7 + flood; number += 1) {
    await client.ask('POST', '/api/settings/inputs', {
      name: `Probe ${number}`,
      driver: 'simulated',
      period_s: 1,
      options: { fault: { kind: 'silent' } },
    });
  }
  await client.ask('POST', `/api/outputs/${valve}`, { state: true }).catch(() => undefined); // it refuses
  await client.ask('POST', `/api/outputs/${outputs[0]?.unique_id}`, { state: true, reason: 'Dry the crop' });
  await client.ask('POST', `/api/geo/facility/${facility.unique_id}/commissioning/start`, {}).catch(noted);
}

function noted(error: unknown): void {
  console.error(`no check: ${error instanceof Error ? error.message : String(error)}`);
}
