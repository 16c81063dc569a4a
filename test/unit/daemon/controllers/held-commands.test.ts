import { describe, expect, it } from 'vitest';
import type { ChannelCommand } from '../../../../server/daemon/controllers/output/channel-demand.ts';
import type { GateRule } from '../../../../server/daemon/safety/gate.ts';
import { outputBench, runningBench as running } from '../../../support/output-bench.ts';

const on: ChannelCommand = { source: 'manual', actor: 'kim', value: 'on', hold: 'next_command' };
const off: ChannelCommand = { ...on, value: 'off' };
const automaticOn: ChannelCommand = { ...on, source: 'automatic', actor: 'pyro' };

describe('an override', () => {
  it('keeps as wanted what was accepted before it, and lets it take effect when it ends', async () => {
    const { channel, clock, overridesEnded } = await running();
    await channel.command(automaticOn);
    await channel.command({ ...off, hold: clock.elapsed() + 60_000 });
    expect(channel.state()).toMatchObject({ state: 'off', source: 'manual', actor: 'kim', wanted: 'on' });
    await clock.advance(60_000);
    expect(channel.state()).toMatchObject({ state: 'on', source: 'automatic', actor: 'pyro', wanted: null });
    expect(overridesEnded).toEqual([
      {
        channel: 0,
        ended_by: 'expired',
        released_by: null,
        actor: 'kim',
        value: 'off',
        override_until: new Date(clock.now()).toISOString(),
        next: { source: 'automatic', actor: 'pyro', value: 'on' },
      },
    ]);
  });

  it('keeps as wanted the standing demand of a controller, for as long as it takes', async () => {
    const { channel, clock } = await running();
    await channel.command({ ...off, hold: clock.elapsed() + 86_400_000 });
    const demand = await channel.command({ ...automaticOn, keep: 'standing' });
    expect(demand).toMatchObject({ outcome: 'pending', code: 'overridden' });
    expect(channel.state()).toMatchObject({ wanted: 'on', kept: { value: 'on', actor: 'pyro', until: null } });
    await clock.advance(86_400_000);
    expect(channel.state()).toMatchObject({ state: 'on', source: 'automatic' });
  });

  it('with nobody else asking for anything ends visibly, and the output goes safe', async () => {
    const { channel, clock, told, overridesEnded, row } = await running({ settings: { startup_state: 'last' } });
    const until = new Date(clock.now() + 60_000).toISOString();
    await channel.command({ ...on, reason: 'drying', hold: clock.elapsed() + 60_000 });
    await clock.advance(60_000);
    const ended_at = new Date(clock.now()).toISOString();
    const ended = { ended_by: 'expired', released_by: null, actor: 'kim', value: 'on', override_until: until };
    const after = { state: 'off', source: null, actor: null, until: null, override_until: null };
    expect(channel.state()).toMatchObject({ ...after, override_ended: { ...ended, ended_at, reason: 'drying' } });
    expect(told.at(-1)?.state).toMatchObject(after);
    expect(overridesEnded).toEqual([{ channel: 0, ...ended, next: null }]);
    expect(await channel.releaseManual('kim')).toBe(false);
    expect(row()).toMatchObject({ override_value: null, last_value: null });
    await channel.command(on);
    expect(channel.state().override_ended).toBeUndefined();
  });

  it('that held an output in its safe state ends visibly although nothing moves', async () => {
    const { channel, clock, told, actuator } = await running();
    await channel.command({ ...off, hold: clock.elapsed() + 60_000 });
    const mark = [told.length, actuator.written.length] as const;
    await clock.advance(60_000);
    expect(told.slice(mark[0]).at(-1)?.state).toMatchObject({ source: null, override_until: null });
    expect(actuator.written).toHaveLength(mark[1]);
  });

  it('goes on being ended where the device does not take the safe state at once', async () => {
    const { channel, clock, actuator } = await running();
    await channel.command({ ...on, hold: clock.elapsed() + 60_000 });
    actuator.answer = 'refused';
    await clock.advance(60_000);
    expect(channel.state()).toMatchObject({ state: 'on', source: null });
    actuator.answer = 'acknowledge';
    await clock.advance(2_000);
    expect(channel.state().state).toBe('off');
  });

  it('is ended by its release, for what was accepted before or the safe state', async () => {
    const { channel, clock, overridesEnded } = await running();
    await channel.command(automaticOn);
    await channel.command({ ...off, hold: clock.elapsed() + 60_000 });
    expect(await channel.releaseManual('anna')).toBe(true);
    expect(channel.state()).toMatchObject({ state: 'on', source: 'automatic' });
    expect(await channel.releaseManual('anna')).toBe(false);
    await channel.command({ ...automaticOn, value: 'off' });
    await channel.command(on);
    expect(await channel.releaseManual('anna')).toBe(true);
    expect(channel.state()).toMatchObject({ state: 'off', source: null });
    expect(overridesEnded.map(({ ended_by, released_by, next }) => [ended_by, released_by, next?.source])).toEqual([
      ['released', 'anna', 'automatic'],
      ['released', 'anna', undefined],
    ]);
  });

  it('is ended by an emergency stop, which says so', async () => {
    const { channel, clock, overridesEnded, emergency } = await running();
    await channel.command({ ...on, hold: clock.elapsed() + 60_000 });
    emergency.held = { since_ms: 0, actor: 'anna', reason: null };
    await channel.stopNow();
    const ended = { ended_by: 'emergency_stop', released_by: 'anna', actor: 'kim', value: 'on' };
    expect(overridesEnded).toMatchObject([{ ...ended, next: null }]);
    expect(channel.state()).toMatchObject({ state: 'off', override_ended: ended });
  });

  it('that ran out while the daemon was away does not come back, as the last value neither', async () => {
    const settings = { settings: { startup_state: 'last', shutdown_state: 'leave' } } as const;
    const before = await running(settings);
    await before.channel.command({ ...on, hold: before.clock.elapsed() + 60_000 });
    await before.channel.shutDown(false);
    await before.clock.advance(120_000);
    const after = outputBench({ ...settings, clock: before.clock, store: before.control });
    await after.channel.start(before.row(), false);
    await after.clock.advance(0);
    expect(after.channel.state()).toMatchObject({ state: 'off', source: null });
    expect(after.overridesEnded).toMatchObject([{ ended_by: 'expired', actor: 'kim', next: null }]);
  });

  it('comes back as well where the disk tells of it late, unless something else was asked for since', async () => {
    const before = await running();
    await before.channel.command({ ...on, hold: before.clock.elapsed() + 60_000 });
    const row = before.row();
    const late = async () => {
      const after = outputBench({ clock: before.clock });
      await after.channel.start(undefined, true);
      return after;
    };
    const untouched = await late();
    expect(untouched.channel.state()).toMatchObject({ state: 'off', source: null });
    if (row) untouched.channel.recall(row);
    await before.clock.advance(0);
    expect(untouched.channel.state()).toMatchObject({ state: 'on', source: 'manual', actor: 'kim' });
    expect(untouched.row()).toMatchObject({ override_value: 'on' });

    const commanded = await late();
    await commanded.channel.command({ ...on, value: 'off' });
    await commanded.channel.release('manual');
    const stopped = await late();
    await stopped.channel.stopNow();
    for (const { channel } of [commanded, stopped]) if (row) channel.recall(row);
    await before.clock.advance(0);
    for (const { channel } of [commanded, stopped]) expect(channel.state()).toMatchObject({ state: 'off' });
  });

  it('is kept before the command is confirmed', async () => {
    const { channel, clock, row } = await running();
    await channel.command({ ...on, hold: clock.elapsed() + 60_000, reason: 'frost' });
    expect(row()).toMatchObject({
      override_value: 'on',
      override_actor: 'kim',
      override_reason: 'frost',
      override_until_ms: clock.now() + 60_000,
    });
  });

  it('that the device refuses leaves the former one standing', async () => {
    const { channel, actuator, clock } = await running({ settings: { kind: 'dimmer' } });
    await channel.command({ ...on, value: 30, hold: clock.elapsed() + 60_000 });
    actuator.answer = 'refused';
    expect(await channel.command({ ...on, value: 80 })).toMatchObject({ outcome: 'failed' });
    expect(channel.state()).toMatchObject({ state: 30, until: new Date(clock.now() + 60_000).toISOString() });
  });
});

/** A channel whose gate can be shut and opened. */
async function gated(settings: Parameters<typeof outputBench>[0] = {}) {
  const gate = { isShut: true };
  const rule: GateRule = ({ value }) =>
    gate.isShut && value !== 'off' ? { rule: 'interlock', message: 'the roof vent is open', value: 'off' } : undefined;
  const bench = await running({ ...settings, rules: [rule] });
  const open = async (): Promise<void> => {
    gate.isShut = false;
    bench.channel.reconsider();
    await bench.clock.advance(0);
  };
  const shut = async (): Promise<void> => {
    gate.isShut = true;
    bench.channel.reconsider();
    await bench.clock.advance(0);
  };
  const ends = (): unknown[] =>
    bench.told.flatMap(({ ended }) => (ended ? [[ended.outcome, ended.code, ended.commanded_by]] : []));
  return { ...bench, open, shut, ends };
}

describe('a command that is held back', () => {
  it.each(['manual', 'automatic'] as const)('%s: is refused with its rule and dropped for good', async (source) => {
    const { channel, actuator, clock, open } = await gated();
    expect(await channel.command({ ...on, source })).toMatchObject({ outcome: 'blocked', code: 'interlock' });
    expect(channel.state()).toMatchObject({ state: 'off', source: null, rule: null, wanted: null });
    await open();
    await clock.advance(86_400_000);
    expect(actuator.written).not.toContain('on');
  });

  it('by a stronger command is dropped for good', async () => {
    const { channel, clock, actuator } = await running();
    await channel.command({ ...off, hold: clock.elapsed() + 60_000 });
    expect(await channel.command(automaticOn)).toMatchObject({ outcome: 'blocked', code: 'overridden' });
    expect(channel.state()).toMatchObject({ state: 'off', source: 'manual', wanted: null });
    await clock.advance(120_000);
    expect(actuator.written).not.toContain('on');
  });

  it('by the least time off is dropped for good', async () => {
    const { channel, clock, actuator } = await running({ settings: { min_off_s: 60 } });
    await channel.command(on);
    await channel.command(off);
    expect(await channel.command(on)).toMatchObject({ outcome: 'blocked', code: 'min_off' });
    await clock.advance(120_000);
    expect(actuator.written).toEqual(['on', 'off']);
  });

  it('leaves what was accepted before it as it was', async () => {
    const { channel, open, shut } = await gated({ settings: { kind: 'dimmer' } });
    await open();
    await channel.command({ ...on, value: 40 });
    await shut();
    expect(channel.state()).toMatchObject({ state: 'off', source: 'safety', rule: 'interlock', wanted: 40 });
    expect(await channel.command({ ...on, value: 80 })).toMatchObject({ outcome: 'blocked' });
    expect(channel.state()).toMatchObject({ wanted: 40 });
    await open();
    expect(channel.state()).toMatchObject({ state: 40, source: 'manual', wanted: null });
  });

  it('towards safety takes back what its source was accepted with before', async () => {
    const { channel, clock, actuator } = await running();
    await channel.command(automaticOn);
    await channel.command({ ...on, hold: clock.elapsed() + 60_000 });
    expect(await channel.command({ ...automaticOn, value: 'off' })).toMatchObject({ code: 'overridden' });
    await clock.advance(60_000);
    expect(channel.state()).toMatchObject({ state: 'off', source: null });
    expect(actuator.written.at(-1)).toBe('off');
  });
});

describe('a command that is to be kept', () => {
  const kept: ChannelCommand = { ...on, keep: 'for_a_while' };

  it('is pending until it acts, which is told as its end', async () => {
    const { channel, actuator, clock, open, ends } = await gated();
    expect(await channel.command({ ...kept, reason: 'frost' })).toEqual({
      outcome: 'pending',
      code: 'interlock',
      message: 'kept, for now the roof vent is open',
    });
    const until = new Date(clock.now() + 3_600_000).toISOString();
    expect(channel.state()).toMatchObject({
      state: 'off',
      rule: 'interlock',
      wanted: 'on',
      pending: false,
      kept: { value: 'on', source: 'manual', actor: 'kim', reason: 'frost', until },
    });
    expect(actuator.written).not.toContain('on');
    await open();
    expect(channel.state()).toMatchObject({ state: 'on', source: 'manual', actor: 'kim', rule: null, wanted: null });
    expect(channel.state().kept).toBeUndefined();
    expect(ends().slice(-2)).toEqual([
      ['pending', 'interlock', 'kim'],
      ['confirmed', undefined, 'kim'],
    ]);
  });

  it('is on for as long as was asked, from when it acts', async () => {
    const { channel, clock, open } = await gated();
    await channel.command({ ...kept, duration_s: 6 });
    await clock.advance(4_000);
    await open();
    await clock.advance(5_999);
    expect(channel.state().state).toBe('on');
    await clock.advance(1);
    expect(channel.state().state).toBe('off');
  });

  it('waits for the least time off', async () => {
    const { channel, clock } = await running({ settings: { min_off_s: 60 } });
    await channel.command(on);
    await channel.command(off);
    expect(await channel.command(kept)).toMatchObject({ outcome: 'pending', code: 'min_off' });
    await clock.advance(59_999);
    expect(channel.state().state).toBe('off');
    await clock.advance(1);
    expect(channel.state()).toMatchObject({ state: 'on', source: 'manual' });
  });

  it.each([
    ['after an hour', {}, 3_600_000],
    ['with its override', { hold: 1_000 + 60_000 }, 60_000],
  ] as const)('expires %s', async (_, more, afterMs) => {
    const { channel, actuator, clock, open, ends } = await gated();
    await channel.command({ ...kept, ...more });
    await clock.advance(afterMs - 1);
    expect(channel.state().kept).toBeDefined();
    await clock.advance(1);
    expect(channel.state()).toMatchObject({ source: null, rule: null, wanted: null });
    expect(ends().at(-1)).toEqual(['blocked', 'expired', 'kim']);
    await open();
    expect(actuator.written).not.toContain('on');
  });

  it.each([
    ['a newer command', off, 'superseded'],
    ['a newer one to keep', { ...kept, actor: 'anna' }, 'superseded'],
    ['the next automatic command', { ...automaticOn, value: 'off' as const }, 'superseded'],
  ])('is replaced by %s', async (_, newer, code) => {
    const { channel, ends } = await gated();
    await channel.command(kept);
    await channel.command(newer);
    expect(ends()).toContainEqual(['blocked', code, 'kim']);
    expect(channel.state().kept?.actor).not.toBe('kim');
  });

  it('can be taken back', async () => {
    const { channel, actuator, open, ends, overridesEnded } = await gated();
    await channel.command(kept);
    expect(await channel.releaseManual('anna')).toBe(true);
    await open();
    expect(actuator.written).not.toContain('on');
    expect(ends().at(-1)).toEqual(['blocked', 'superseded', 'kim']);
    expect(overridesEnded).toEqual([]);
  });

  it('is refused by an emergency stop, and ended by one', async () => {
    const { channel, emergency, ends } = await gated();
    await channel.command(kept);
    emergency.held = { since_ms: 0, actor: 'anna', reason: null };
    await channel.stopNow();
    expect(ends()).toContainEqual(['blocked', 'emergency_stop', 'kim']);
    expect(await channel.command(kept)).toMatchObject({ outcome: 'blocked', code: 'emergency_stop' });
    expect(channel.state().kept).toBeUndefined();
  });

  it('is forgotten where the device refuses it', async () => {
    const { channel, actuator, clock, open, ends } = await gated();
    await channel.command(kept);
    actuator.answer = 'refused';
    await open();
    expect(ends().at(-1)).toEqual(['failed', 'refused', 'kim']);
    actuator.answer = 'acknowledge';
    await clock.advance(600_000);
    expect(actuator.written.filter((value) => value === 'on')).toHaveLength(1);
  });

  it('does not come back as an override with the next daemon', async () => {
    const { channel, clock, row, control } = await gated();
    await channel.command({ ...kept, hold: clock.elapsed() + 600_000 });
    const after = outputBench({ clock, store: control });
    await after.channel.start(row(), true);
    await clock.advance(0);
    expect(after.actuator.written).not.toContain('on');
  });

  it.each([true, false])('is told as dropped by the next daemon, once; safe first: %s', async (isSafeFirst) => {
    const { channel, clock, row, control } = await gated();
    const hold = clock.elapsed() + 600_000;
    await channel.command({ ...kept, hold });
    const after = outputBench({ clock, store: control });
    await after.channel.start(row(), isSafeFirst);
    await clock.advance(0);
    const override_until = new Date(clock.now() + 600_000).toISOString();
    const ended = { ended_by: 'restart', released_by: null, actor: 'kim', value: 'on', override_until };
    expect(after.overridesEnded).toEqual([{ channel: 0, ...ended, next: null }]);
    expect(after.channel.state().override_ended).toMatchObject(ended);
    const dropped = after.told.flatMap(({ ended: end }) => (end?.commanded_by === undefined ? [] : [end]));
    expect(dropped).toMatchObject([{ outcome: 'blocked', code: 'stopping', commanded_by: 'kim', requested: 'on' }]);
    const next = outputBench({ clock, store: control });
    await next.channel.start(row(), true);
    await clock.advance(0);
    expect(next.overridesEnded).toEqual([]);
  });
});
