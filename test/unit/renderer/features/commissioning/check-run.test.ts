// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import CheckRun from '../../../../../renderer/features/commissioning/CheckRun.vue';
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

it('is a stop of the keys only while there are charts', async () => {
  const run = mounted(CheckRun, { props: { check, scaleOf: () => null } });
  expect(run.find('[tabindex="0"]').exists()).toBe(false);
  expect(run.findAll('[role=group]')).toHaveLength(0);
  await run.setProps({ check: { ...check, items: [{ ...heater, result: 'running', evidence }] } });
  expect(run.get('[tabindex="0"]').attributes('aria-label')).toBe('1 actuator is being tested');
});

it('shows in the end what came out where it was tested, and keeps no room where nothing was', async () => {
  const tested = { ...check, items: [{ ...heater, result: 'running', evidence }] };
  const run = mounted(CheckRun, { props: { check: tested, scaleOf: () => null } });
  expect(run.text()).toContain('Testing Heater · Boiler');
  const room = () => run.get('.run').attributes('style');
  const before = room();
  await run.setProps({
    check: { ...tested, status: 'awaiting_verdict', items: [{ ...heater, result: 'ok', evidence }] },
  });
  expect(run.text()).toMatch(/Show the results\s*Heater · Boiler\s*OK/);
  expect(room()).toBe(before);
  await run.setProps({ check: { ...check, status: 'aborted', items: [{ ...heater, result: 'skipped' }] } });
  expect([room(), run.find('.run__live').exists()]).toEqual(['--rows: 0;', false]);
});
