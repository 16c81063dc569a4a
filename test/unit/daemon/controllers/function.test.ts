import { expect, it, onTestFinished } from 'vitest';
import type { OutputChannel } from '../../../../server/contract/output.ts';
import type { Input } from '../../../../server/contract/input.ts';
import type { ControllerStores } from '../../../../server/db/repositories/controller-stores.ts';
import { controlJudges } from '../../../../server/services/device/control-judges.ts';
import {
  functionKind,
  functionSettings,
  type FunctionOptions,
  type FunctionSettings,
} from '../../../../server/contract/function.ts';
import { Functions } from '../../../../server/daemon/controllers/function/kind.ts';
import { LiveValues } from '../../../../server/daemon/events/live-values.ts';
import { circleOf } from '../../../../server/domain/control/measured-devices.ts';
import { ownMeasurementId } from '../../../../server/contract/measured.ts';
import { controllerLists } from '../../../support/controller-lists.ts';
import { functionHandlers } from '../../../../server/daemon/remote/functions.ts';
import { methodTable } from '../../../../server/daemon/remote/handlers.ts';
import type { RemoteCall } from '../../../../server/remote/method.ts';
import { measuredOf, rememberedSamples } from '../../../support/measured.ts';
import {
  heaterId,
  indoorId,
  plainChannel,
  simulatedOutput,
  temperatureId,
  ventId,
} from '../../../support/daemon-site.ts';
import { noWatchdog, outputsSite } from '../../../support/outputs-site.ts';

const id = (n: number) => `00000000-0000-4000-8000-0000000000f${n}`;
const own = id(1);
const humidityId = id(2);
const indoor = {
  ...{ unique_id: indoorId, name: 'Indoors', driver: 'simulated', options: {}, period_s: 10, start_offset_s: 0 },
  ...{ pre_output: null, power_output: null, is_activated: true },
  channels: [
    plainChannel,
    { ...plainChannel, channel: 1, measurement_id: humidityId, measurement: 'humidity', unit: '%' },
  ],
} satisfies Input;

const series = (measurement_id: string) => ({ device_id: indoorId, measurement_id, max_age_s: 60 });

const heating = (changes: object = {}): FunctionSettings =>
  functionSettings.parse({
    ...{ unique_id: own, name: 'Frost', is_activated: true, kind: 'bang_bang' },
    options: {
      ...{ period_s: 10, measurement: series(temperatureId), output: { output_id: heaterId } },
      ...{ direction: 'raise', setpoint: 10, hysteresis: 1, ...changes },
    },
  });

/** Functions over outputs that are really driven, and readings in the test's hands. */
async function house(heater: Partial<OutputChannel> = {}) {
  const site = outputsSite();
  const { clock, events, outputs, store } = site;
  const live = new LiveValues(clock, events);
  onTestFinished(() => live.stop());
  const stored = rememberedSamples();
  const configured: FunctionSettings[] = [];
  const measured = measuredOf(() => ({ input: [indoor], function: configured }));
  /** Functions that go on with what is kept. */
  const begin = () =>
    new Functions({
      ...{ clock, events, live, outputs, store, watchdog: noWatchdog, writer: stored.writer, measured },
      configuration: { place: () => ({ lat: 51.9, lng: 4.4, time_zone: 'UTC' }) },
    });
  const functions = begin();
  onTestFinished(() => void functions.stop());
  await site.start([simulatedOutput(ventId, 'heater'), simulatedOutput(heaterId, 'heater', heater)]);
  const read = (
    value: number,
    {
      measurement_id = temperatureId,
      unit = 'C',
      quality = 'good',
    }: { measurement_id?: string; unit?: string; quality?: 'good' | 'bad' } = {},
  ) => live.record({ device_id: indoorId, measurement_id, channel: 0, value, unit, quality, time_ms: clock.now() });
  /** A period at a temperature. */
  const at = async (value: number) => {
    read(value);
    await clock.advance(10_000);
    return site.stateOf(heaterId);
  };
  return { ...site, live, stored, configured, begin, functions, read, at, state: () => functions.get(own)?.live() };
}

it('switches its output beyond either level, keeps it between them, and says why', async () => {
  const { functions, at, outputs, state } = await house();
  await functions.activate(heating());
  const states: unknown[] = [];
  for (const value of [10, 9.5, 8.9, 10, 10.9, 11.1, 9.1]) states.push(await at(value));
  expect(states).toEqual(['off', 'off', 'on', 'on', 'on', 'off', 'off']);
  const because = 'raise: 9.1 C by 10 ± 1 C: off';
  expect(outputs.channel(heaterId).state()).toMatchObject({
    ...{ source: 'automatic', actor: 'function Frost' },
    cause: { kind: 'function', unique_id: own, name: 'Frost', because },
  });
  expect(state()).toMatchObject({ value: 9.1, unit: 'C', is_on: false, because });
});

it('has the output safe on a reading that is bad or too old, says so once, and goes on with the next', async () => {
  const { functions, at, read, clock, stateOf, events } = await house();
  const { cursor } = events;
  await functions.activate(heating());
  expect(await at(5)).toBe('on');
  read(5, { quality: 'bad' });
  await clock.advance(10_000);
  expect(stateOf(heaterId)).toBe('off');
  const missing = { state: 'failed', reason: 'a measurement is missing, bad, too old or of another unit' };
  expect(functions.statuses()).toMatchObject([missing]);
  expect(await at(5)).toBe('on');
  await clock.advance(200_000);
  expect(stateOf(heaterId)).toBe('off');
  const { events: told } = await events.since(cursor, 0, new AbortController().signal);
  expect(told.filter((one) => one.kind === 'controller' && one.state === 'failed')).toHaveLength(2);
});

it.each([-1, -8_760, 1, 8_760])(
  'switches on when the clock is set by %d hours, and goes by no old reading',
  async (hours) => {
    const { functions, at, clock, stateOf } = await house();
    await functions.activate(heating());
    expect(await at(5)).toBe('on');
    clock.setTimeOfDay(clock.now() + hours * 3_600_000);
    expect([await at(12), await at(5)]).toEqual(['off', 'on']);
    await clock.advance(200_000);
    expect(stateOf(heaterId)).toBe('off');
  },
);

it('fails alone where its output is missing, and by a reading of another unit stores nothing', async () => {
  const { functions, at, read, clock, configured, stored } = await house();
  await functions.activate(heating());
  await functions.activate({ ...heating({ output: { output_id: id(7) } }), unique_id: id(8) });
  const sums = functionSettings.parse({
    ...{ unique_id: id(6), name: 'Both', is_activated: true, kind: 'sum' },
    options: { period_s: 10, measurements: [series(temperatureId), series(humidityId)] },
  });
  configured.push(sums);
  await functions.activate(sums);
  read(50, { measurement_id: humidityId, unit: '%' });
  expect(await at(5)).toBe('on');
  expect(functions.get(id(8))?.status()).toMatchObject({
    state: 'failed',
    reason: expect.stringContaining(id(7)) as string,
  });
  await clock.advance(60_000);
  expect(functions.get(id(6))?.status().reason).toContain('another unit');
  expect(stored.of(id(6), 0).filter((one) => one !== null)).toEqual([]);
});

it('leaves the output safe when it drives another one or ends, and fails where another drives it', async () => {
  const { functions, at, stateOf, outputs, clock } = await house();
  await functions.activate(heating());
  expect(await at(5)).toBe('on');
  await functions.reconfigure(heating({ output: { output_id: ventId } }));
  expect(stateOf(heaterId)).toBe('off');
  await at(5);
  expect(stateOf(ventId)).toBe('on');
  expect(outputs.drive(id(9), heaterId, 0)).toBeUndefined();
  await functions.reconfigure(heating());
  expect([await at(5), stateOf(ventId)]).toEqual(['off', 'off']);
  expect(functions.statuses()[0]?.reason).toContain(`driven by ${id(9)}`);
  await outputs.letGo(id(9));
  expect(await at(5)).toBe('on');
  expect(await functions.deactivate(own)).toBe(true);
  await clock.advance(0);
  expect(stateOf(heaterId)).toBe('off');
});

it('tells programs what it works out, and nothing while a measurement is missing', async () => {
  const { functions, read, clock } = await house();
  const air = { temperature: series(temperatureId), humidity: series(humidityId) };
  await functions.activate(
    functionSettings.parse({
      ...{ unique_id: own, name: 'Air', is_activated: true, kind: 'vpd', options: { period_s: 10, ...air } },
    }),
  );
  const none = (): never => {
    throw new Error('nobody asks');
  };
  const parts = { activation: { require: () => undefined, refresh: none }, functions };
  const methods = methodTable(functionHandlers(parts as unknown as Parameters<typeof functionHandlers>[0]));
  const ask = async (function_id = own) => methods['function_status']?.handler({ function_id }, {} as RemoteCall);
  read(25);
  await clock.advance(10_000);
  expect(await ask()).toMatchObject({ value: null, is_on: null });
  read(60, { measurement_id: humidityId, unit: '%' });
  await clock.advance(10_000);
  expect(await ask()).toMatchObject({ unit: 'kPa' });
  expect(functions.get(own)?.live().value).toBeCloseTo(1.2677, 3);
  expect(functions.live()).toMatchObject([{ controller_id: own, controller_type: 'Function', live: { unit: 'kPa' } }]);
  await expect(ask(id(8))).rejects.toMatchObject({ code: 'not_active' });
});

/** A function of the temperature and of itself as another one reads it. */
const valueOf = (function_id: string) => ({
  device_id: function_id,
  measurement_id: ownMeasurementId(function_id, 0),
  max_age_s: 60,
});

it('stores what it works out, once for each reading, and ends the line where one is missing', async () => {
  const { functions, configured, read, clock, stored, live } = await house();
  const options = { period_s: 10, measurements: [series(temperatureId), series(humidityId)] };
  const first = functionSettings.parse({
    ...{ unique_id: own, name: 'First good', is_activated: true, kind: 'redundancy', options },
  });
  const second = functionSettings.parse({
    ...{ unique_id: id(8), name: 'Above it', is_activated: true, kind: 'difference' },
    options: { period_s: 10, measurement: series(temperatureId), minus: valueOf(own) },
  });
  configured.push(first, second);
  await functions.activate(first);
  await functions.activate(second);
  for (const value of [20, 21]) {
    read(value);
    await clock.advance(10_000);
  }
  await clock.advance(100_000);
  expect(stored.of(own, 0)).toEqual([20, 21, null]);
  expect(stored.samples[0]).toMatchObject({ device_id: own, unit: 'C', quality: 'good' });
  expect(live.last(own, ownMeasurementId(own, 0))?.value).toBeNull();
  expect(stored.of(id(8), 0)).toEqual([0, 0, null]);
  expect(stored.samples.find(({ device_id }) => device_id === id(8))?.unit).toBe('K');
  await functions.deactivate(own);
  expect(live.last(own, ownMeasurementId(own, 0))).toBeUndefined();
});

it('sees a circle through any number of functions, and none where there is none', () => {
  const reads = (unique_id: string, name: string, from: string): FunctionSettings =>
    functionSettings.parse({
      ...{ unique_id, name, is_activated: true, kind: 'difference' },
      options: { period_s: 10, measurement: series(temperatureId), minus: valueOf(from) },
    });
  const chain = [reads(id(1), 'A', id(2)), reads(id(2), 'B', id(3)), reads(id(3), 'C', indoorId)] as const;
  const { get } = controllerLists(() => ({ input: [indoor], function: chain }));
  expect(circleOf('function', chain[0], { get })).toBeNull();
  expect(circleOf('function', reads(id(3), 'C', id(1)), { get })).toEqual(['A', 'B', 'C']);
  expect(circleOf('function', reads(id(9), 'D', id(9)), { get })).toEqual(['D']);
  const measured = measuredOf(() => ({ input: [indoor], function: chain }));
  expect(measured.get(id(1))).toMatchObject({ period_s: 10, channels: [{ measurement: 'temperature_difference' }] });
});

const channelOf = (n: number, measurement: 'temperature' | 'humidity' | 'wind_direction') => ({
  measurement_id: id(n),
  measurement,
});
const channels = [
  ...[channelOf(3, 'temperature'), channelOf(4, 'temperature'), channelOf(5, 'humidity')],
  ...[channelOf(6, 'wind_direction'), channelOf(7, 'wind_direction')],
];
const all = (...numbers: number[]) => ({ measurements: numbers.map((n) => series(id(n))) });

it.each<[string, FunctionSettings['kind'], object, string | undefined]>([
  ['of one quantity', 'average', all(3, 4), undefined],
  ['of directions', 'average', all(6, 7), undefined],
  ['of two quantities', 'average', all(3, 5), 'options.measurements[1]'],
  ['twice of one series', 'redundancy', all(3, 4, 3), 'options.measurements[2]'],
  ['of more than there are', 'average', { ...all(3, 4), at_least: 3 }, 'options.at_least'],
  ['a sum of directions', 'sum', all(6, 7), 'options.measurements[0]'],
  [
    'a difference of two quantities',
    'difference',
    { measurement: series(id(3)), minus: series(id(5)) },
    'options.minus',
  ],
  ['of air', 'vpd', { temperature: series(id(3)), humidity: series(id(5)) }, undefined],
  ['of air the wrong way round', 'vpd', { temperature: series(id(5)), humidity: series(id(3)) }, 'options.temperature'],
])('settings %s: the field that is wrong', (_what, kind, options, path) => {
  const settings = functionSettings.parse({
    ...{ unique_id: own, name: 'A', is_activated: true, kind, options: { period_s: 10, ...options } },
  });
  const nothing = { get: () => undefined };
  const input = { get: () => ({ channels }) as Input };
  const kinds = { input, pid: nothing, function: nothing } as unknown as ControllerStores; // nothing else is asked
  const place = () => ({ lat: 0, lng: 0, time_zone: 'UTC' });
  const { function: judge } = controlJudges({ kinds, place, now: () => 0 });
  const [fault = judge?.(settings)] = functionKind.stored?.faults(settings) ?? [];
  expect(fault?.path).toBe(path);
});

const dosing = functionSettings.parse({
  ...{ unique_id: own, name: 'Acid', is_activated: true, kind: 'dosing' },
  options: {
    ...{ period_s: 10, measurement: series(humidityId), target: 5.8, tolerance: 0.1, daily_ml: 25 },
    ...{ lower_output: { output_id: heaterId }, lower_ml: 10, mixing_s: 60, lock_s: 600 },
    ...{ least_reaction: 0.05, doses_to_react: 3 },
  },
});

it('has its doses on disk before it gives them, and gives no more after a restart', async () => {
  const { functions, configured, read, clock, outputs, store, begin } = await house({ flow_ml_s: 10 });
  configured.push(dosing);
  const given = async (): Promise<number> => {
    const { controllers } = await store.load();
    const kept = controllers.find(({ controller_id }) => controller_id === own)?.state;
    const state: unknown = JSON.parse(kept ?? '{}');
    return (state as { doses?: unknown[] }).doses?.length ?? 0; // as the law keeps it
  };
  const dose = async (ph: number): Promise<void> => {
    for (let n = 0; n < 5; n += 1) {
      read(ph, { measurement_id: humidityId, unit: 'pH' });
      await clock.advance(10_000);
    }
  };
  await functions.activate(dosing);
  await dose(6.8);
  expect(await given()).toBe(1);
  expect(outputs.channel(heaterId).state()).toMatchObject({ actor: 'function Acid' });
  await dose(6.6);
  expect(await given()).toBe(2);
  await functions.stop();
  const again = begin();
  await again.activate(dosing);
  await dose(6.4);
  expect(await given()).toBe(2);
  expect(again.get(own)?.live().because).toBe('6.4 to 5.8 pH: the most of 24 h is given');
  await again.deactivate(own);
  await again.activate(dosing);
  await dose(6.4);
  expect(await given()).toBe(2);
  await again.stop();
});

it('never gives acid and base into one tank together, whichever functions give them, on or off, over a restart', async () => {
  const { functions, configured, read, clock, begin } = await house({ flow_ml_s: 10 });
  const acid = functionSettings.parse({ ...dosing, options: { ...dosing.options, daily_ml: 1000 } });
  const { lower_output: _o, lower_ml: _m, ...rest } = acid.options as FunctionOptions<'dosing'>;
  const base = functionSettings.parse({
    ...{ ...dosing, unique_id: id(8), name: 'Base' },
    options: { ...rest, lock_s: 60, raise_output: { output_id: ventId }, raise_ml: 10 },
  });
  configured.push(acid, base);
  const look = async (ph: number): Promise<void> => {
    read(ph, { measurement_id: humidityId, unit: 'pH' });
    await clock.advance(10_000);
  };
  await functions.activate(acid);
  await functions.activate(base);
  for (let n = 0; n < 3; n += 1) await look(6.8);
  const raised = (of: typeof functions) => of.get(id(8))?.live().values[0]?.value;
  const live = functions.get(id(8))?.live();
  expect(live?.because).toBe('6.8 to 5.8 pH: a dose is mixed in');
  expect(live?.progress).toMatchObject({ what: 'mixing', done_pct: expect.any(Number) as number });
  await functions.deactivate(own); // what it gave is in the water all the same
  for (let n = 0; n < 12; n += 1) await look(5);
  expect(functions.get(id(8))?.live()).toMatchObject({
    because: '5 to 5.8 pH: locked after a dose of the other pump',
    progress: { what: 'locked' },
  });
  await functions.stop();
  const again = begin();
  await again.activate(base);
  for (let n = 0; n < 30; n += 1) await look(5);
  expect(raised(again)).toBe(0);
  for (let n = 0; n < 20; n += 1) await look(5);
  expect(raised(again)).toBe(10);
  await again.stop();
});

it('tells how full the window of a statistic is', async () => {
  const { functions, configured, read, clock } = await house();
  const settings = functionSettings.parse({
    ...{ unique_id: own, name: 'Spread', is_activated: true, kind: 'statistics' },
    options: { period_s: 10, measurement: series(temperatureId), window_s: 200 },
  });
  configured.push(settings);
  await functions.activate(settings);
  const progress: unknown[] = [];
  for (let n = 0; n < 25; n += 1) {
    read(20);
    await clock.advance(10_000);
    progress.push(functions.get(own)?.live().progress?.done_pct ?? null);
  }
  expect(progress[0]).toBeLessThan(10);
  expect(progress[10]).toBeGreaterThan(45);
  expect(progress.at(-1)).toBeNull();
});

it.each([
  ['evapotranspiration', { wind: series(id(5)) }, 0.2],
  ['crop_transpiration', { leaf_area_index: 3 }, 0.2],
] as const)('adds up the %s of the day in mm, and none while a reading is missing', async (kind, more, least) => {
  const { functions, configured, read, clock, stored } = await house();
  const air = { temperature: series(temperatureId), humidity: series(humidityId), radiation: series(id(4)) };
  const settings = functionSettings.parse({
    ...{ unique_id: own, name: 'Water', is_activated: true, kind, options: { period_s: 60, ...air, ...more } },
  });
  configured.push(settings);
  await functions.activate(settings);
  const hour = async (humidity: number): Promise<void> => {
    for (let n = 0; n < 60; n += 1) {
      read(25);
      read(humidity, { measurement_id: humidityId, unit: '%' });
      read(500, { measurement_id: id(4), unit: 'W/m2' });
      read(2, { measurement_id: id(5), unit: 'm/s' });
      await clock.advance(60_000);
    }
  };
  await hour(60);
  const [now, today] = functions.get(own)?.live().values ?? [];
  expect(now?.unit).toBe('mm/h');
  expect(now?.value).toBeGreaterThan(least);
  expect(Math.abs((today?.value ?? 0) / (now?.value ?? 1) - 1)).toBeLessThan(0.05);
  await hour(120); // no air is so damp
  expect(functions.get(own)?.live().values[1]?.value).toBeLessThan((today?.value ?? 0) * 1.1);
  expect(functions.statuses()[0]?.state).toBe('failed');
  expect(stored.of(own, 0).at(-1)).toBeNull();
});

it('stops dosing where nothing reacts, until somebody resets it; the cap of the day stays', async () => {
  const { functions, configured, read, clock } = await house({ flow_ml_s: 10 });
  const patient = functionSettings.parse({
    ...dosing,
    options: { ...dosing.options, daily_ml: 40, doses_to_react: 2 },
  });
  configured.push(patient);
  await functions.activate(patient);
  const wait = async (): Promise<void> => {
    for (let n = 0; n < 30; n += 1) {
      read(6.8, { measurement_id: humidityId, unit: 'pH' });
      await clock.advance(10_000);
    }
  };
  await wait();
  expect(functions.statuses()[0]?.reason).toContain('does not react');
  const [lowered] = functions.get(own)?.live().values.slice(1) ?? [];
  expect(lowered).toEqual({ name: 'Lowered in 24 h', unit: 'ml', value: 20 });
  await functions.get(own)?.command('reset');
  expect(functions.statuses()[0]?.reason).toBeNull();
  await wait();
  expect(functions.get(own)?.live().values[1]?.value).toBe(40);
});

it('adds up the light of the day, goes on after a restart, and begins anew when it is told', async () => {
  const { functions, configured, read, clock, stored, begin } = await house();
  const light = functionSettings.parse({
    ...{ unique_id: own, name: 'Light', is_activated: true, kind: 'light_integral' },
    options: { period_s: 60, light: series(humidityId) },
  });
  configured.push(light);
  const hour = async (value: number): Promise<void> => {
    for (let n = 0; n < 60; n += 1) {
      read(value, { measurement_id: humidityId, unit: 'W/m2' });
      await clock.advance(60_000);
    }
  };
  await functions.activate(light);
  await hour(100);
  // 100 W/m2 for an hour: 36 J/cm2, and 45 % of it at 4.57 umol/J: 0.74 mol/m2.
  expect(stored.of(own, 1).at(-1)).toBeCloseTo(36, 0);
  expect(stored.of(own, 0).at(-1)).toBeCloseTo(0.74, 1);
  await functions.stop();
  const again = begin();
  await again.activate(light);
  await hour(100);
  expect(stored.of(own, 1).at(-1)).toBeGreaterThan(70);
  await again.get(own)?.command('reset');
  expect(again.get(own)?.live().values[1]?.value).toBe(0);
  await again.stop();
});

it('goes on with the window that it had before a restart, and begins anew with another series', async () => {
  const { functions, configured, begin, read, clock, stored } = await house();
  const settings = functionSettings.parse({
    ...{ unique_id: own, name: 'Spread', is_activated: true, kind: 'statistics' },
    options: { period_s: 10, measurement: series(temperatureId), window_s: 3600 },
  });
  configured.push(settings);
  const look = async (value: number): Promise<void> => {
    read(value);
    await clock.advance(10_000);
  };
  await functions.activate(settings);
  for (const value of [18, 20, 22]) await look(value);
  await functions.stop();
  const again = begin();
  await again.activate(settings);
  await look(24);
  const values = again.get(own)?.live().values;
  expect(values?.map(({ unit }) => unit)).toEqual(['C', 'C', 'C', 'K']);
  expect(values?.[1]?.value).toBe(18);
  expect(values?.[2]?.value).toBe(24);
  expect(stored.of(own, 3).at(-1)).toBeGreaterThan(2);
  await again.stop();
});
