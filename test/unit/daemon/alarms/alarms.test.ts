import { afterEach, describe, expect, it } from 'vitest';
import type { Alarm } from '../../../../server/contract/alarm.ts';
import { alarmBench, alarmDeviceId, condition } from '../../../support/alarm-bench.ts';
import { settled } from '../../../support/manual-clock.ts';

type Bench = ReturnType<typeof alarmBench>;
const benches: Bench[] = [];

function running(left: readonly Alarm[] = [], now?: number): Bench {
  const bench = alarmBench();
  if (now !== undefined) bench.clock.setTimeOfDay(now);
  bench.alarms.start(left);
  benches.push(bench);
  return bench;
}

afterEach(() => {
  for (const { alarms } of benches.splice(0)) alarms.stop();
});

const only = ({ alarms }: Bench): Alarm => {
  const [alarm, ...others] = alarms.list();
  if (alarm === undefined || others.length > 0) throw new Error(`${alarms.list().length} alarms`);
  return alarm;
};

describe('an alarm', () => {
  it('is told, listed and written down when its condition comes', () => {
    const bench = running();
    bench.alarms.raise(condition({ value: 3, limit: 2, unit: 'K' }));
    expect(only(bench)).toMatchObject({ state: 'unacknowledged', is_raised: true, value: 3, limit: 2, unit: 'K' });
    expect(bench.told).toHaveLength(1);
    expect(bench.told[0]).toMatchObject({ kind: 'alarm', ...only(bench) });
    expect(bench.journal()).toEqual(['raise: normal > unacknowledged']);
  });

  it('says nothing more while its condition is raised again and again', () => {
    const bench = running();
    for (let times = 0; times < 5; times += 1) bench.alarms.raise(condition());
    expect(bench.told).toHaveLength(1);
  });

  it('says it when the same condition becomes worse', () => {
    const bench = running();
    bench.alarms.raise(condition());
    bench.alarms.raise(condition({ severity: 'emergency' }));
    expect(bench.told.map(({ severity }) => severity)).toEqual(['warning', 'emergency']);
    expect(bench.journal()).toHaveLength(1);
  });

  it('stays until somebody saw it, and is gone afterwards', async () => {
    const bench = running();
    bench.alarms.raise(condition());
    bench.alarms.clear(condition());
    expect(only(bench)).toMatchObject({ state: 'returned', is_raised: false });
    const after = await bench.alarms.acknowledge(only(bench).alarm_id, { actor: 'kim', note: 'valve was closed' });
    expect(after).toMatchObject({ state: 'normal', acknowledged_by: 'kim' });
    expect(bench.alarms.list()).toEqual([]);
    expect(bench.kept.at(-1)?.entries[0]).toMatchObject({ actor: 'kim', note: 'valve was closed' });
  });

  it('has its identifier again when it comes back, asks to be seen again and counts', async () => {
    const bench = running();
    bench.alarms.raise(condition());
    const { alarm_id } = only(bench);
    bench.alarms.clear(condition());
    bench.alarms.raise(condition());
    expect(only(bench)).toMatchObject({ alarm_id, state: 'unacknowledged', occurrences: 2 });
    await bench.alarms.acknowledge(alarm_id, { actor: 'kim' });
    bench.alarms.clear(condition());
    bench.alarms.raise(condition());
    expect(only(bench)).toMatchObject({ alarm_id, acknowledged_by: null, occurrences: 1 });
  });

  it('that latches waits for a reset although it was acknowledged', async () => {
    const bench = running();
    bench.alarms.raise(condition({ code: 'watchdog' }));
    await bench.alarms.acknowledge(only(bench).alarm_id, { actor: 'kim' });
    bench.alarms.clear(condition({ code: 'watchdog' }));
    expect(only(bench).state).toBe('latched');
    await bench.alarms.acknowledge(only(bench).alarm_id, { actor: 'kim' });
    expect(bench.alarms.list()).toEqual([]);
  });

  it('refuses what its state does not take, and what is not there', async () => {
    const bench = running();
    bench.alarms.raise(condition());
    const { alarm_id } = only(bench);
    await expect(bench.alarms.unshelve(alarm_id, {})).rejects.toMatchObject({ code: 'conflict' });
    await expect(bench.alarms.acknowledge(alarmDeviceId, {})).rejects.toMatchObject({ code: 'not_found' });
    expect(bench.journal()).toHaveLength(1);
  });

  it('says it when what the device says of it changes, but not each new value', () => {
    const bench = running();
    bench.alarms.raise(condition({ value: 1 }));
    bench.alarms.raise(condition({ value: 2 }));
    bench.alarms.raise(condition({ value: 3, message: 'no answer' }));
    expect(bench.told.map(({ value, message }) => [value, message])).toEqual([
      [1, null],
      [3, 'no answer'],
    ]);
    expect(bench.journal()).toHaveLength(1);
  });

  it('is acknowledged once, and not when it is gone', async () => {
    const bench = running();
    bench.alarms.raise(condition());
    const { alarm_id } = only(bench);
    await bench.alarms.acknowledge(alarm_id, { actor: 'kim' });
    await expect(bench.alarms.acknowledge(alarm_id, { actor: 'lee' })).rejects.toMatchObject({ code: 'conflict' });
    expect(only(bench).acknowledged_by).toBe('kim');
    bench.alarms.clear(condition());
    await expect(bench.alarms.acknowledge(alarm_id, { actor: 'lee' })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('has every transition in the journal, with who made it and why', async () => {
    const bench = running();
    const by = (note: string) => ({ actor: 'kim', note });
    bench.alarms.raise(condition());
    const { alarm_id } = only(bench);
    await bench.alarms.shelve(alarm_id, 60, by('later'));
    await bench.alarms.unshelve(alarm_id, by('now'));
    await bench.alarms.removeFromService(alarm_id, by('repair'));
    await bench.alarms.returnToService(alarm_id, by('repaired'));
    await bench.alarms.acknowledge(alarm_id, by('seen'));
    bench.alarms.clear(condition());
    const entries = bench.kept.flatMap((change) => change.entries);
    expect(entries.map(({ transition, state, actor, note }) => [transition, state, actor, note])).toEqual([
      ['raise', 'unacknowledged', null, null],
      ['shelve', 'shelved', 'kim', 'later'],
      ['unshelve', 'unacknowledged', 'kim', 'now'],
      ['remove_from_service', 'out_of_service', 'kim', 'repair'],
      ['return_to_service', 'unacknowledged', 'kim', 'repaired'],
      ['acknowledge', 'acknowledged', 'kim', 'seen'],
      ['clear', 'normal', null, null],
    ]);
  });

  it('is the first out of its source only when nothing else speaks there', () => {
    const { alarms } = running();
    alarms.raise(condition());
    alarms.raise(condition({ channel: 1 }));
    alarms.raise(condition({ source_id: 'elsewhere' }));
    expect(alarms.list().map(({ is_first_out }) => is_first_out)).toEqual([true, false, true]);
  });
});

describe('a flood', () => {
  it('keeps every alarm and every line of the journal, and names the one that came first', () => {
    const bench = running();
    for (let channel = 0; channel < 500; channel += 1) bench.alarms.raise(condition({ channel }));
    expect(bench.alarms.list()).toHaveLength(500);
    expect(bench.journal()).toHaveLength(500);
    const first = bench.alarms.list().filter(({ is_first_out }) => is_first_out);
    expect(first.map(({ channel }) => channel)).toEqual([0]);
  });
});

describe('the next daemon', () => {
  const slow = condition({ code: 'controller_down' });

  async function left(): Promise<Alarm> {
    const bench = running();
    bench.alarms.raise(slow);
    await bench.clock.advance(5_000);
    return only(bench);
  }

  it('keeps an alarm and does not raise it twice', async () => {
    const before = await left();
    const bench = running([before]);
    bench.alarms.raise(slow);
    await bench.clock.advance(60_000);
    expect(bench.told).toEqual([]);
    expect(only(bench)).toEqual(before);
  });

  it('begins a delay anew: nobody knows what was meanwhile', async () => {
    const bench = running([await left()]);
    bench.alarms.clear(slow);
    await bench.clock.advance(4_999);
    expect(only(bench).is_raised).toBe(true);
    await bench.clock.advance(1);
    expect(only(bench).state).toBe('returned');
  });
});

describe('delays', () => {
  const slow = condition({ code: 'controller_down' });

  it('keep back what is gone again in time', async () => {
    const bench = running();
    bench.alarms.raise(slow);
    await bench.clock.advance(4_000);
    bench.alarms.clear(slow);
    await bench.clock.advance(60_000);
    expect(bench.told).toEqual([]);
  });

  it('run from the first sign, however often it is repeated', async () => {
    const bench = running();
    for (let second = 0; second < 6; second += 1) {
      bench.alarms.raise(slow);
      await bench.clock.advance(1_000);
    }
    expect(only(bench).state).toBe('unacknowledged');
  });

  it('keep an alarm that flickers from being told anew', async () => {
    const bench = running();
    bench.alarms.raise(slow);
    await bench.clock.advance(6_000);
    for (let times = 0; times < 10; times += 1) {
      bench.alarms.clear(slow);
      await bench.clock.advance(2_000);
      bench.alarms.raise(slow);
      await bench.clock.advance(2_000);
    }
    expect(bench.told).toHaveLength(1);
    bench.alarms.clear(slow);
    await bench.clock.advance(6_000);
    expect(only(bench).state).toBe('returned');
  });
});

const dayMs = 86_400_000;

describe('a shelved alarm', () => {
  it('comes back by itself when its time is over', async () => {
    const bench = running();
    bench.alarms.raise(condition());
    const shelved = await bench.alarms.shelve(only(bench).alarm_id, 600, { actor: 'kim' });
    expect(shelved).toMatchObject({ state: 'shelved' });
    expect(Date.parse(shelved.shelved_until ?? '')).toBe(bench.clock.now() + 600_000);
    await bench.clock.advance(599_000);
    expect(only(bench).state).toBe('shelved');
    await bench.clock.advance(2_000);
    expect(only(bench)).toMatchObject({ state: 'unacknowledged', shelved_until: null });
    expect(bench.kept.at(-1)?.entries[0]).toMatchObject({ transition: 'unshelve', actor: null });
  });

  it('is gone afterwards when its condition went meanwhile', async () => {
    const bench = running();
    bench.alarms.raise(condition());
    await bench.alarms.shelve(only(bench).alarm_id, 600, {});
    bench.alarms.clear(condition());
    expect(only(bench)).toMatchObject({ state: 'shelved', is_raised: false });
    await bench.clock.advance(601_000);
    expect(bench.alarms.list()).toEqual([]);
  });

  it('is still shelved in the next daemon, and comes back there', async () => {
    const first = running();
    first.alarms.raise(condition());
    const left = await first.alarms.shelve(only(first).alarm_id, 600, {});
    const second = running([left], first.clock.now() + 601_000);
    await second.clock.advance(1_000);
    expect(only(second).state).toBe('unacknowledged');
  });

  it.each([
    ['a year back', -365 * dayMs],
    ['a year ahead', 365 * dayMs],
  ])('comes back after its time although the clock was set %s, and tells when', async (_, step) => {
    const bench = running();
    bench.alarms.raise(condition());
    await bench.alarms.shelve(only(bench).alarm_id, 600, {});
    bench.clock.setTimeOfDay(bench.clock.now() + step);
    await bench.clock.advance(100_000);
    expect(Date.parse(only(bench).shelved_until ?? '')).toBe(bench.clock.now() + 500_000);
    expect(bench.kept.at(-1)?.alarms).toEqual([only(bench)]);
    await bench.clock.advance(499_000);
    expect(only(bench).state).toBe('shelved');
    await bench.clock.advance(2_000);
    expect(only(bench).state).toBe('unacknowledged');
  });

  it('is silent for no longer than it was to be where the next daemon starts with a clock a year back', async () => {
    const first = running();
    first.alarms.raise(condition());
    let left = await first.alarms.shelve(only(first).alarm_id, 600, {});
    const back = first.clock.now() - 365 * dayMs;
    for (const from_s of [0, 300]) {
      const next = running([left], back + from_s * 1000);
      await next.clock.advance(298_000);
      left = only(next);
      expect(left.state).toBe('shelved');
    }
    const last = running([left], back + 602_000);
    await last.clock.advance(1_000);
    expect(only(last).state).toBe('unacknowledged');
  });
});

describe('the consequence of another alarm', () => {
  const cause = condition({ code: 'controller_down', channel: null });
  const consequence = condition({ code: 'output_unknown' });

  it('is silent while that is there and speaks when it is gone', async () => {
    const bench = running();
    bench.alarms.raise(consequence);
    await bench.clock.advance(6_000);
    bench.alarms.raise(cause);
    await bench.clock.advance(6_000);
    const stateOf = (code: string) => bench.alarms.list().find((alarm) => alarm.code === code)?.state;
    expect(stateOf('output_unknown')).toBe('suppressed');
    bench.alarms.clear(cause);
    await bench.clock.advance(6_000);
    expect(stateOf('output_unknown')).toBe('unacknowledged');
  });

  it('is silent from the start when it comes later, and at another device not at all', async () => {
    const bench = running();
    bench.alarms.raise(cause);
    await bench.clock.advance(6_000);
    bench.alarms.raise(consequence);
    bench.alarms.raise({ ...consequence, source_id: 'elsewhere' });
    await bench.clock.advance(6_000);
    expect(bench.alarms.list().map(({ state }) => state)).toEqual(['unacknowledged', 'suppressed', 'unacknowledged']);
  });

  it('of a failed command is what its own channel is left in, and not the next one', async () => {
    const bench = running();
    bench.alarms.raise(condition({ code: 'command_failed', channel: 0 }));
    bench.alarms.raise(condition({ code: 'output_unknown', channel: 0 }));
    bench.alarms.raise(condition({ code: 'output_unknown', channel: 1 }));
    await bench.clock.advance(6_000);
    const states = bench.alarms.list().map(({ code, channel, state }) => `${code} ${channel} ${state}`);
    expect(states.sort()).toEqual([
      'command_failed 0 unacknowledged',
      'output_unknown 0 suppressed',
      'output_unknown 1 unacknowledged',
    ]);
  });
});

describe('a consequence beside its cause', () => {
  const cause = condition({ code: 'controller_down', channel: null });
  const consequence = condition({ code: 'output_unknown' });
  const states = ({ alarms }: Bench) => Object.fromEntries(alarms.list().map(({ code, state }) => [code, state]));

  it('does not speak when both are over', async () => {
    const bench = running();
    bench.alarms.raise(cause);
    bench.alarms.raise(consequence);
    await bench.clock.advance(6_000);
    bench.alarms.clear(cause);
    await bench.clock.advance(1_000);
    bench.alarms.clear(consequence);
    await bench.clock.advance(60_000);
    expect(states(bench)).toEqual({ controller_down: 'returned' });
    expect(bench.told.filter(({ code, state }) => code === 'output_unknown' && state === 'unacknowledged')).toEqual([]);
  });

  it('still waits to be seen where it was over before', async () => {
    const bench = running();
    bench.alarms.raise(consequence);
    await bench.clock.advance(6_000);
    bench.alarms.clear(consequence);
    await bench.clock.advance(6_000);
    bench.alarms.raise(cause);
    await bench.clock.advance(6_000);
    expect(states(bench)).toEqual({ controller_down: 'unacknowledged', output_unknown: 'returned' });
  });

  it('keeps silent when the time on its shelf is over', async () => {
    const bench = running();
    bench.alarms.raise(consequence);
    await bench.clock.advance(6_000);
    await bench.alarms.shelve(only(bench).alarm_id, 60, {});
    bench.alarms.raise(cause);
    await bench.clock.advance(61_000);
    expect(states(bench)).toEqual({ controller_down: 'unacknowledged', output_unknown: 'suppressed' });
  });

  it('is of the same quantity: frost says nothing of humidity', async () => {
    const bench = running();
    bench.alarms.raise(condition({ code: 'frost', role: 'indoor_temp' }));
    bench.alarms.raise(condition({ code: 'out_of_band', role: 'indoor_humidity' }));
    await bench.clock.advance(60_000);
    expect(states(bench)).toEqual({ frost: 'unacknowledged', out_of_band: 'unacknowledged' });
  });

  it('is held by the same rule: wind says nothing of a sensor that is silent', async () => {
    const bench = running();
    bench.alarms.raise(condition({ code: 'wind' }));
    bench.alarms.raise(condition({ code: 'safety_gate', name: 'stale' }));
    await bench.clock.advance(60_000);
    expect(states(bench)).toEqual({ wind: 'unacknowledged', safety_gate: 'unacknowledged' });
  });
});

describe('out of service', () => {
  it('keeps silent until it is returned, whatever the condition does', async () => {
    const bench = running();
    bench.alarms.raise(condition());
    const { alarm_id } = only(bench);
    await bench.alarms.removeFromService(alarm_id, { actor: 'kim', note: 'new valve' });
    bench.alarms.clear(condition());
    bench.alarms.raise(condition());
    expect(only(bench).state).toBe('out_of_service');
    await bench.alarms.returnToService(alarm_id, { actor: 'kim' });
    expect(only(bench).state).toBe('unacknowledged');
  });
});

describe('what a facility reports', () => {
  it('is raised where it is named and cleared where it is no longer', () => {
    const bench = running();
    const ofHouse = { source_kind: 'facility', source_id: 'house', channel: null } as const;
    const frost = condition({ ...ofHouse, code: 'frost', role: 'indoor_temp' });
    bench.alarms.raise(condition());
    bench.alarms.report('house', [frost, condition({ ...ofHouse, code: 'custom' })]);
    bench.alarms.report('house', [frost]);
    expect(bench.alarms.list().map(({ code, state }) => `${code} ${state}`)).toEqual([
      'command_failed unacknowledged',
      'frost unacknowledged',
      'custom returned',
    ]);
  });
});

describe('a disk that refuses', () => {
  it('stops no alarm, but a command of a person is not said to be kept', async () => {
    const bench = running();
    bench.disk.failure = new Error('disk full');
    bench.alarms.raise(condition());
    await settled();
    expect(only(bench).state).toBe('unacknowledged');
    expect(bench.lines.join()).toContain('disk full');
    await expect(bench.alarms.acknowledge(only(bench).alarm_id, {})).rejects.toThrow('disk full');
  });
});
