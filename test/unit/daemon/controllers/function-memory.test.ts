import { expect, it } from 'vitest';
import { functionSettings, type FunctionOptions } from '../../../../server/contract/function.ts';
import { heaterId, temperatureId, ventId } from '../../../support/daemon-site.ts';
import { functionHouse, humidityId, id, own, series } from '../../../support/function-house.ts';

const dosing = functionSettings.parse({
  unique_id: own,
  name: 'Acid',
  is_activated: true,
  kind: 'dosing',
  options: {
    period_s: 10,
    measurement: series(humidityId),
    target: 5.8,
    tolerance: 0.1,
    daily_ml: 25,
    lower_output: { output_id: heaterId },
    lower_ml: 10,
    mixing_s: 60,
    lock_s: 600,
    least_reaction: 0.05,
    doses_to_react: 3,
  },
});

it('has its doses on disk before it gives them, and gives no more after a restart', async () => {
  const { functions, configured, read, clock, outputs, store, begin } = await functionHouse({ flow_ml_s: 10 });
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
  expect(again.get(own)?.live().because).toBe('6.4\u202fpH, setpoint 5.8\u202fpH: the 24 h maximum is reached');
  await again.deactivate(own);
  await again.activate(dosing);
  await dose(6.4);
  expect(await given()).toBe(2);
  await again.stop();
});

it('never gives acid and base into one tank together, whichever functions give them, on or off, over a restart', async () => {
  const { functions, configured, read, clock, begin } = await functionHouse({ flow_ml_s: 10 });
  const acid = functionSettings.parse({ ...dosing, options: { ...dosing.options, daily_ml: 1000 } });
  const { lower_output: _o, lower_ml: _m, ...rest } = acid.options as FunctionOptions<'dosing'>;
  const base = functionSettings.parse({
    ...dosing,
    unique_id: id(8),
    name: 'Base',
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
  expect(live?.because).toBe('6.8\u202fpH, setpoint 5.8\u202fpH: a dose is mixed in');
  expect(live?.progress).toMatchObject({ what: 'mixing', done_pct: expect.any(Number) as number });
  await functions.deactivate(own); // what it gave is in the water all the same
  for (let n = 0; n < 12; n += 1) await look(5);
  expect(functions.get(id(8))?.live()).toMatchObject({
    because: '5\u202fpH, setpoint 5.8\u202fpH: locked after a dose from the other pump',
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
  const { functions, configured, read, clock } = await functionHouse();
  const settings = functionSettings.parse({
    unique_id: own,
    name: 'Spread',
    is_activated: true,
    kind: 'statistics',
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
  const { functions, configured, read, clock, stored } = await functionHouse();
  const air = { temperature: series(temperatureId), humidity: series(humidityId), radiation: series(id(4)) };
  const settings = functionSettings.parse({
    unique_id: own,
    name: 'Water',
    is_activated: true,
    kind,
    options: { period_s: 60, ...air, ...more },
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
  const { functions, configured, read, clock } = await functionHouse({ flow_ml_s: 10 });
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
  const { functions, configured, read, clock, stored, begin } = await functionHouse();
  const light = functionSettings.parse({
    unique_id: own,
    name: 'Light',
    is_activated: true,
    kind: 'light_integral',
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
  const { functions, configured, begin, read, clock, stored } = await functionHouse();
  const settings = functionSettings.parse({
    unique_id: own,
    name: 'Spread',
    is_activated: true,
    kind: 'statistics',
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
