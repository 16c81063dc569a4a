import { afterEach, describe, expect, it } from 'vitest';
import type { Alarm } from '../../../../server/contract/alarm.ts';
import { alarmBench, condition } from '../../../support/alarm-bench.ts';

type Bench = ReturnType<typeof alarmBench>;
const benches: Bench[] = [];

afterEach(() => {
  for (const { alarms } of benches.splice(0)) alarms.stop();
});

describe('what follows from a source that others need', () => {
  const lost = condition({ code: 'connection_lost', source_kind: 'connection', source_id: 'modbus gateway:502' });
  const of = (n: number, code: Alarm['code'] = 'controller_down') => condition({ code, source_id: `device ${n}` });
  const noticing_s = 40;
  const all = Array.from({ length: 40 }, (_, n) => n);

  function site(left: readonly Alarm[] = []): Bench {
    const needs = (id: string) => (id.startsWith('device') ? [{ source_id: lost.source_id, role: null }] : []);
    const bench = alarmBench({ needs, noticing_s: () => noticing_s });
    bench.alarms.start(left);
    benches.push(bench);
    return bench;
  }

  const spoken = ({ kept }: Bench): string[] =>
    kept
      .flatMap(({ entries }) => entries)
      .flatMap(({ state, state_before, code }) => (state === 'unacknowledged' && state_before !== state ? [code] : []));
  const states = ({ alarms }: Bench) => [...new Set(alarms.list().map(({ code, state }) => `${code} ${state}`))];

  async function cutOff(bench: Bench): Promise<void> {
    bench.alarms.raise(lost);
    for (const n of all) bench.alarms.raise(of(n));
    await bench.clock.advance(6_000);
  }

  it('is one alarm that is heard, and forty beneath it that end with it', async () => {
    const bench = site();
    await cutOff(bench);
    expect(states(bench)).toEqual(['connection_lost unacknowledged', 'controller_down suppressed']);
    bench.alarms.clear(lost);
    await bench.clock.advance(20_000);
    for (const n of all) bench.alarms.clear(of(n));
    await bench.clock.advance(60_000);
    expect(states(bench)).toEqual(['connection_lost returned']);
    expect(spoken(bench)).toEqual(['connection_lost']);
  });

  it('waits for a cause that is about to become an alarm, and speaks if it does not', async () => {
    const bench = site();
    bench.alarms.raise(lost);
    bench.alarms.raise(of(1, 'command_failed'));
    await bench.clock.advance(4_000);
    expect(bench.alarms.list()).toEqual([]);
    await bench.clock.advance(3_000);
    expect(states(bench)).toEqual(['connection_lost unacknowledged', 'command_failed suppressed']);

    const blip = site();
    blip.alarms.raise(lost);
    blip.alarms.raise(of(1, 'command_failed'));
    await blip.clock.advance(2_000);
    blip.alarms.clear(lost);
    await blip.clock.advance(2_000);
    expect(states(blip)).toEqual(['command_failed unacknowledged']);
  });

  it.each([
    ['comes', 'connection_lost unacknowledged', 'controller_down suppressed'],
    ['does not', 'controller_down unacknowledged'],
  ])('waits for a cause that is not sure, which then %s', async (end, ...after) => {
    const bench = site();
    for (const n of all) bench.alarms.raise(of(n));
    bench.alarms.suspect(lost);
    await bench.clock.advance(60_000);
    expect(bench.alarms.list()).toEqual([]);
    if (end === 'comes') bench.alarms.raise(lost);
    else bench.alarms.clear(lost);
    await bench.clock.advance(7_000);
    expect(states(bench)).toEqual(after);
  });

  it('leaves its trace when it ends while it waits for a cause', async () => {
    const bench = site();
    bench.alarms.raise(lost);
    bench.alarms.raise(of(1, 'command_failed'));
    bench.alarms.raise(of(1, 'stale'));
    await bench.clock.advance(2_000);
    bench.alarms.clear(of(1, 'command_failed'));
    bench.alarms.clear(of(1, 'stale'));
    bench.alarms.clear(lost);
    await bench.clock.advance(10_000);
    expect(states(bench)).toEqual(['command_failed returned']);
    expect(bench.journal()).toEqual(['raise: normal > unacknowledged', 'clear: unacknowledged > returned']);
  });

  it('is silenced although it was noticed first', async () => {
    const bench = site();
    for (const n of all) bench.alarms.raise(of(n));
    await bench.clock.advance(1_000);
    bench.alarms.raise(lost);
    await bench.clock.advance(9_000);
    expect(spoken(bench)).toEqual(['connection_lost']);
  });

  it('speaks for itself where it stays, once its source had the time to notice', async () => {
    const bench = site();
    await cutOff(bench);
    bench.alarms.clear(lost);
    for (const n of all.slice(1)) bench.alarms.clear(of(n));
    await bench.clock.advance(5_000 + noticing_s * 1000 - 1_000);
    expect(states(bench)).toEqual(['connection_lost returned', 'controller_down suppressed']);
    await bench.clock.advance(2_000);
    expect(states(bench)).toEqual(['connection_lost returned', 'controller_down unacknowledged']);
    expect(bench.alarms.list().at(-1)).toMatchObject({ source_id: 'device 0', caused_by: null });
  });

  it('follows from the nearest cause, and from the next when that is over', async () => {
    const bench = site();
    await cutOff(bench);
    bench.alarms.raise(of(1, 'stale'));
    await bench.clock.advance(6_000);
    const alarmOf = (code: Alarm['code'], source_id: string) =>
      bench.alarms.list().find((one) => one.code === code && one.source_id === source_id);
    expect(alarmOf('stale', 'device 1')?.caused_by).toBe(alarmOf('controller_down', 'device 1')?.alarm_id);
    bench.alarms.clear(of(1));
    await bench.clock.advance(6_000);
    expect(alarmOf('stale', 'device 1')?.caused_by).toBe(alarmOf('connection_lost', lost.source_id)?.alarm_id);
    expect(spoken(bench)).toEqual(['connection_lost']);
  });

  it('is silent in the next daemon too, which lets it speak when the cause has ended meanwhile', async () => {
    const first = site();
    await cutOff(first);
    const left = first.alarms.list();
    const second = site(left);
    second.alarms.raise(lost);
    await second.clock.advance(60_000);
    expect(spoken(second)).toEqual([]);

    const third = site(left.filter(({ code }) => code !== 'connection_lost').slice(0, 2));
    await third.clock.advance((noticing_s + 2) * 1000);
    expect(spoken(third)).toEqual(['controller_down', 'controller_down']);
  });

  it('keeps silent while the cause is shelved', async () => {
    const bench = site();
    await cutOff(bench);
    const [cause] = bench.alarms.list();
    await bench.alarms.shelve(cause?.alarm_id ?? '', 3_600, {});
    await bench.clock.advance(120_000);
    expect(states(bench)).toEqual(['connection_lost shelved', 'controller_down suppressed']);
  });
});

describe('a controller that stands still', () => {
  const sensor = condition({ code: 'stale', source_kind: 'input', source_id: 'probe', channel: null });
  const stopped = condition({ code: 'control_stopped', source_kind: 'controller', source_id: 'pid', channel: null });

  function bench(role: Alarm['role']): Bench {
    const one = alarmBench({ needs: (id) => (id === 'pid' ? [{ source_id: 'probe', role }] : []) });
    one.alarms.start([]);
    benches.push(one);
    one.alarms.raise(sensor);
    one.alarms.raise(stopped);
    return one;
  }
  const stateOf = ({ alarms }: Bench) => alarms.list().find(({ code }) => code === 'control_stopped')?.state;

  it('follows from the sensor that it reads', async () => {
    const pid = bench(null);
    await pid.clock.advance(10_000);
    expect(stateOf(pid)).toBe('suppressed');
  });

  it('speaks beside a sensor of its house, without which a program goes on', async () => {
    const program = bench('indoor_co2');
    await program.clock.advance(10_000);
    expect(stateOf(program)).toBe('unacknowledged');
  });

  it('speaks once it reads another sensor and had the time to notice, though the first is still lost', async () => {
    const reads = { now: 'probe' };
    const pid = alarmBench({ needs: () => [{ source_id: reads.now, role: null }], noticing_s: () => 5 });
    pid.alarms.start([]);
    benches.push(pid);
    pid.alarms.raise(sensor);
    pid.alarms.raise(stopped);
    await pid.clock.advance(10_000);
    expect(stateOf(pid)).toBe('suppressed');
    reads.now = 'another';
    await pid.clock.advance(7_000);
    expect(stateOf(pid)).toBe('unacknowledged');
  });

  it.each(['shelved', 'out of service'])('speaks once its cause is %s', async (how) => {
    const pid = bench(null);
    await pid.clock.advance(10_000);
    const id = pid.alarms.list().find(({ code }) => code === 'stale')?.alarm_id ?? '';
    await (how === 'shelved' ? pid.alarms.shelve(id, 3_600, {}) : pid.alarms.removeFromService(id, {}));
    await pid.clock.advance(60_000);
    expect(stateOf(pid)).toBe('unacknowledged');
  });
});

describe('a fault of a climate program or a house', () => {
  const sensor = condition({ code: 'stale', source_kind: 'input', source_id: 'thermometer', channel: null });
  const fault = (name: string, role: Alarm['role']) =>
    condition({ code: 'climate_fallback', source_kind: 'controller', source_id: 'climate', channel: null, name, role });

  it.each([
    ['of the role that the sensor has', 'suppressed', fault('no_thermometer', 'indoor_temp')],
    ['of another role', 'unacknowledged', fault('no_co2', 'indoor_co2')],
    ['of its water', 'unacknowledged', fault('leak', null)],
    ['held for another rule', 'unacknowledged', condition({ code: 'safety_gate', source_id: 'h', name: 'interlock' })],
    ['held without a fresh reading', 'suppressed', condition({ code: 'safety_gate', source_id: 'h', name: 'stale' })],
  ])('%s is %s beside a silent sensor', async (_, state, following) => {
    const bench = alarmBench({ needs: () => [{ source_id: 'thermometer', role: 'indoor_temp' }] });
    bench.alarms.start([]);
    benches.push(bench);
    bench.alarms.raise(sensor);
    bench.alarms.raise(following);
    await bench.clock.advance(61_000);
    expect(bench.alarms.list().find(({ code }) => code === following.code)?.state).toBe(state);
  });
});
