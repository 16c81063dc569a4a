import { expect, it } from 'vitest';
import type { Input } from '../../../../server/contract/input.ts';
import { grower, testDevices } from '../../../support/devices.ts';

async function siteWithSensor() {
  const site = testDevices();
  const input: Input = await site.inputs.create(grower, { name: 'Sensor', driver: 'simulated' });
  const stopped = { controller_id: input.unique_id, controller_type: 'Input', state: 'stopped', reason: null } as const;
  const isActivated = (): boolean => site.inputs.get(input.unique_id).is_activated;
  return { ...site, input, stopped, isActivated };
}

it('what a program has the daemon stop is stored, under its name, and nothing more is asked of the daemon', async () => {
  const { live, daemon, audited, input, stopped, isActivated } = await siteWithSensor();
  live.start();
  await expect.poll(() => live.daemonState).toBe('up');
  const told = [...daemon.told];
  daemon.emit({ kind: 'controller', ...stopped, asked_active: false });
  await expect.poll(isActivated).toBe(false);
  expect(audited.at(-1)).toMatchObject({ kind: 'input.change', actor: { username: 'pyro' }, target: input.unique_id });
  expect(daemon.told).toEqual(told);
  daemon.emit({ kind: 'controller', ...stopped, state: 'running', asked_active: true });
  await expect.poll(isActivated).toBe(true);
});

it('what stops for another reason stays activated', async () => {
  const { live, daemon, stopped, input, isActivated } = await siteWithSensor();
  live.start();
  await expect.poll(() => live.daemonState).toBe('up');
  daemon.emit({ kind: 'controller', ...stopped });
  await expect.poll(() => live.controller(input.unique_id)?.status.state).toBe('stopped');
  expect(isActivated()).toBe(true);
});

it('what a program stopped while the service was away is stored when it is back', async () => {
  const { live, daemon, stopped, isActivated } = await siteWithSensor();
  daemon.controllers.push({ ...stopped, asked_active: false });
  live.start();
  await expect.poll(isActivated).toBe(false);
});
