import { expect, it } from 'vitest';
import { functionKind, functionSettings, type FunctionSettings } from '../../../../server/contract/function.ts';
import type { Input } from '../../../../server/contract/input.ts';
import { ownMeasurementId } from '../../../../server/contract/measured.ts';
import { functionHandlers } from '../../../../server/daemon/remote/functions.ts';
import { methodTable } from '../../../../server/daemon/remote/handlers.ts';
import type { ControllerStores } from '../../../../server/db/repositories/controller-stores.ts';
import { circleOf } from '../../../../server/domain/control/measured-devices.ts';
import type { RemoteCall } from '../../../../server/remote/method.ts';
import { controlJudges } from '../../../../server/services/device/control-judges.ts';
import { controllerLists } from '../../../support/controller-lists.ts';
import { heaterId, indoorId, temperatureId, ventId } from '../../../support/daemon-site.ts';
import { functionHouse, humidityId, id, indoor, own, series } from '../../../support/function-house.ts';
import { measuredOf } from '../../../support/measured.ts';

const heating = (changes: object = {}): FunctionSettings =>
  functionSettings.parse({
    unique_id: own,
    name: 'Frost',
    is_activated: true,
    kind: 'bang_bang',
    options: {
      period_s: 10,
      measurement: series(temperatureId),
      output: { output_id: heaterId },
      direction: 'raise',
      setpoint: 10,
      hysteresis: 1,
      ...changes,
    },
  });

it('switches its output beyond either level, keeps it between them, and says why', async () => {
  const { functions, at, outputs, state } = await functionHouse();
  await functions.activate(heating());
  const states: unknown[] = [];
  for (const value of [10, 9.5, 8.9, 10, 10.9, 11.1, 9.1]) states.push(await at(value));
  expect(states).toEqual(['off', 'off', 'on', 'on', 'on', 'off', 'off']);
  const because = 'raise: 9.1\u202f°C by 10\u202f°C ± 1\u202fK: off';
  expect(outputs.channel(heaterId).state()).toMatchObject({
    source: 'automatic',
    actor: 'function Frost',
    cause: { kind: 'function', unique_id: own, name: 'Frost', because },
  });
  expect(state()).toMatchObject({ value: 9.1, unit: 'C', is_on: false, because });
});

it('has the output safe on a reading that is bad or too old, says so once, and goes on with the next', async () => {
  const { functions, at, read, clock, stateOf, events } = await functionHouse();
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
    const { functions, at, clock, stateOf } = await functionHouse();
    await functions.activate(heating());
    expect(await at(5)).toBe('on');
    clock.setTimeOfDay(clock.now() + hours * 3_600_000);
    expect([await at(12), await at(5)]).toEqual(['off', 'on']);
    await clock.advance(200_000);
    expect(stateOf(heaterId)).toBe('off');
  },
);

it('fails alone where its output is missing, and by a reading of another unit stores nothing', async () => {
  const { functions, at, read, clock, configured, stored } = await functionHouse();
  await functions.activate(heating());
  await functions.activate({ ...heating({ output: { output_id: id(7) } }), unique_id: id(8) });
  const sums = functionSettings.parse({
    unique_id: id(6),
    name: 'Both',
    is_activated: true,
    kind: 'sum',
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
  const { functions, at, stateOf, outputs, clock } = await functionHouse();
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
  const { functions, read, clock } = await functionHouse();
  const air = { temperature: series(temperatureId), humidity: series(humidityId) };
  await functions.activate(
    functionSettings.parse({
      unique_id: own,
      name: 'Air',
      is_activated: true,
      kind: 'vpd',
      options: { period_s: 10, ...air },
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
  const { functions, configured, read, clock, stored, live } = await functionHouse();
  const options = { period_s: 10, measurements: [series(temperatureId), series(humidityId)] };
  const first = functionSettings.parse({
    unique_id: own,
    name: 'First good',
    is_activated: true,
    kind: 'redundancy',
    options,
  });
  const second = functionSettings.parse({
    unique_id: id(8),
    name: 'Above it',
    is_activated: true,
    kind: 'difference',
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
      unique_id,
      name,
      is_activated: true,
      kind: 'difference',
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
  channelOf(3, 'temperature'),
  channelOf(4, 'temperature'),
  channelOf(5, 'humidity'),
  channelOf(6, 'wind_direction'),
  channelOf(7, 'wind_direction'),
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
    unique_id: own,
    name: 'A',
    is_activated: true,
    kind,
    options: { period_s: 10, ...options },
  });
  const nothing = { get: () => undefined };
  const input = { get: () => ({ channels }) as Input };
  const kinds = { input, pid: nothing, function: nothing } as unknown as ControllerStores; // nothing else is asked
  const place = () => ({ lat: 0, lng: 0, time_zone: 'UTC' });
  const { function: judge } = controlJudges({ kinds, facilities: { get: () => undefined }, place, now: () => 0 });
  const [fault = judge?.(settings)] = functionKind.stored?.faults(settings) ?? [];
  expect(fault?.path).toBe(path);
});
