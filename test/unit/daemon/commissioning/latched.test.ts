import { describe, expect, it } from 'vitest';
import { allActuators, commissioningBench, itemOf, winterNoon, withOne } from '../../../support/commissioning-bench.ts';
import { houseFaults } from '../../../support/commissioning-faults.ts';
import { momentOf, outcomeOf, runCheck, wrongedOf } from '../../../support/commissioning-runs.ts';

const latched = houseFaults.filter(({ name }) => name.endsWith('latched'));

describe('what stays on when it is turned off', () => {
  it.each(latched)('is never approved: $name', async (fault) => {
    for (const index of [0, 1]) {
      const run = await runCheck({ fault, now: momentOf(index), seed: 300 + index, period_s: 15 });
      expect(outcomeOf(run)).not.toBe('missed');
      expect(wrongedOf(run).failed.map(({ name }) => name)).toEqual([]);
    }
  });

  it.each(['lighting', 'fogger', 'heater'] as const)('is named where the house shows it: %s', async (role) => {
    const fault = { kind: 'latched' } as const;
    const bench = commissioningBench({ now: winterNoon, actuators: withOne(allActuators, { role, fault }) });
    await bench.start();
    const check = await bench.run();
    expect(itemOf(check, role).findings).toMatchObject([{ code: 'stays_on' }]);
    await bench.stop();
  });
});

describe('lamps alone in a house', () => {
  it('need no code: they are tried in a minute and a half', async () => {
    const bench = commissioningBench({ sensors: [{ role: 'indoor_light' }], actuators: [{ role: 'lighting' }] });
    await bench.start();
    const begun = bench.clock.elapsed();
    const check = await bench.run();
    expect((bench.clock.elapsed() - begun) / 1000).toBeLessThan(100);
    expect(itemOf(check, 'lighting')).toMatchObject({ result: 'ok', findings: [{ code: 'follows' }] });
    await bench.stop();
  });
});
