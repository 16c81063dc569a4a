import { afterEach, describe, expect, it } from 'vitest';
import type { Input } from '../../../../server/contract/input.ts';
import type { Output } from '../../../../server/contract/output.ts';
import { DaemonConditions } from '../../../../server/daemon/alarms/daemon-conditions.ts';
import { alarmBench, alarmDeviceId, condition } from '../../../support/alarm-bench.ts';
import { stateOf } from '../../../support/scripted-daemon.ts';

const running: { stop: () => void }[] = [];
afterEach(() => {
  for (const one of running.splice(0)) one.stop();
});

const orderly = { ended_orderly: true, has_run: true, crash_loop: null as string | null };

function site(left = orderly, devices: { input?: Input; output?: Output } = {}) {
  const bench = alarmBench();
  const input = { unique_id: alarmDeviceId, name: 'air', period_s: 10, is_activated: true } as Input; // no more is read
  const configuration = { input: () => devices.input ?? input, output: () => devices.output };
  const conditions = new DaemonConditions({ ...bench, configuration });
  bench.alarms.start([]);
  conditions.start(left);
  running.push(conditions, bench.alarms);
  const controller = (state: 'running' | 'failed' | 'stopped', reason: string | null = null) =>
    bench.events.push({ kind: 'controller', controller_id: alarmDeviceId, controller_type: 'Input', state, reason });
  const reading = () =>
    bench.events.push({
      ...{ kind: 'measurement', device_id: alarmDeviceId, measurement_id: alarmDeviceId, channel: 0 },
      ...{ value: 1, unit: 'C', quality: 'good', time_ms: 0 },
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

  it('is that daemons end again and again, which says more than each restart, until this one has run for a minute', async () => {
    const { alarms, clock, codes } = site({ ended_orderly: false, has_run: true, crash_loop: 'it ended with code 1' });
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
      configuration: { input: () => undefined, output: () => undefined },
    });
    bench.alarms.raise(condition());
    running.push(conditions, bench.alarms);
    conditions.start(orderly);
    expect(bench.alarms.list()).toMatchObject([{ code: 'command_failed', is_raised: false }]);
  });
});
