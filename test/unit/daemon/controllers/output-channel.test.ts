import { describe, expect, it } from 'vitest';
import type { ChannelCommand } from '../../../../server/daemon/controllers/output/channel-demand.ts';
import { outputBench, runningBench as running } from '../../../support/output-bench.ts';

const on: ChannelCommand = { source: 'manual', actor: 'kim', value: 'on', hold: 'next_command' };
const off: ChannelCommand = { ...on, value: 'off' };
const automaticOn: ChannelCommand = { ...on, source: 'automatic', actor: 'pyro' };

describe('the outcome follows what the device does', () => {
  it.each([
    ['acknowledge', 'confirmed', undefined, 'on', 'good'],
    ['stay_silent', 'unknown', 'cannot_answer', 'on', 'commanded'],
    ['timed_out', 'unknown', 'timed_out', null, 'unknown'],
    ['bad_answer', 'unknown', 'bad_answer', null, 'unknown'],
    ['refused', 'failed', 'refused', 'off', 'good'],
    ['unsupported', 'failed', 'unsupported', 'off', 'good'],
  ] as const)('%s: %s %s', async (answer, outcome, code, state, quality) => {
    const { channel, actuator } = await running();
    actuator.answer = answer;
    const result = await channel.command(on);
    expect([result.outcome, result.code]).toEqual([outcome, code]);
    expect(channel.state()).toMatchObject({ state, quality });
  });

  it('is failed and unknown when the device cannot be reached, and the channel is driven safe once it can', async () => {
    const { channel, actuator, clock } = await running();
    actuator.answer = 'unreachable';
    expect(await channel.command(on)).toMatchObject({ outcome: 'failed', code: 'unreachable' });
    expect(channel.state()).toMatchObject({ state: null, quality: 'unknown' });
    actuator.answer = 'acknowledge';
    await clock.advance(2_000);
    expect(actuator.written).toEqual(['on', 'off', 'off']);
    expect(channel.state()).toMatchObject({ state: 'off', quality: 'good' });
  });

  it('is pending after 1.8 s, and the end comes as an event', async () => {
    const { channel, actuator, clock, told } = await running();
    actuator.answer = 'hang';
    const answer = channel.command(on);
    await clock.advance(1_799);
    expect(channel.state()).toMatchObject({ state: 'off', pending: true });
    await clock.advance(1);
    expect(await answer).toMatchObject({ outcome: 'pending' });
    actuator.give('acknowledge');
    await clock.advance(0);
    expect(told.at(-1)).toMatchObject({ state: { state: 'on', pending: false }, ended: { outcome: 'confirmed' } });
  });

  it('is unknown when a driver ignores its time and its signal', async () => {
    const { channel, actuator, clock, told } = await running();
    actuator.answer = 'hang';
    void channel.command(on);
    await clock.advance(10_500);
    expect(told.at(-1)?.ended).toMatchObject({ outcome: 'unknown', code: 'timed_out' });
    expect(channel.state()).toMatchObject({ state: null, pending: false });
  });

  it('never sends a command that a newer one overtook', async () => {
    const { channel, actuator, clock, told } = await running({ settings: { kind: 'dimmer' } });
    actuator.answer = 'hang';
    void channel.command({ ...on, value: 20 });
    const overtaken = channel.command({ ...on, value: 40 });
    const last = channel.command({ ...on, value: 60 });
    actuator.answer = 'acknowledge';
    actuator.give('acknowledge');
    await clock.advance(0);
    expect(await overtaken).toMatchObject({ outcome: 'failed', code: 'superseded' });
    expect(told.map(({ ended }) => ended)).toContainEqual({
      ...(await overtaken),
      commanded_by: 'kim',
      requested: 40,
      before: { state: 'off', quality: 'good', source: 'manual', actor: 'kim' },
    });
    expect(await last).toMatchObject({ outcome: 'confirmed' });
    expect(actuator.written).toEqual([20, 60]);
  });
});

describe('a program that says on without a duration', () => {
  it('prolongs nothing that is on until some time already', async () => {
    const { channel, clock } = await running();
    await channel.command({ ...automaticOn, duration_s: 60 });
    await clock.advance(10_000);
    expect(await channel.command(automaticOn)).toMatchObject({ outcome: 'confirmed' });
    await clock.advance(49_000);
    expect(channel.state().state).toBe('on');
    await clock.advance(1_500);
    expect(channel.state().state).toBe('off');
  });

  it('may name another duration, and after its end on is on', async () => {
    const { channel, clock } = await running();
    await channel.command({ ...automaticOn, duration_s: 60 });
    await channel.command({ ...automaticOn, duration_s: 120 });
    await clock.advance(61_000);
    expect(channel.state().state).toBe('on');
    await clock.advance(60_000);
    expect(channel.state().state).toBe('off');
    await channel.command(automaticOn);
    await clock.advance(3_600_000);
    expect(channel.state().state).toBe('on');
  });

  it('prolongs another value, and a person anything', async () => {
    const { channel, clock } = await running({ settings: { kind: 'dimmer' } });
    await channel.command({ ...automaticOn, value: 40, duration_s: 60 });
    await channel.command({ ...automaticOn, value: 70 });
    await clock.advance(3_600_000);
    expect(channel.state().state).toBe(70);
    await channel.command({ ...on, value: 40, duration_s: 60 });
    await channel.command({ ...on, value: 40 });
    await clock.advance(3_600_000);
    expect(channel.state().state).toBe(40);
  });
});

describe('the end of a command names who gave it', () => {
  const ends = ({ told }: ReturnType<typeof outputBench>): unknown[] =>
    told.flatMap(({ ended }) => (ended ? [[ended.outcome, ended.commanded_by]] : []));

  it.each([
    ['acknowledge', 'confirmed'],
    ['refused', 'failed'],
    ['timed_out', 'unknown'],
  ] as const)('%s', async (answer, outcome) => {
    const bench = await running();
    bench.told.length = 0;
    bench.actuator.answer = answer;
    await bench.channel.command(automaticOn);
    expect(ends(bench)).toEqual([[outcome, 'pyro']]);
  });

  it('also where a stronger one or the least time off kept it', async () => {
    const bench = await running({ settings: { min_off_s: 60 } });
    await bench.channel.command(on);
    await bench.channel.command({ ...off, hold: bench.clock.elapsed() + 90_000 });
    bench.told.length = 0;
    await bench.channel.command(automaticOn);
    await bench.clock.advance(60_000);
    await bench.channel.command(automaticOn);
    expect(ends(bench)).toEqual([
      ['blocked', 'pyro'],
      ['blocked', 'pyro'],
    ]);
  });

  it('but not of what follows by itself', async () => {
    const bench = await running();
    await bench.channel.command({ ...on, duration_s: 60 });
    bench.told.length = 0;
    await bench.clock.advance(60_000);
    expect(ends(bench)).toEqual([['confirmed', undefined]]);
  });
});

describe('safety', () => {
  it('tries on towards the safe state until the device takes it', async () => {
    const { channel, actuator, clock } = await running();
    await channel.command(on);
    actuator.answer = 'timed_out';
    expect(await channel.command(off)).toMatchObject({ outcome: 'unknown' });
    await clock.advance(7_000);
    expect(actuator.written).toEqual(['on', 'off', 'off', 'off', 'off']);
    actuator.answer = 'acknowledge';
    await clock.advance(8_000);
    expect(channel.state()).toMatchObject({ state: 'off', quality: 'good' });
    const { length } = actuator.written;
    await clock.advance(600_000);
    expect(actuator.written).toHaveLength(length);
  });

  it('does not repeat a command to turn on that nobody answered', async () => {
    const { channel, actuator, clock } = await running();
    actuator.answer = 'timed_out';
    await channel.command(on);
    actuator.answer = 'acknowledge';
    await clock.advance(600_000);
    expect(actuator.written).toEqual(['on']);
    expect(channel.state()).toMatchObject({ state: null, quality: 'unknown', source: 'manual' });
  });

  it('is driven safe when its state is lost', async () => {
    const { channel, actuator, clock } = await running();
    channel.observe('on');
    expect(channel.state()).toMatchObject({ state: 'on', quality: 'good', source: null });
    channel.observe(null);
    await clock.advance(0);
    expect(actuator.written).toEqual(['off']);
  });

  it('is brought back to its command when its device was away and is found elsewhere', async () => {
    const { channel, actuator, clock } = await running();
    await channel.command(on);
    channel.observe(null);
    await clock.advance(10_000);
    expect(actuator.written).toEqual(['on']);
    channel.observe('off');
    await clock.advance(0);
    expect(actuator.written).toEqual(['on', 'on']);
  });

  it('is watched, not fought, when somebody moves it by hand', async () => {
    const { channel, actuator, clock } = await running();
    await channel.command(on);
    channel.observe('off');
    await clock.advance(60_000);
    expect(actuator.written).toEqual(['on']);
    expect(channel.state()).toMatchObject({ state: 'off', quality: 'good', source: 'manual' });
  });
});

describe('a start', () => {
  /** What an earlier daemon left behind after the given commands, at the moment it died. */
  async function died(settings: Parameters<typeof outputBench>[0], ...commands: ChannelCommand[]) {
    const bench = await running(settings);
    for (const command of commands) await bench.channel.command(command);
    return bench;
  }

  it('drives the safe state first, then the override comes back with its end', async () => {
    const before = await died({}, { ...on, hold: 1_000 + 3_600_000 });
    const clock = before.clock;
    await clock.advance(600_000);
    const after = outputBench({ clock, store: before.control });
    await after.channel.start(before.row(), true);
    await clock.advance(0);
    expect(after.actuator.written).toEqual(['off', 'on']);
    expect(after.channel.state()).toMatchObject({ source: 'manual', actor: 'kim' });
    await clock.advance(3_000_000);
    expect(await after.channel.command({ ...automaticOn, value: 'off' })).toMatchObject({ outcome: 'confirmed' });
  });

  it('stays safe while what was left is held back, and keeps it', async () => {
    const before = await died({}, { ...on, hold: 1_000 + 3_600_000 });
    const after = outputBench({ clock: before.clock, store: before.control });
    await after.channel.start(before.row(), true, true);
    await after.clock.advance(20_000);
    expect(after.actuator.written).toEqual(['off']);
    expect(after.row()?.override_value).toBe('on');
    after.channel.comeBack();
    await after.clock.advance(0);
    expect(after.actuator.written).toEqual(['off', 'on']);
  });

  it('keeps the override while the device is away, and carries it out when it is back', async () => {
    const before = await died({}, { ...on, hold: 1_000 + 3_600_000 });
    const after = outputBench({ clock: before.clock, store: before.control });
    after.actuator.answer = 'unreachable';
    await after.channel.start(before.row(), true);
    await after.clock.advance(60_000);
    expect(after.row()?.override_value).toBe('on');
    after.actuator.answer = 'acknowledge';
    await after.clock.advance(31_000);
    expect(after.actuator.written.slice(-2)).toEqual(['off', 'on']);
    expect(after.channel.state()).toMatchObject({ state: 'on', source: 'manual' });
  });

  it('forgets a command that was no override, and an override that has run out', async () => {
    for (const hold of ['next_command', 1_000 + 60_000] as const) {
      const before = await died({}, { ...on, hold });
      await before.clock.advance(120_000);
      const after = outputBench({ clock: before.clock, store: before.control });
      await after.channel.start(before.row(), true);
      await after.clock.advance(0);
      expect(after.actuator.written).toEqual(['off']);
    }
  });

  it('counts min_off from the moment it was driven safe', async () => {
    const settings = { settings: { min_off_s: 300 } };
    const before = await died(settings, on);
    await before.clock.advance(60_000);
    const after = outputBench({ ...settings, clock: before.clock, store: before.control });
    await after.channel.start(before.row(), true);
    await after.clock.advance(299_000);
    expect(await after.channel.command(on)).toMatchObject({ code: 'min_off' });
    await after.clock.advance(1_000);
    expect(await after.channel.command(on)).toMatchObject({ outcome: 'confirmed' });
  });

  it('makes an override wait for min_off', async () => {
    const settings = { settings: { min_off_s: 300 } };
    const before = await died(settings, { ...on, hold: 1_000 + 3_600_000 });
    const after = outputBench({ ...settings, clock: before.clock, store: before.control });
    await after.channel.start(before.row(), true);
    await after.clock.advance(299_000);
    expect(after.channel.state()).toMatchObject({ state: 'off', source: 'safety', wanted: 'on' });
    await after.clock.advance(1_000);
    expect(after.channel.state()).toMatchObject({ state: 'on', source: 'manual' });
  });

  it('takes up the last value after safe, where configured', async () => {
    const settings = { settings: { kind: 'dimmer', startup_state: 'last' } } as const;
    const before = await died(settings, { ...on, value: 35 });
    const after = outputBench({ ...settings, clock: before.clock, store: before.control });
    await after.channel.start(before.row(), true);
    await after.clock.advance(0);
    expect(after.actuator.written).toEqual(['off', 35]);
  });

  it('does not take up without its end what was to end by itself', async () => {
    const settings = { settings: { startup_state: 'last' } } as const;
    const before = await died(settings, { ...on, duration_s: 600 });
    const after = outputBench({ ...settings, clock: before.clock, store: before.control });
    await after.channel.start(before.row(), true);
    await after.clock.advance(0);
    expect(after.channel.state()).toMatchObject({ state: 'off', wanted: null });
  });

  it('moves nothing twice after an orderly stop', async () => {
    const settings = { settings: { startup_state: 'last', shutdown_state: 'leave' } } as const;
    const before = await died(settings, on);
    expect(await before.channel.shutDown(false)).toBe(true);
    expect(before.actuator.written).toEqual(['on']);
    const after = outputBench({ ...settings, clock: before.clock, store: before.control });
    await after.channel.start(before.row(), false);
    await after.clock.advance(0);
    expect(after.actuator.written).toEqual(['on']);
  });
});

describe('a stop', () => {
  it('drives the safe state and takes no command afterwards', async () => {
    const { channel, actuator } = await running();
    await channel.command(on);
    expect(await channel.shutDown(false)).toBe(true);
    expect(actuator.written).toEqual(['on', 'off']);
    expect(await channel.command(on)).toMatchObject({ outcome: 'failed', code: 'stopping' });
  });

  it('leaves the output where configured, unless safety is forced', async () => {
    const { channel, actuator } = await running({ settings: { shutdown_state: 'leave' } });
    await channel.command(on);
    expect(await channel.shutDown(true)).toBe(true);
    expect(actuator.written).toEqual(['on', 'off']);
  });

  it('says when the safe state could not be reached', async () => {
    const { channel, actuator } = await running();
    await channel.command(on);
    actuator.answer = 'unreachable';
    expect(await channel.shutDown(false)).toBe(false);
  });
});

it('goes on controlling when nothing can be stored, and says so in the log', async () => {
  const { channel, control, logged } = await running();
  control.failure = new Error('disk full');
  expect(await channel.command(on)).toMatchObject({ outcome: 'confirmed' });
  expect(logged.at(-1)).toContain('disk full');
});
