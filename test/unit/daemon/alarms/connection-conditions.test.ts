import { expect, it, onTestFinished } from 'vitest';
import type { Input } from '../../../../server/contract/input.ts';
import type { Output } from '../../../../server/contract/output.ts';
import type { Alarm } from '../../../../server/contract/alarm.ts';
import { ConnectionConditions } from '../../../../server/daemon/alarms/connection-conditions.ts';
import { alarmBench } from '../../../support/alarm-bench.ts';
import { controllerLists } from '../../../support/controller-lists.ts';
import { indoorId, plainChannel, simulatedOutput, ventId } from '../../../support/daemon-site.ts';

interface Devices {
  input: Input[];
  output: Output[];
}

const gateway = { id: 'modbus 10.0.0.9:502', name: '10.0.0.9:502' };
const wired = { driver: 'modbus', options: { host: '10.0.0.9', registers: [] } };
const elsewhere = { driver: 'modbus', options: { host: '10.0.0.8', registers: [] } };
const input: Input = {
  unique_id: indoorId,
  name: 'Indoors',
  period_s: 60,
  start_offset_s: 0,
  pre_output: null,
  power_output: null,
  is_activated: true,
  channels: [plainChannel],
  ...wired,
};
const vent: Output = { ...simulatedOutput(ventId, 'side_vent'), ...wired };
const two: Devices = { input: [input], output: [vent] };
const alone: [string, Devices][] = [
  ['one device', { input: [input], output: [] }],
  ['one that is active', { input: [input], output: [{ ...vent, is_activated: false }] }],
  ['one and another elsewhere', { input: [input], output: [{ ...vent, ...elsewhere }] }],
];

function site(devices: Devices, left: readonly Alarm[] = []) {
  const bench = alarmBench();
  const { alarms, clock } = bench;
  const file = { version: 1, devices };
  const configuration = { ...controllerLists(() => file.devices), version: () => String(file.version) };
  const conditions = new ConnectionConditions({ clock, configuration, alarms });
  alarms.start(left);
  conditions.start();
  onTestFinished(() => {
    conditions.stop();
    alarms.stop();
  });
  /** Stores other devices, and lets the time of a delay pass. */
  const change = async (to: Devices): Promise<void> => {
    Object.assign(file, { version: file.version + 1, devices: to });
    await clock.advance(8_000);
  };
  return { ...bench, conditions, change, states: () => alarms.list().map(({ state }) => state) };
}

it('is raised with its address and why, and ends', async () => {
  const { conditions, clock, alarms, states } = site(two);
  conditions.tell(gateway, 'refused');
  await clock.advance(6_000);
  expect(alarms.list()).toMatchObject([
    { code: 'connection_lost', source_kind: 'connection', source_id: gateway.id, source_name: gateway.name },
  ]);
  expect(alarms.list()[0]?.message).toBe('refused');
  conditions.tell(gateway, null);
  await clock.advance(6_000);
  expect(states()).toEqual(['returned']);
});

it.each(alone)('is not raised for %s, which has an alarm of its own, until there are more', async (_, devices) => {
  const { conditions, clock, change, states } = site(devices);
  conditions.tell(gateway, 'refused');
  await clock.advance(6_000);
  expect(states()).toEqual([]);
  await change(two);
  expect(states()).toEqual(['unacknowledged']);
});

it.each(alone)('ends when only %s is left, and comes again with more', async (_, devices) => {
  const { conditions, change, states } = site(two);
  conditions.tell(gateway, 'refused');
  await change(two);
  await change(devices);
  expect(states()).toEqual(['returned']);
  await change(two);
  expect(states()).toEqual(['unacknowledged']);
});

it('is not raised while it is not sure', async () => {
  const { conditions, clock, states } = site(two);
  conditions.tell(gateway, 'silent', false);
  await clock.advance(60_000);
  expect(states()).toEqual([]);
  conditions.tell(gateway, 'silent', true);
  await clock.advance(6_000);
  expect(states()).toEqual(['unacknowledged']);
});

it('is not raised by devices that are added once it works again', async () => {
  const { conditions, change, states } = site({ input: [input], output: [] });
  conditions.tell(gateway, 'refused');
  conditions.tell(gateway, null);
  await change(two);
  expect(states()).toEqual([]);
});

it('is kept by the next daemon while it is shared, whose driver ends it', async () => {
  const before = site(two);
  before.conditions.tell(gateway, 'refused');
  await before.change(two);
  const left = before.alarms.list();
  const { conditions, clock, states } = site(two, left);
  await clock.advance(8_000);
  expect(states()).toEqual(['unacknowledged']);
  conditions.tell(gateway, null);
  await clock.advance(8_000);
  expect(states()).toEqual(['returned']);

  const other = site({ input: [input], output: [] }, left);
  await other.clock.advance(8_000);
  expect(other.states()).toEqual(['returned']);
});
