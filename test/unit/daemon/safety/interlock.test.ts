import { describe, expect, it } from 'vitest';
import type { OutputState } from '../../../../server/contract/output.ts';
import type { OutputValue } from '../../../../server/daemon/drivers/driver.ts';
import { positionPct } from '../../../../server/daemon/drivers/output-value.ts';
import { SafetyGate } from '../../../../server/daemon/safety/gate.ts';
import { interlockRows, interlockRule } from '../../../../server/daemon/safety/interlock.ts';

const vent = { while_output_id: 'vent', while_channel: 0, above_pct: 20 };
const heater = { forbids_output_id: 'heater', forbids_channel: 1 };
const gate = new SafetyGate({ held: null }, [
  interlockRule(() => [{ name: 'no heat out of the roof', ...vent, ...heater }]),
]);

function judge(value: OutputValue, ventState: OutputState, request = { output_id: 'heater', channel: 1 }) {
  const site = {
    exposurePct: (id: string) => (id === 'vent' ? positionPct(ventState) : 0),
    currentBeside: () => 0,
  };
  const rest = { source: 'manual', is_on: false, safe_state: 'off', current_a: null } as const;
  return gate.judge({ ...request, ...rest, value }, site);
}

describe('an interlock', () => {
  it.each([
    ['on', 'off', false],
    ['on', 20, false],
    ['on', 20.1, true],
    ['on', 'on', true],
    ['on', null, true],
    [1, 90, true],
    ['off', 90, false],
    [0, 90, false],
  ] as const)('%s while the other is %s: refused %s', (value, ventState, isRefused) => {
    const name = 'no heat out of the roof';
    expect(judge(value, ventState)).toEqual(
      isRefused ? { rule: 'interlock', message: `interlock "${name}"`, held_by: { name }, value: 'off' } : undefined,
    );
  });

  it('concerns its own channel only', () => {
    expect(judge('on', 'on', { output_id: 'heater', channel: 0 })).toBeUndefined();
    expect(judge('on', 'on', { output_id: 'fan', channel: 1 })).toBeUndefined();
  });

  it('that is mutual forbids the first while the second is on at all', () => {
    const row = { name: 'one of two pumps', ...vent, ...heater };
    expect(interlockRows([{ ...row, is_mutual: false }])).toEqual([row]);
    expect(interlockRows([{ ...row, is_mutual: true }])).toEqual([
      row,
      {
        name: row.name,
        while_output_id: 'heater',
        while_channel: 1,
        above_pct: 0,
        forbids_output_id: 'vent',
        forbids_channel: 0,
      },
    ]);
  });
});
