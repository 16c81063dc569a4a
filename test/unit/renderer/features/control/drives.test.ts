import { expect, it } from 'vitest';
import type { ControllerSettings } from '../../../../../server/contract/controller-kind.ts';
import { drivenBy } from '../../../../../renderer/features/control/drives.ts';

const id = (n: number): string => `00000000-0000-4000-8000-0000000000${String(n).padStart(2, '0')}`;
const series = { device_id: id(20), measurement_id: id(21), max_age_s: 60 };
const base = (n: number) => ({ unique_id: id(n), name: `C${n}`, is_activated: true });
const action = { unique_id: id(30), name: 'a', kind: 'output', output_id: id(10), state: true };

const pid = {
  ...base(1),
  measurement: series,
  setpoint: 20,
  method_id: null,
  setpoint_measurement: null,
  direction: 'raise',
  raise: { output_id: id(10), kind: 'pwm' },
  lower: { output_id: id(11), channel: 1, kind: 'pwm' },
};
const watching = { ...base(2), kind: 'output', output: { output_id: id(12) }, state: 'on', actions: [action, action] };
const lists: Record<string, ControllerSettings[]> = { pid: [pid], trigger: [watching] };

it('tells who can move an output, not who looks at it or has it without driving it', () => {
  const told = drivenBy((word) => lists[word] ?? []);
  expect(told.map(({ output_id, channel }) => [output_id, channel])).toEqual([[id(10), undefined]]);
  expect(told[0]?.drivers.map(({ word, settings }) => `${word} ${settings.name}`)).toEqual(['pid C1', 'trigger C2']);
});
