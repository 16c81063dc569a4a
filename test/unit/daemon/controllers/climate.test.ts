import { expect, it, onTestFinished } from 'vitest';
import { climateKind } from '../../../../server/contract/climate.ts';
import { climateLive } from '../../../../server/contract/climate-live.ts';
import { climateSettings, type Climate } from '../../../../server/contract/climate-settings.ts';
import type { ActuatorRole, SensorRole } from '../../../../server/contract/facility-binding.ts';
import type { Output, OutputChannel } from '../../../../server/contract/output.ts';
import type { ClimateState } from '../../../../server/domain/climate-program/state.ts';
import { Climates } from '../../../../server/daemon/controllers/climate/kind.ts';
import { LiveValues } from '../../../../server/daemon/events/live-values.ts';
import { type PlanFacility, emptyPlan } from '../../../../server/daemon/safety/plan.ts';
import { simulatedOutput } from '../../../support/daemon-site.ts';
import { measuredOf, rememberedSamples } from '../../../support/measured.ts';
import { noWatchdog, outputsSite } from '../../../support/outputs-site.ts';

const id = (n: number) => `00000000-0000-4000-8000-0000000000e${n}`;
const [own, house, station, heater, vent, co2] = [id(1), id(2), id(3), id(4), id(5), id(6)];
const units: Partial<Record<SensorRole, string>> = {
  indoor_temp: 'C',
  outdoor_temp: 'C',
  outdoor_wind: 'm/s',
  outdoor_solar: 'W/m2',
  indoor_co2: 'ppm',
};
const roles = Object.keys(units) as SensorRole[]; // of the table above
const seriesOf = (role: SensorRole) => `00000000-0000-4000-8000-0000000001e${roles.indexOf(role)}`;

const facility: PlanFacility = {
  unique_id: house,
  name: 'House',
  sensors: roles.map((role) => ({
    role,
    name: role,
    device_id: station,
    measurement_id: seriesOf(role),
    weight: 1,
    stale_after_s: 90,
  })),
  actuators: (
    [
      ['heater', heater],
      ['roof_vent', vent],
      ['co2_supply', co2],
    ] as [ActuatorRole, string][]
  ).map(([role, output_id]) => ({ role, output_id, channel: 0 })),
};

function program(changes: object = {}): Climate {
  const asked = {
    unique_id: own,
    name: 'Tomato',
    is_activated: true,
    facility_uuid: house,
    periods: [
      {
        name: 'All day',
        start: { event: 'clock', at: '00:00' },
        setpoints: { heating_c: 18, ventilation_c: 22, co2_ppm: 800 },
      },
    ],
    ...changes,
  };
  return climateSettings.parse(climateKind.stored?.settled?.(asked));
}

const mild = { indoor_temp: 20, outdoor_temp: 10, outdoor_wind: 3, outdoor_solar: 400, indoor_co2: 500 };
const dimmer = (unique_id: string): Output => simulatedOutput(unique_id, 'heater', { kind: 'dimmer' });

/** A program over outputs that are really driven, and readings in the test's hands. */
async function greenhouse(ofVent: Partial<OutputChannel> = {}) {
  const site = outputsSite({ plan: { facilities: [facility] } });
  const { clock, events, outputs, store, alarms } = site;
  const live = new LiveValues(clock, events);
  onTestFinished(() => live.stop());
  const place = { lat: 52, lng: 5, time_zone: 'UTC' };
  const planned = { facilities: [facility] };
  const configuration = {
    facility: () => undefined,
    place: () => place,
    safetyPlan: () => ({ ...emptyPlan, ...planned }),
  };
  alarms.start([]);
  onTestFinished(() => alarms.stop());
  const raised = () =>
    alarms.list().flatMap(({ is_raised, code, name, role }) => (is_raised ? [`${code} ${name} ${role}`] : []));
  const stored = rememberedSamples();
  const { writer } = stored;
  const begin = () =>
    new Climates({ clock, events, live, outputs, store, writer, watchdog: noWatchdog, alarms, configuration });
  const climates = begin();
  onTestFinished(() => void climates.stop());
  await site.start([
    dimmer(heater),
    simulatedOutput(vent, 'heater', { kind: 'dimmer', ...ofVent }),
    simulatedOutput(co2, 'heater'),
  ]);
  const read = (readings: Partial<Record<SensorRole, number | undefined>>): void => {
    for (const role of roles) {
      const value = readings[role];
      if (value === undefined) continue;
      const series = { device_id: station, measurement_id: seriesOf(role), channel: 0, unit: units[role] ?? '' };
      live.record({ ...series, value, quality: 'good', time_ms: clock.now() });
    }
  };
  /** So many looks at these readings. */
  const at = async (changes: Partial<Record<SensorRole, number | undefined>>, looks = 1) => {
    for (let n = 0; n < looks; n += 1) {
      read({ ...mild, ...changes });
      await clock.advance(30_000);
    }
    return { heater: site.stateOf(heater), vent: site.stateOf(vent), co2: site.stateOf(co2) };
  };
  return { ...site, live, planned, begin, climates, stored, read, at, told: () => climates.get(own)?.live(), raised };
}

it('heats, ventilates and gives CO2 by its setpoints, and each command says why', async () => {
  const { climates, at, read, outputs, told } = await greenhouse();
  read(mild);
  await climates.activate(program());
  expect(await at({ indoor_temp: 9 }, 2)).toMatchObject({ heater: 100, vent: 'off', co2: 'on' });
  const warm = await at({ indoor_temp: 25, outdoor_temp: 20 }, 2);
  expect(warm.heater).toBe('off');
  expect(warm.vent).toBeGreaterThan(50);
  expect(warm.co2).toBe('off');
  const { cause, source, actor } = outputs.channel(vent).state();
  expect({ cause, source, actor }).toMatchObject({
    source: 'automatic',
    actor: 'Tomato',
    cause: {
      kind: 'climate',
      unique_id: own,
      name: 'Tomato',
      because: expect.stringMatching(/^Vents [\d.]+\s%: 3\sK above 22\s°C, band/) as string,
    },
  });
  const live = climateLive.parse(told());
  expect(live).toMatchObject({ period: 'All day', facility_uuid: house, fallbacks: [] });
  expect(live.loops.map(({ loop }) => loop)).toEqual(['ventilation', 'heating', 'co2']);
  expect(live.actuators.map(({ role }) => role)).toEqual(['roof_vent', 'heater', 'co2_supply']);
});

it('shuts the vents in a storm and says why, and when the station falls silent', async () => {
  const { climates, at, read, clock, outputs, stateOf, raised } = await greenhouse();
  read(mild);
  await climates.activate(program());
  expect((await at({ indoor_temp: 26, outdoor_temp: 20 }, 2)).vent).toBeGreaterThan(50);
  expect((await at({ indoor_temp: 26, outdoor_temp: 20, outdoor_wind: 18 })).vent).toBe('off');
  expect(outputs.channel(vent).state().cause?.because).toBe('Vents closed: wind 18\u202fm/s, storm above 15\u202fm/s');
  expect((await at({ indoor_temp: 26, outdoor_temp: 20 }, 12)).vent).toBeGreaterThan(50);
  for (let n = 0; n < 5; n += 1) {
    read({ indoor_temp: 26, outdoor_temp: 20 });
    await clock.advance(30_000);
  }
  expect(stateOf(vent)).toBe('off');
  expect(outputs.channel(vent).state().cause?.because).toBe('Vents closed: wind unknown, treated as a storm');
  // It goes on: that the station is silent is an alarm of its own.
  expect(climates.statuses()).toMatchObject([{ state: 'running', reason: null }]);
  await at({ indoor_temp: 26, outdoor_temp: 20, outdoor_wind: undefined }, 3);
  expect(raised()).toEqual(['climate_fallback station_lost outdoor_wind']);
  await at({ indoor_temp: 26, outdoor_temp: 20 }, 3);
  expect(raised()).toEqual([]);
});

it('shuts a vent in unknown wind though its safe state is open', async () => {
  const { climates, at, stateOf } = await greenhouse({ safe_state: 40 });
  await climates.activate(program());
  expect((await at({ indoor_temp: 26, outdoor_temp: 20 }, 2)).vent).toBeGreaterThan(50);
  await at({ indoor_temp: 26, outdoor_temp: 20, outdoor_wind: undefined }, 6);
  expect(stateOf(vent)).toBe('off');
  // Nor does a gateway that takes the thermometer along open it.
  await at({ indoor_temp: undefined, outdoor_temp: 20, outdoor_wind: undefined }, 8);
  expect(stateOf(vent)).toBe('off');
});

it('gives no CO2 under vents that another drives', async () => {
  const { climates, at, outputs } = await greenhouse();
  await outputs.command({ output_id: vent, state: true, duty_cycle_pct: 60, source: 'manual' });
  await climates.activate(program({ ventilation: { is_on: false } }));
  expect((await at({ indoor_temp: 20 }, 3)).co2).toBe('off');
  await outputs.command({ output_id: vent, state: false, source: 'manual' });
  expect((await at({ indoor_temp: 20 }, 3)).co2).toBe('on');
});

it('tells a wind vane that hours of wind do not turn, until it turns again', async () => {
  const vane: SensorRole = 'outdoor_wind_dir';
  const { climates, at, begin, planned, live, clock, store, raised } = await greenhouse();
  const measurement_id = '00000000-0000-4000-8000-0000000001fe';
  const sensor = { role: vane, name: vane, device_id: station, measurement_id, weight: 1, stale_after_s: 90 };
  planned.facilities = [{ ...facility, sensors: [...facility.sensors, sensor] }];
  const from = (value: number): void =>
    live.record({
      device_id: station,
      measurement_id,
      channel: 0,
      unit: 'deg',
      value,
      quality: 'good',
      time_ms: clock.now(),
    });
  const looks = async (deg: number, count: number) => {
    for (let look = 0; look < count; look += 1) {
      from(deg);
      await at({});
    }
  };
  from(90);
  await climates.activate(program());
  await looks(90, 4);
  expect(raised()).toEqual([]);
  await climates.stop();
  // As if it had run for six hours of this wind.
  const { controllers } = await store.load();
  const kept = JSON.parse(controllers.find((one) => one.controller_id === own)?.state ?? '') as ClimateState; // of its own
  const state: ClimateState = { ...kept, vane: { deg: 90, still_s: 6 * 3600 - 30 } };
  await store.saveController({ controller_id: own, state: JSON.stringify(state) });
  const next = begin();
  onTestFinished(() => void next.stop());
  await next.activate(program());
  await looks(90, 4);
  expect(raised()).toEqual(['climate_fallback vane_stuck outdoor_wind_dir']);
  await looks(93, 4);
  expect(raised()).toEqual([]);
});

it('has the heater safe without a thermometer, and tells it', async () => {
  const { climates, at, read, clock, stateOf, raised } = await greenhouse();
  read(mild);
  await climates.activate(program());
  expect((await at({ indoor_temp: 9 }, 2)).heater).toBe(100);
  const { indoor_temp: _, ...rest } = mild;
  for (let n = 0; n < 5; n += 1) {
    read(rest);
    await clock.advance(30_000);
  }
  expect(stateOf(heater)).toBe('off');
  await at({ indoor_temp: undefined }, 3);
  expect(raised()).toEqual(['climate_fallback no_thermometer indoor_temp']);
  await climates.deactivate(own);
  await clock.advance(90_000);
  expect(raised()).toEqual([]);
});

it('waits for its first readings before it moves anything', async () => {
  const { climates, clock, at, stateOf, told } = await greenhouse();
  await climates.activate(program());
  await clock.advance(30_000);
  expect([stateOf(heater), told()?.at, climates.statuses()[0]?.state]).toEqual(['off', null, 'running']);
  expect((await at({ indoor_temp: 9 })).heater).toBe(100);
});

it.each([
  ['of a meter that speaks once an hour, while a thermometer is lost', 'drain_flow', 10_800, 4],
  ['of a lost thermometer itself, for longer than three minutes', 'outdoor_temp', 10_800, 7],
] as const)('waits for no reading %s', async (_, role, stale_after_s, looks) => {
  const { climates, at, planned } = await greenhouse();
  const others = facility.sensors.filter((one) => one.role !== role);
  const slow = { role, name: role, device_id: station, measurement_id: seriesOf(role), weight: 1, stale_after_s };
  planned.facilities = [{ ...facility, sensors: [...others, slow] }];
  await climates.activate(program());
  const cold = await at({ indoor_temp: 9, outdoor_temp: undefined }, looks);
  expect(cold.heater).not.toBe('off');
});

it('waits for no reading of an influence whose sensor is not bound, for as long as another may take', async () => {
  const { climates, at, planned } = await greenhouse();
  planned.facilities = [{ ...facility, sensors: facility.sensors.filter(({ role }) => role !== 'outdoor_solar') }];
  const shape = { on: 'heating_c', from_x: 0, to_x: 40, from_y: 0, to_y: 1 } as const;
  const measurement = { device_id: station, measurement_id: seriesOf('indoor_temp'), max_age_s: 600 };
  const influences = [
    { ...shape, source: 'radiation' },
    { ...shape, source: 'measurement', measurement },
  ] as const;
  await climates.activate(program({ influences: [...influences] }));
  expect((await at({ indoor_temp: 9 })).heater).not.toBe('off');
});

it('leaves a person the vent for as long as the hand holds, and says so', async () => {
  const { climates, at, read, outputs, stateOf, told } = await greenhouse();
  read(mild);
  await climates.activate(program());
  await at({ indoor_temp: 20 });
  await outputs.command({ output_id: vent, state: true, duty_cycle_pct: 40 });
  expect((await at({ indoor_temp: 20 }, 3)).vent).toBe(40);
  const ofVent = told()?.actuators.find(({ role }) => role === 'roof_vent');
  expect(ofVent).toMatchObject({ held_by_hand: true, held_by: 'manual' });
  const limitsOf = (name: string) => told()?.loops.find(({ loop }) => loop === name)?.limits;
  expect([limitsOf('ventilation'), limitsOf('heating')]).toEqual([['hand'], []]);
  // CO2 goes by where the vent stands, not by what was asked of it.
  expect(stateOf(co2)).toBe('off');
  expect((await at({ indoor_temp: 20 }, 61)).vent).toBe('off');
});

it('says of what a commissioning check drives that it does', async () => {
  const { climates, at, read, outputs, told } = await greenhouse();
  read(mild);
  await climates.activate(program());
  await at({ indoor_temp: 20 });
  const asked = { source: 'commissioning', actor: 'check', hold: 'released', reason: 'commissioning' } as const;
  await outputs.channel(vent, 0).command({ ...asked, value: 40, duration_s: 600 });
  expect((await at({ indoor_temp: 20 }, 3)).vent).toBe(40);
  expect(told()?.actuators.map(({ role, held_by }) => [role, held_by])).toContainEqual(['roof_vent', 'commissioning']);
  expect(told()?.loops.find(({ loop }) => loop === 'ventilation')?.limits).toEqual(['commissioning']);
});

it('drives nothing that another controller drives, and names it', async () => {
  const { climates, at, read, outputs, stateOf } = await greenhouse();
  outputs.drive(id(9), heater, 0);
  read(mild);
  await climates.activate(program());
  expect((await at({ indoor_temp: 26, outdoor_temp: 20 }, 2)).vent).toBeGreaterThan(0);
  await at({ indoor_temp: 10 });
  expect(stateOf(heater)).toBe('off');
  expect(climates.statuses()).toMatchObject([
    { state: 'failed', reason: `output_driven: heater is driven by ${id(9)}` },
  ]);
});

it('goes on after a sudden end with what it had added up, at any moment', async () => {
  const { climates, at, read, begin, told } = await greenhouse();
  read(mild);
  await climates.activate(program());
  let sums = 0;
  let running = climates;
  for (let n = 0; n < 20; n += 1) {
    await at({ indoor_temp: 17 });
    const radiation = running.get(own)?.live().sums?.radiation_j_cm2 ?? 0;
    expect(radiation).toBeGreaterThanOrEqual(sums);
    sums = radiation;
    if (n % 5 !== 4) continue;
    await running.stop(); // what it keeps was kept at its last look
    running = begin();
    const next = running;
    onTestFinished(() => void next.stop());
    await next.activate(program());
  }
  // 19 steps of 30 s at 400 W/m2, and none for the moments of the restarts beyond a look each.
  expect(sums).toBeGreaterThan(19);
  expect(sums).toBeLessThanOrEqual(25);
  expect(told()).toBeDefined();
});

it('takes changed settings at once, lets go what it no longer drives, and all when it ends', async () => {
  const { climates, at, read, stateOf, outputs } = await greenhouse();
  read(mild);
  await climates.activate(program());
  await at({ indoor_temp: 15 }, 2);
  expect([stateOf(heater), stateOf(co2)]).toEqual([41, 'on']);
  await climates.reconfigure(program({ co2: { is_on: false } }));
  expect([stateOf(heater), stateOf(co2)]).toEqual([41, 'off']);
  expect(outputs.drive(id(9), co2, 0)).toBeUndefined();
  await climates.deactivate(own);
  expect(stateOf(heater)).toBe('off');
});

it('drives nothing of a house that is gone', async () => {
  const { climates, at, read, planned, stateOf } = await greenhouse();
  read(mild);
  await climates.activate(program());
  await at({ indoor_temp: 15 }, 2);
  planned.facilities = [];
  await climates.reconfigure(program()); // as the service says at once
  expect([stateOf(heater), climates.get(own)?.live().at]).toEqual(['off', null]);
  expect(climates.statuses()).toMatchObject([{ state: 'running', reason: null }]);
  planned.facilities = [facility];
  await climates.reconfigure(program());
  await at({ indoor_temp: 15 });
  expect(stateOf(heater)).toBe(41);
});

it('goes by a substitute only while no sensor of its own speaks, and tells it', async () => {
  const { climates, at, read, live, clock, planned, stateOf, raised, told, replan } = await greenhouse();
  const instead = '00000000-0000-4000-8000-0000000001ff';
  const [thermometer] = facility.sensors;
  if (thermometer === undefined) throw new Error('the house has a thermometer');
  const substitute = { ...thermometer, name: 'spare', measurement_id: instead, is_substitute: true };
  planned.facilities = [{ ...facility, sensors: [...facility.sensors, substitute] }];
  const spare = (value: number): void =>
    live.record({
      device_id: station,
      measurement_id: instead,
      channel: 0,
      unit: 'C',
      value,
      quality: 'good',
      time_ms: clock.now(),
    });
  replan(planned); // the gate, too, knows by it how warm it is
  spare(5);
  read(mild);
  await climates.activate(program());
  await at({ indoor_temp: 21 }, 2);
  expect([stateOf(heater), raised()]).toEqual(['off', []]);
  for (let n = 0; n < 8; n += 1) {
    spare(5);
    await at({ indoor_temp: undefined });
  }
  expect(told()?.loops.find(({ loop }) => loop === 'heating')).toMatchObject({ measured: 5, demand_pct: 100 });
  expect([stateOf(heater), raised()]).toEqual([100, ['climate_fallback substitute indoor_temp']]);
  await at({ indoor_temp: 25 }, 3);
  expect([stateOf(heater), raised()]).toEqual(['off', []]);
});

it('stores what it aims at once a minute, and nothing while it is stopped', async () => {
  const { climates, at, read, stored, clock, live, events } = await greenhouse();
  const aims = () => [0, 1, 2, 3, 4].map((channel) => stored.of(own, channel));
  read(mild);
  await climates.activate(program());
  const { cursor } = events;
  await at({}, 6);
  expect(aims()).toEqual([[18, 18, 18, 18], [22, 22, 22, 22], [null], [null], [800, 800, 800, 800]]);
  const [device] = measuredOf(() => ({ climate: [program()] })).list();
  const named = device?.channels.map(({ measurement_id, unit }) => [measurement_id, unit]);
  const first = stored.samples.slice(0, 5).map(({ measurement_id, unit }) => [measurement_id, unit]);
  expect(first).toEqual(named);
  expect(live.last(own, named?.[0]?.[0] ?? '')).toMatchObject({ value: 18, unit: 'C' });
  const { events: told } = await events.since(cursor, 0, new AbortController().signal);
  expect(told.some((one) => one.kind === 'measurement' && one.device_id === own)).toBe(false);
  await climates.deactivate(own);
  await clock.advance(600_000);
  expect(aims()[0]).toHaveLength(4);
  expect(live.last(own, named?.[0]?.[0] ?? '')).toBeUndefined();
});
