import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Alarm } from '../../../../server/contract/alarm.ts';
import type { ControllerType } from '../../../../server/contract/controller-kinds.ts';
import type { Input } from '../../../../server/contract/input.ts';
import type { Output } from '../../../../server/contract/output.ts';
import { DaemonConditions } from '../../../../server/daemon/alarms/daemon-conditions.ts';
import { alarmBench, alarmDeviceId, condition } from '../../../support/alarm-bench.ts';
import { controllerLists } from '../../../support/controller-lists.ts';
import { outputBench } from '../../../support/output-bench.ts';
import { stateOf } from '../../../support/scripted-daemon.ts';

const running: { stop: () => void }[] = [];
afterEach(() => {
  for (const one of running.splice(0)) one.stop();
});

const orderly = { ended_orderly: true, has_run: true, crash_loop: null as string | null, emergency_stop: null };

interface Around {
  input?: Input;
  output?: Output;
  /** Alarms of the last daemon. */
  left?: readonly Alarm[];
}

function site(left = orderly, devices: Around = {}) {
  const bench = alarmBench();
  const input = { unique_id: alarmDeviceId, name: 'air', period_s: 10, is_activated: true } as Input; // no more is read
  const output = devices.output === undefined ? [] : [devices.output];
  const inputs = [devices.input ?? input];
  const configuration = controllerLists(() => ({ input: output.length > 0 ? [] : inputs, output }));
  const conditions = new DaemonConditions({ ...bench, configuration });
  bench.alarms.start(devices.left ?? []);
  conditions.start(left);
  running.push(conditions, bench.alarms);
  const controller = (
    state: 'running' | 'failed' | 'stopped',
    reason: string | null = null,
    controller_type: ControllerType = 'Input',
  ) => bench.events.push({ kind: 'controller', controller_id: alarmDeviceId, controller_type, state, reason });
  const reading = () =>
    bench.events.push({
      kind: 'measurement',
      device_id: alarmDeviceId,
      measurement_id: alarmDeviceId,
      channel: 0,
      value: 1,
      unit: 'C',
      quality: 'good',
      time_ms: 0,
    });
  const codes = () => bench.alarms.list().map(({ code, state }) => `${code} ${state}`);
  return { ...bench, conditions, controller, reading, codes };
}

describe('what the daemon notices', () => {
  it('is a device that goes on failing, with what it said', async () => {
    const { controller, clock, alarms, codes } = site();
    controller('failed', 'no answer');
    await clock.advance(6_000);
    expect(alarms.list()).toMatchObject([{ code: 'controller_down', source_name: 'air', message: 'no answer' }]);
    controller('running');
    await clock.advance(6_000);
    expect(codes()).toEqual(['controller_down returned']);
  });

  it('is an input that never spoke, and one that fell silent', async () => {
    const { controller, reading, clock, alarms } = site();
    controller('running');
    await clock.advance(40_000);
    expect(alarms.list()).toMatchObject([{ code: 'no_data', limit: 30, unit: 's' }]);
    reading();
    await clock.advance(40_000);
    expect(alarms.list().filter(({ is_raised }) => is_raised)).toMatchObject([{ code: 'stale', limit: 30 }]);
  });

  it('is not an input that speaks in time', async () => {
    const { controller, reading, clock, codes } = site();
    controller('running');
    for (let times = 0; times < 10; times += 1) {
      reading();
      await clock.advance(10_000);
    }
    expect(codes()).toEqual([]);
  });

  it('is a command that failed, until one succeeds; one that was blocked says nothing', () => {
    const { events, codes } = site();
    const output = (outcome: 'failed' | 'blocked' | 'confirmed') =>
      events.push({ kind: 'output', output_id: alarmDeviceId, ...stateOf({}), outcome, message: 'refused' });
    output('failed');
    output('blocked');
    expect(codes()).toEqual(['command_failed unacknowledged']);
    output('confirmed');
    expect(codes()).toEqual(['command_failed returned']);
  });

  it('is over when the device is found as the command that failed wanted it, and not when it is found otherwise', () => {
    const { events, codes } = site();
    const output = (state: 'on' | 'off' | null, ended: { outcome?: 'failed'; code?: string; requested?: 'off' } = {}) =>
      events.push({
        ...{ kind: 'output', output_id: alarmDeviceId },
        ...stateOf({ state, quality: state === null ? 'unknown' : 'good' }),
        ...ended,
      });
    output(null, { outcome: 'failed', code: 'unreachable', requested: 'off' });
    output('on');
    expect(codes()).toContain('command_failed unacknowledged');
    output('off');
    expect(codes()).toContain('command_failed returned');
  });

  it('is over when a device that the daemon drove safe while it was lost is found safe', async () => {
    const { events, codes } = site();
    const { channel, actuator, told } = outputBench();
    const hear = (): void => {
      for (const { state, ended } of told.splice(0))
        events.push({ kind: 'output', output_id: alarmDeviceId, ...state, ...ended });
    };
    await channel.start(undefined, true);
    actuator.answer = 'unreachable';
    channel.observe(null);
    await vi.waitFor(() => (hear(), expect(codes()).toContain('command_failed unacknowledged')));
    channel.observe('off');
    hear();
    expect(codes()).toContain('command_failed returned');
  });

  it('stays of a device that refuses what the daemon does by itself, even where it is found so', async () => {
    const { events, codes } = site();
    const refused = { outcome: 'failed', code: 'refused', requested: 'off' } as const;
    for (const ended of [refused, {}])
      events.push({ kind: 'output', output_id: alarmDeviceId, ...stateOf({ state: 'off' }), ...ended });
    expect(codes()).toEqual(['command_failed unacknowledged']);
  });

  it('is an output that nobody knows', async () => {
    const { events, clock, codes } = site();
    events.push({ kind: 'output', output_id: alarmDeviceId, ...stateOf({ state: null, quality: 'unknown' }) });
    await clock.advance(6_000);
    expect(codes()).toEqual(['output_unknown unacknowledged']);
  });

  it('is a daemon before it that was lost, but neither an orderly stop nor the first start', () => {
    expect(site({ ...orderly, ended_orderly: false }).codes()).toEqual(['daemon_restarted returned']);
    expect(site(orderly).codes()).toEqual([]);
    expect(site({ ...orderly, ended_orderly: false, has_run: false }).codes()).toEqual([]);
  });

  it('is that a program told the daemon to stop, until the next one is there', () => {
    const { events, alarms, conditions, codes } = site();
    events.push({ kind: 'daemon', state: 'stopping', message: 'stopping in order' });
    expect(codes()).toEqual([]);
    events.push({ kind: 'daemon', state: 'stopping', message: 'told to stop by pyro', ended_by: 'pyro' });
    expect(codes()).toEqual(['daemon_stopped unacknowledged']);
    expect(alarms.list()).toMatchObject([{ message: 'terminate_daemon: pyro', severity: 'emergency' }]);
    conditions.stop();
    conditions.start({ ...orderly, crash_loop: null });
    expect(codes()).toEqual(['daemon_stopped returned']);
  });

  it('is that daemons end again and again, which says more than each restart, until this one has run for a minute', async () => {
    const { alarms, clock, codes } = site({ ...orderly, ended_orderly: false, crash_loop: 'it ended with code 1' });
    expect(alarms.list()).toMatchObject([
      { code: 'crash_loop', severity: 'emergency', is_raised: true, message: 'it ended with code 1' },
      { code: 'daemon_restarted', state: 'suppressed' },
    ]);
    await clock.advance(59_000);
    expect(codes()).toContain('crash_loop unacknowledged');
    await clock.advance(1_000);
    expect(codes()).toEqual(['crash_loop returned']);
  });

  it('ends with the device', async () => {
    const { controller, clock, codes } = site();
    controller('failed', 'no answer');
    await clock.advance(6_000);
    controller('stopped');
    await clock.advance(60_000);
    expect(codes()).toEqual(['controller_down returned']);
  });

  it('lets go of an alarm whose device went while no daemon ran', () => {
    const bench = alarmBench();
    const conditions = new DaemonConditions({
      ...bench,
      configuration: controllerLists(() => ({})),
    });
    bench.alarms.raise(condition());
    running.push(conditions, bench.alarms);
    conditions.start(orderly);
    expect(bench.alarms.list()).toMatchObject([{ code: 'command_failed', is_raised: false }]);
  });

  it('is control that stands still where what failed is no device', () => {
    const type = 'PID';
    const { controller, alarms, codes } = site();
    controller('running', null, type);
    controller('failed', 'the expression has no value', type);
    expect(alarms.list()).toMatchObject([
      { code: 'control_stopped', source_kind: 'controller', message: 'the expression has no value' },
    ]);
    controller('running', null, type);
    expect(codes()).toEqual(['control_stopped returned']);
  });

  it('is no controller that somebody stopped', () => {
    const { controller, codes } = site();
    controller('running', null, 'PID');
    controller('stopped', null, 'PID');
    expect(codes()).toEqual([]);
  });

  it('is the emergency stop, until it is released', () => {
    const { events, alarms, codes } = site();
    const stop = { kind: 'emergency_stop', since: null, by: 'kim', reason: 'smoke' } as const;
    events.push({ ...stop, active: true });
    expect(alarms.list()).toMatchObject([
      { code: 'emergency_stop', severity: 'emergency', source_kind: 'site', message: 'kim: smoke' },
    ]);
    events.push({ ...stop, active: false });
    expect(codes()).toEqual(['emergency_stop returned']);
  });
});

describe('after a restart', () => {
  async function leftBy(raise: (before: ReturnType<typeof site>) => void, after_s = 10): Promise<Alarm[]> {
    const before = site();
    raise(before);
    await before.clock.advance(after_s * 1_000);
    expect(before.alarms.list()).toHaveLength(1);
    return before.alarms.list();
  }

  it('a device that fails on is not raised twice, however long it takes to notice', async () => {
    const left = await leftBy(({ controller }) => controller('failed', 'no answer'));
    const after = site(orderly, { left });
    after.controller('running');
    await after.clock.advance(20_000);
    after.controller('failed', 'no answer');
    await after.clock.advance(9_000);
    expect(after.told).toEqual([]);
    expect(after.codes()).toEqual(['controller_down unacknowledged']);
  });

  it('a device that works again ends its alarm with its first reading', async () => {
    const left = await leftBy(({ controller }) => controller('failed', 'no answer'));
    const after = site(orderly, { left });
    after.controller('running');
    after.reading();
    await after.clock.advance(5_000);
    expect(after.codes()).toEqual(['controller_down returned']);
  });

  it('an input that is silent on is the same alarm', async () => {
    const left = await leftBy(({ controller, reading }) => {
      controller('running');
      reading();
    }, 40);
    const after = site(orderly, { left });
    after.controller('running');
    await after.clock.advance(60_000);
    expect(after.codes()).toEqual(['stale unacknowledged']);
  });

  it.each(['watchdog', 'emergency_stop', 'store_failed'] as const)(
    '%s is over unless it is told again',
    async (code) => {
      const ofSite = code === 'emergency_stop' && ({ source_kind: 'site', source_id: 'site', channel: null } as const);
      const about = { source_kind: 'input', ...ofSite, code } as const;
      const left = await leftBy(({ alarms }) => alarms.raise(condition(about)));
      const after = site(orderly, { left });
      await after.clock.advance(5_000);
      expect(after.codes()).toEqual([`${code} returned`]);
    },
  );
});
