// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import CheckRun from '../../../../../renderer/features/commissioning/CheckRun.vue';
import { mounted } from '../../ui/mounted.ts';

it('is a stop of the keys only while actuators are tested', async () => {
  const heater = { kind: 'actuator', role: 'heater', name: 'Heater', device_id: 'a', channel: 0, evidence: null };
  const items = [{ ...heater, result: 'pending' }];
  // All that the card reads of it.
  const check = {
    status: 'running',
    phase: 'sensors',
    items,
    progress: { done: 0, total: 1 },
    started_at: '2026-11-28T05:00:00Z',
    started_by: 'kim',
    reopened: [],
  };
  const run = mounted(CheckRun, { props: { check, scaleOf: () => null } });
  expect(run.find('[tabindex="0"]').exists()).toBe(false);
  expect(run.findAll('[role=group]')).toHaveLength(0);
  const evidence = { samples: [], commands: [], findings: [] };
  await run.setProps({ check: { ...check, items: [{ ...heater, result: 'running', evidence }] } });
  expect(run.get('[tabindex="0"]').attributes('aria-label')).toBe('1 actuator is being tested');
});
