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

async function checked(options: Bench = {}): Promise<CommissioningCheck> {
  const bench = commissioningBench(options);
  await bench.start();
  const check = await bench.run();
  for (const output of bench.outputs) {
    const { state, source } = bench.running.channel(output.unique_id).state();
    expect([output.name, state, source]).toEqual([output.name, 'off', null]);
  }
  return check;
}

function othersOf(check: CommissioningCheck, ...names: string[]): Set<string> {
  return new Set(check.items.filter(({ name }) => !names.includes(name)).map(({ result }) => result));
}

describe('a clean house', () => {
  it('is found well, device by device, and left as it was', async () => {
    const check = await checked();
    expect(check.status).toBe('awaiting_verdict');
    expect(othersOf(check)).toEqual(new Set(['ok']));
    expect(check.progress).toEqual({ done: 14, total: 14 });
  });

  it('is found well by sensors as restless as real ones', async () => {
    const noisy = {
      indoor_temp: 0.03,
      indoor_humidity: 0.3,
      indoor_co2: 3,
      indoor_light: 1,
      outdoor_temp: 0.03,
      outdoor_humidity: 0.3,
    };
    const sensors = Object.entries(noisy).map(([role, sd]) => ({
      role: role as keyof typeof noisy, // the keys above
      fault: { kind: 'noisy', sd } as const,
    }));
    expect(othersOf(await checked({ sensors }))).toEqual(new Set(['ok']));
  });
});

describe('a fault is found and named', () => {
  it('a stuck sensor', async () => {
    const check = await checked({ sensors: withOne(allSensors, { role: 'indoor_temp', fault: { kind: 'stuck' } }) });
    expect(itemOf(check, 'indoor_temp')).toMatchObject({
      result: 'fail',
      message: expect.stringContaining('Stuck') as string,
    });
    expect(itemOf(check, 'heater')).toMatchObject({
      result: 'inconclusive',
      message: expect.stringContaining('indoor_temp is stuck') as string,
    });
    expect(othersOf(check, 'indoor_temp', 'heater')).toEqual(new Set(['ok']));
  });

  it('a stuck sensor beside a sound one', async () => {
    const sensors = [...allSensors, { role: 'indoor_temp', name: 'second', fault: { kind: 'stuck' } } as const];
    const check = await checked({ sensors });
    expect(itemOf(check, 'indoor_temp', 'second').result).toBe('fail');
    expect(othersOf(check, 'second')).toEqual(new Set(['ok']));
  });

  it.each([
    ['lighting', 'lighting'],
    ['co2', 'co2_supply'],
    ['fogger', 'fogger'],
    ['fan', 'exhaust_fan'],
  ] as const)('a heater wired to %s', async (part, name) => {
    const fault = { kind: 'wired_to', part } as const;
    const check = await checked({ actuators: withOne(allActuators, { role: 'heater', fault }) });
    const heater = itemOf(check, 'heater');
    expect(heater.result).toBe('fail');
    expect(heater.message).toMatch(new RegExp(`as .*${name}.* would`));
    expect(heater.checks).toContainEqual(
      expect.objectContaining({ code: 'wiring', passed: false, measured: expect.stringContaining(name) as string }),
    );
    expect(othersOf(check, 'heater')).toEqual(new Set(['ok']));
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
    expect(othersOf(check, 'heater')).toEqual(new Set(['ok']));
  });

  it('a heater and a CO2 supply that are wired to each other', async () => {
    const actuators = withOne(withOne(allActuators, { role: 'heater', fault: { kind: 'wired_to', part: 'co2' } }), {
      role: 'co2_supply',
      fault: { kind: 'wired_to', part: 'heater' },
    });
    const check = await checked({ actuators });
    expect(itemOf(check, 'heater').message).toContain('as co2_supply would');
    expect(itemOf(check, 'co2_supply').message).toContain('as heater would');
  });

  it('a fan that does not start', async () => {
    const fault = { kind: 'no_effect' } as const;
    const check = await checked({ actuators: withOne(allActuators, { role: 'exhaust_fan', fault }) });
    expect(itemOf(check, 'exhaust_fan')).toMatchObject({
      result: 'fail',
      message: expect.stringContaining('No answer') as string,
    });
    expect(othersOf(check, 'exhaust_fan')).toEqual(new Set(['ok']));
  });

  it('a fan that does not start although a vent was tried before it', async () => {
    const fan = { role: 'exhaust_fan', fault: { kind: 'no_effect' } } as const;
    const check = await checked({ actuators: [{ role: 'side_vent' }, fan] });
    expect(resultsOf(check)).toMatchObject({ side_vent: 'ok', exhaust_fan: 'fail' });
  });

  it.each([
    ['refuses', 'fail'],
    ['silent', 'timeout'],
  ] as const)('a fan that %s', async (kind, result) => {
    const bench = commissioningBench({ actuators: withOne(allActuators, { role: 'exhaust_fan', fault: { kind } }) });
    await bench.start();
    const check = await bench.run();
    expect(itemOf(check, 'exhaust_fan').result).toBe(result);
    expect(othersOf(check, 'exhaust_fan')).toEqual(new Set(['ok']));
  });

  it('two swapped thermometers', async () => {
    const sensors = withOne(
      withOne(allSensors, { role: 'indoor_temp', fault: { kind: 'wired_to', part: 'weather' } }),
      { role: 'outdoor_temp', fault: { kind: 'wired_to', part: 'indoor' } },
    );
    const check = await checked({ sensors });
    for (const [role, other] of [
      ['indoor_temp', 'outdoor_temp'],
      ['outdoor_temp', 'indoor_temp'],
    ] as const) {
      expect(itemOf(check, role)).toMatchObject({
        result: 'fail',
        message: expect.stringContaining(`Swapped with ${other}`) as string,
      });
    }
    expect(itemOf(check, 'heater')).toMatchObject({
      result: 'warn',
      message: expect.stringContaining('swapped') as string,
    });
    expect(othersOf(check, 'indoor_temp', 'outdoor_temp', 'heater')).toEqual(new Set(['ok']));
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

  it('all of them in one house', async () => {
    const sensors = withOne(
      withOne(withOne(allSensors, { role: 'indoor_co2', fault: { kind: 'stuck' } }), {
        role: 'indoor_temp',
        fault: { kind: 'wired_to', part: 'weather' },
      }),
      { role: 'outdoor_temp', fault: { kind: 'wired_to', part: 'indoor' } },
    );
    const faulty = withOne(withOne(allActuators, { role: 'heater', fault: { kind: 'wired_to', part: 'lighting' } }), {
      role: 'exhaust_fan',
      fault: { kind: 'no_effect' },
    });
    const actuators = [...faulty, { role: 'heater', name: 'heater 2' } as const];
    const check = await checked({ sensors, actuators });
    expect(resultsOf(check)).toMatchObject({
      indoor_co2: 'fail',
      indoor_temp: 'fail',
      outdoor_temp: 'fail',
      heater: 'fail',
      exhaust_fan: 'fail',
    });
    expect(itemOf(check, 'heater').message).toContain('as lighting would');
    expect(itemOf(check, 'indoor_temp').message).toContain('Swapped with outdoor_temp');
  });
});
