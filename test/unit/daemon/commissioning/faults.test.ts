import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { CommissioningCheck } from '../../../../server/contract/commissioning.ts';
import {
  allActuators,
  allSensors,
  commissioningBench,
  itemOf,
  newSensor,
  resultsOf,
  withOne,
} from '../../../support/commissioning-bench.ts';

type Bench = NonNullable<Parameters<typeof commissioningBench>[0]>;

/** Noon in April at Seoul: light to take away, and a house that is warmer and moister than the air outside. */
const springNoon = Date.UTC(2026, 3, 15, 4);

async function checked(options: Bench = {}): Promise<CommissioningCheck> {
  const bench = commissioningBench({ now: springNoon, ...options });
  await bench.start();
  const check = await bench.run();
  for (const output of bench.outputs) {
    const { state, source } = bench.running.channel(output.unique_id).state();
    expect([output.name, state, source]).toEqual([output.name, 'off', null]);
  }
  return check;
}

const failing = new Set(['fail', 'timeout', 'error']);

/** What of a check was failed, beside what is named. */
function failedBeside(check: CommissioningCheck, ...names: string[]): string[] {
  return check.items.filter(({ name, result }) => !names.includes(name) && failing.has(result)).map(({ name }) => name);
}

/** What is neither ok nor merely a level that nothing in the house can prove. */
function notFoundWell({ items }: CommissioningCheck): string[] {
  return items
    .filter(({ result, findings }) => result !== 'ok' && findings?.[0]?.code !== 'level_unproven')
    .map(({ name }) => name);
}

describe('a clean house', () => {
  it('is found well, device by device, and left as it was', async () => {
    const check = await checked();
    expect(check.status).toBe('awaiting_verdict');
    expect(notFoundWell(check)).toEqual([]);
    // No sensor of the sun stands outdoors to hold it against.
    expect(itemOf(check, 'indoor_light')).toMatchObject({
      result: 'inconclusive',
      findings: [{ code: 'level_unproven' }],
    });
    expect(check.progress).toEqual({ done: 14, total: 14 });
  });

  it('is found well by sensors as restless as real ones', async () => {
    const sensors = allSensors.map((sensor, index) => ({ ...sensor, noise_seed: 5 + index }));
    expect(notFoundWell(await checked({ sensors }))).toEqual([]);
  });
});

describe('a fault is found and named', () => {
  it.each([{}, { sd: 0.05, seed: 3 }])('a stuck sensor (%o)', async (noise) => {
    const sensors = withOne(allSensors, { role: 'indoor_temp', fault: { kind: 'stuck', ...noise } });
    const check = await checked({ sensors });
    expect(itemOf(check, 'indoor_temp')).toMatchObject({ result: 'fail', findings: [{ code: 'stuck' }] });
    expect(failedBeside(check, 'indoor_temp')).toEqual([]);
  });

  it('a stuck sensor beside a sound one', async () => {
    const sensors = [...allSensors, { role: 'indoor_temp', name: 'second', fault: { kind: 'stuck' } } as const];
    const check = await checked({ sensors });
    expect(itemOf(check, 'indoor_temp', 'second').result).toBe('fail');
    expect(failedBeside(check, 'second')).toEqual([]);
  });

  it.each(['lighting', 'co2', 'fogger', 'fan'] as const)('a heater wired to %s', async (part) => {
    const fault = { kind: 'wired_to', part } as const;
    const check = await checked({ actuators: withOne(allActuators, { role: 'heater', fault }) });
    expect(itemOf(check, 'heater').result).toBe('fail');
    expect(failedBeside(check, 'heater')).toEqual([]);
  });

  it('names the output that the wire leads to', async () => {
    const fault = { kind: 'wired_to', part: 'lighting' } as const;
    const heater = itemOf(await checked({ actuators: withOne(allActuators, { role: 'heater', fault }) }), 'heater');
    expect(heater.message).toMatch(/as .*lighting.* would/);
    expect(heater.checks).toContainEqual(
      expect.objectContaining({
        code: 'wiring',
        passed: false,
        measured: expect.stringContaining('lighting') as string,
      }),
    );
  });

  it('a heater wired to the next house', async () => {
    const other = randomUUID();
    const thermometer = newSensor({ role: 'indoor_temp', name: 'House 2' }, other);
    const fault = { kind: 'wired_to', part: 'heater', house: other } as const;
    const check = await checked({
      actuators: withOne(allActuators, { role: 'heater', fault }),
      foreign: [thermometer],
    });
    expect(itemOf(check, 'heater')).toMatchObject({
      result: 'fail',
      message: expect.stringContaining('House 2') as string,
    });
    expect(failedBeside(check, 'heater')).toEqual([]);
  });

  it('a heater and a CO2 supply that are wired to each other', async () => {
    const actuators = withOne(withOne(allActuators, { role: 'heater', fault: { kind: 'wired_to', part: 'co2' } }), {
      role: 'co2_supply',
      fault: { kind: 'wired_to', part: 'heater' },
    });
    // At an hour at which the weather leaves it in no doubt: at others both are inconclusive.
    const check = await checked({ actuators, now: Date.UTC(2026, 3, 16, 2) });
    expect(['fail', 'warn']).toContain(itemOf(check, 'heater').result);
    expect(itemOf(check, 'co2_supply').message).toContain('as heater would');
    expect(failedBeside(check, 'heater', 'co2_supply')).toEqual([]);
  });

  it.each([
    ['exhaust_fan', { kind: 'no_effect' }],
    ['heater', { kind: 'no_effect' }],
    ['lighting', { kind: 'no_effect' }],
    ['shade_curtain', { kind: 'no_effect' }],
    ['heater', { kind: 'reversed' }],
    ['lighting', { kind: 'reversed' }],
    ['heater', { kind: 'latched' }],
    ['lighting', { kind: 'latched' }],
  ] as const)('a %s that is at fault (%o)', async (role, fault) => {
    const check = await checked({ actuators: withOne(allActuators, { role, fault }) });
    expect(['fail', 'warn']).toContain(itemOf(check, role).result);
    expect(failedBeside(check, role)).toEqual([]);
  });

  it('a heater of a third of its power, by its rating', async () => {
    const rating = { rating_kw: 178 };
    const weak = { role: 'heater', rating, fault: { kind: 'weak', share: 0.3 } } as const;
    const check = await checked({ actuators: withOne(allActuators, weak) });
    expect(itemOf(check, 'heater')).toMatchObject({ result: 'warn', findings: [{ code: 'weak' }] });
    const sound = await checked({ actuators: withOne(allActuators, { role: 'heater', rating }) });
    expect(itemOf(sound, 'heater').result).toBe('ok');
  });

  it.each([
    ['refuses', 'fail'],
    ['silent', 'timeout'],
  ] as const)('a fan that %s', async (kind, result) => {
    const bench = commissioningBench({
      now: springNoon,
      actuators: withOne(allActuators, { role: 'exhaust_fan', fault: { kind } }),
    });
    await bench.start();
    const check = await bench.run();
    expect(itemOf(check, 'exhaust_fan').result).toBe(result);
    expect(failedBeside(check, 'exhaust_fan')).toEqual([]);
  });

  it('two swapped thermometers', async () => {
    const sensors = withOne(
      withOne(allSensors, { role: 'indoor_temp', fault: { kind: 'wired_to', part: 'weather' } }),
      { role: 'outdoor_temp', fault: { kind: 'wired_to', part: 'indoor' } },
    );
    const check = await checked({ sensors });
    expect(itemOf(check, 'indoor_temp').result).toBe('fail');
    expect(failedBeside(check, 'indoor_temp', 'outdoor_temp')).toEqual([]);
  });

  it('a sensor that reads too seldom to see anything', async () => {
    const sensors = withOne(allSensors, { role: 'indoor_co2', period_s: 900 });
    const check = await checked({ sensors });
    expect(itemOf(check, 'co2_supply')).toMatchObject({
      result: 'inconclusive',
      findings: [{ code: 'sensor_too_slow' }],
    });
  });

  it('lamps whose light no sensor shows: their warmth alone condemns nothing', async () => {
    const sensors = allSensors.filter(({ role }) => role !== 'indoor_light');
    const dark = withOne(allActuators, { role: 'lighting', fault: { kind: 'no_effect' } });
    expect(itemOf(await checked({ sensors, actuators: dark }), 'lighting').result).toBe('inconclusive');
    expect(['ok', 'inconclusive']).toContain(itemOf(await checked({ sensors }), 'lighting').result);
  });

  it('a sensor that is silent, and one that is out of its range', async () => {
    const sensors = [
      ...allSensors,
      { role: 'indoor_temp', name: 'silent', fault: { kind: 'silent' } } as const,
      { role: 'indoor_temp', name: 'far', fault: { kind: 'offset', by: 80 } } as const,
    ];
    const check = await checked({ sensors });
    expect(itemOf(check, 'indoor_temp', 'silent').result).toBe('timeout');
    expect(itemOf(check, 'indoor_temp', 'far').result).toBe('fail');
  });

  it('the one of three thermometers that disagrees', async () => {
    const sensors = [
      ...allSensors,
      { role: 'indoor_temp', name: 'second' } as const,
      { role: 'indoor_temp', name: 'third', fault: { kind: 'offset', by: 4 } } as const,
    ];
    const check = await checked({ sensors });
    expect(itemOf(check, 'indoor_temp', 'third')).toMatchObject({
      result: 'warn',
      findings: [{ code: 'implausible', check: 'agreement', value: expect.closeTo(4, 0) as number, expected: '<= 2' }],
    });
    expect(resultsOf(check)).toMatchObject({ indoor_temp: 'ok', second: 'ok' });
  });
});
