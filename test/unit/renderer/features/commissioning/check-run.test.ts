// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import CheckRun from '../../../../../renderer/features/commissioning/CheckRun.vue';
import { en } from '../../../../../renderer/i18n/en/index.ts';
import { mounted } from '../../ui/mounted.ts';

const heater = { kind: 'actuator', role: 'heater', name: 'Boiler', device_id: 'a', channel: 0, evidence: null };
const evidence = { samples: [], commands: [], findings: [] };
// All that the card reads of it.
const check = {
  status: 'running',
  phase: 'sensors',
  items: [{ ...heater, result: 'pending' }],
  progress: { done: 0, total: 1 },
  started_at: '2026-11-28T05:00:00Z',
  started_by: 'kim',
  reopened: [],
};

const vent = { ...heater, role: 'side_vent', name: 'North', device_id: 'b' };

it('shows every actuator in the order of the plan, from the beginning to the end', async () => {
  const items = [
    { ...heater, result: 'pending' },
    { ...vent, result: 'pending' },
  ];
  const run = mounted(CheckRun, { props: { check: { ...check, items }, scaleOf: () => null } });
  const shown = () =>
    run.findAll('li').map((one) => [one.get('h2').text(), one.get('.tag').text(), one.find('.trace').exists()]);
  expect(run.text()).toContain(en.commissioning.traceMarks); // before a chart has them: it moves nothing
  const show = () => run.get('button').attributes('disabled') === undefined;
  expect(shown()).toEqual([
    ['Heater · Boiler', 'Not tested yet', false],
    ['Side vent · North', 'Not tested yet', false],
  ]);
  // The second of the plan is tested first.
  await run.setProps({ check: { ...check, items: [items[0], { ...vent, result: 'running', evidence }] } });
  expect(shown().map(([name, , hasChart]) => [name, hasChart])).toEqual([
    ['Heater · Boiler', false],
    ['Side vent · North', true],
  ]);
  expect(show()).toBe(false);
  const ended = [
    { ...heater, result: 'skipped' },
    { ...vent, result: 'ok', evidence },
  ];
  await run.setProps({ check: { ...check, status: 'awaiting_verdict', items: ended } });
  expect(shown()).toEqual([
    ['Heater · Boiler', 'Not tested', false],
    ['Side vent · North', 'OK', true],
  ]);
  expect(show()).toBe(true);
});

it('keeps no room for charts of a check of sensors alone', () => {
  const run = mounted(CheckRun, { props: { check: { ...check, items: [] }, scaleOf: () => null } });
  expect(run.find('.run__live').exists()).toBe(false);
});
