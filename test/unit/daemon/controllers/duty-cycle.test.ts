import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OutputChannel } from '../../../../server/contract/output.ts';
import type { ChannelCommand } from '../../../../server/daemon/controllers/output/channel-demand.ts';
import type { OutputValue } from '../../../../server/daemon/drivers/driver.ts';
import type { GateRule } from '../../../../server/daemon/safety/gate.ts';
import { relayCycle } from '../../../../server/domain/control/relay-cycle.ts';
import { outputBench } from '../../../support/output-bench.ts';

const runs = process.env['TEST_SCALE'] === 'long' ? 5_000 : 50;

const duty = (value: OutputValue, own: Partial<ChannelCommand> = {}): ChannelCommand => ({
  source: 'manual',
  actor: 'kim',
  value,
  hold: 'next_command',
  ...own,
});

/**
 * A relay with a cycle of 10 min at work, its contact's steps from now on, in s of its own time, and a gate that the
 * test shuts.
 */
async function running({ settings = {}, ...rest }: NonNullable<Parameters<typeof outputBench>[0]> = {}) {
  const gate = { isShut: false };
  const rule: GateRule = ({ value }) =>
    gate.isShut && value !== 'off' ? { rule: 'frost', message: 'it freezes', value: 'off' } : undefined;
  const cycled: Partial<OutputChannel> = { pwm_cycle_s: 600, ...settings };
  const bench = outputBench({ rules: [rule], ...rest, settings: cycled });
  const { actuator, channel, clock } = bench;
  await channel.start(bench.row(), true);
  await clock.advance(0);
  const begun = clock.elapsed();
  const steps: [number, OutputValue][] = [];
  const write = actuator.write.bind(actuator);
  actuator.write = (number, value) => {
    if (value !== (steps.at(-1)?.[1] ?? 'off')) steps.push([(clock.elapsed() - begun) / 1000, value]);
    return write(number, value);
  };
  const shut = async (isShut: boolean): Promise<void> => {
    gate.isShut = isShut;
    channel.reconsider();
    await clock.advance(0);
  };
  return { ...bench, gate, steps, shut, pass: (s: number) => clock.advance(s * 1000) };
}

describe('a relay keeps a duty cycle', () => {
  it.each<[string, number, Partial<OutputChannel>, [number, OutputValue][]]>([
    ['on for its part of each cycle', 40, {}, [[0, 'on'], [240, 'off'], [600, 'on'], [840, 'off'], [1_200, 'on'], [1_440, 'off']]], // prettier-ignore
    ['longer cycles for the least time on', 10, { pwm_min_on_s: 90 }, [[0, 'on'], [90, 'off'], [900, 'on'], [990, 'off']]], // prettier-ignore
    ['longer cycles for the least time off', 50, { min_off_s: 500 }, [[0, 'on'], [500, 'off'], [1_000, 'on'], [1_500, 'off']]], // prettier-ignore
    ['all on at 100 %', 100, {}, [[0, 'on']]],
    ['all off at 0 %', 0, {}, []],
  ])('%s', async (_name, pct, settings, expected) => {
    const { channel, steps, pass } = await running({ settings });
    expect(await channel.command(duty(pct === 100 ? 'on' : pct === 0 ? 'off' : pct))).toMatchObject({
      outcome: 'confirmed',
    });
    await pass(1_700);
    expect(steps).toEqual(expected);
  });

  it.each([0.05, 0.1, 0.2, 0.3, 0.5])(
    'also where timers fire a millisecond early and a step comes due while it looks, %s ms a glance at the clock',
    async (creepMs) => {
      const { channel, clock, steps, pass } = await running();
      const [after, elapsed] = [clock.after.bind(clock), clock.elapsed.bind(clock)];
      let creptMs = 0;
      clock.elapsed = () => elapsed() + (creptMs += creepMs);
      clock.after = (delayMs, run) => after(Math.max(0, delayMs - 1), run);
      await channel.command(duty(40));
      await pass(6_100);
      expect(steps.map(([, value]) => value)).toEqual(
        Array.from({ length: 21 }, (_, n) => (n % 2 === 0 ? 'on' : 'off')),
      );
    },
  );

  it('on a grid without drift', async () => {
    const { channel, steps, pass } = await running();
    await channel.command(duty(33));
    await pass(600 * 500 + 1);
    expect(steps.filter(([, value]) => value === 'on').map(([at]) => at)).toEqual(
      Array.from({ length: 501 }, (_, cycle) => 600 * cycle),
    );
  });

  it('and says so, with what its contact does, once the device has confirmed it', async () => {
    const { channel, actuator, clock, pass } = await running();
    actuator.answer = 'hang';
    const answer = channel.command(duty(40));
    expect(channel.state()).toMatchObject({ state: 'off', contact: null, pending: true });
    actuator.answer = 'acknowledge';
    actuator.give('acknowledge');
    expect(await answer).toMatchObject({ outcome: 'confirmed' });
    const begun = new Date(clock.now()).toISOString();
    await pass(100);
    const told = { state: 40, quality: 'good', source: 'manual', actor: 'kim', wanted: null, rule: null };
    expect(channel.state()).toMatchObject({ ...told, contact: 'on', on_seconds: 100, changed_at: begun });
    await pass(200);
    expect(channel.state()).toMatchObject({ ...told, contact: 'off', on_seconds: 0, off_until: null });
    actuator.answer = 'hang';
    await pass(301);
    expect(channel.state()).toMatchObject({ ...told, contact: 'off', pending: true });
  });

  it('switches at most once a cycle, however often the duty is changed', async () => {
    const { channel, steps, pass } = await running();
    for (let at = 0; at < 1_770; at += 30) {
      await channel.command(duty(at % 60 === 0 ? 20 : 30, { source: 'automatic' }));
      await pass(30);
    }
    expect(steps).toEqual([[0, 'on'], [120, 'off'], [600, 'on'], [720, 'off'], [1_200, 'on'], [1_320, 'off']]); // prettier-ignore
  });

  it('and does not begin anew after off within a cycle', async () => {
    const { channel, steps, pass } = await running();
    await channel.command(duty(50));
    await pass(30);
    await channel.command(duty('off'));
    await pass(30);
    expect(await channel.command(duty(50))).toMatchObject({ outcome: 'confirmed' });
    expect(channel.state()).toMatchObject({ state: 50, contact: 'off' });
    await pass(600);
    expect(steps).toEqual([[0, 'on'], [30, 'off'], [600, 'on']]); // prettier-ignore
  });

  it('beside the least time off of what was before', async () => {
    const { channel, steps, pass } = await running({ settings: { min_off_s: 120 } });
    await channel.command(duty('on'));
    await pass(10);
    await channel.command(duty('off'));
    expect(await channel.command(duty(40))).toMatchObject({ outcome: 'blocked', code: 'min_off' });
    const kept = await channel.command(duty(40, { keep: 'standing' }));
    expect(kept).toMatchObject({ outcome: 'pending', code: 'min_off' });
    expect(channel.state()).toMatchObject({ state: 'off', contact: null, rule: 'min_off', wanted: 40 });
    await pass(200);
    expect(steps).toEqual([[0, 'on'], [10, 'off'], [130, 'on']]); // prettier-ignore
    expect(channel.state()).toMatchObject({ state: 40, contact: 'on', rule: null });
  });

  it('beside the longest time on, which what was before counts to', async () => {
    const { channel, steps, pass } = await running({ settings: { max_on_s: 300 } });
    await channel.command(duty('on'));
    await pass(200);
    await channel.command(duty(50));
    await pass(1_000);
    expect(steps).toEqual([[0, 'on'], [300, 'off'], [800, 'on'], [1_100, 'off']]); // prettier-ignore
    expect(channel.state()).toMatchObject({ state: 50, contact: 'off' });
  });

  it('under an override, and what waits below it takes effect at its end', async () => {
    const { channel, clock, steps, pass } = await running();
    await channel.command(duty(50, { hold: clock.elapsed() + 700_000 }));
    expect(await channel.command(duty('off', { source: 'automatic' }))).toMatchObject({ outcome: 'blocked' });
    await pass(2_000);
    expect(steps).toEqual([[0, 'on'], [300, 'off'], [600, 'on'], [700, 'off']]); // prettier-ignore
  });
});

describe('a duty cycle ends at once', () => {
  it('when the gate forbids it, also in its time off; and goes on with the next cycle', async () => {
    const { channel, steps, shut, pass } = await running();
    await channel.command(duty(50));
    await pass(100);
    await shut(true);
    expect(channel.state()).toMatchObject({ state: 'off', contact: null, source: 'safety', rule: 'frost', wanted: 50 });
    await pass(50);
    await shut(false);
    expect(channel.state()).toMatchObject({ state: 50, contact: 'off', rule: null });
    await pass(800);
    await shut(true);
    expect(channel.state()).toMatchObject({ state: 'off', rule: 'frost', wanted: 50 });
    await pass(400);
    await shut(false);
    await pass(100);
    expect(steps).toEqual([[0, 'on'], [100, 'off'], [600, 'on'], [900, 'off'], [1_350, 'on']]); // prettier-ignore
  });

  it('in an emergency stop, and does not come back with its end', async () => {
    const { channel, emergency, steps, pass } = await running();
    await channel.command(duty(50));
    await pass(100);
    emergency.held = { since_ms: 0, actor: 'kim', reason: null };
    await channel.stopNow();
    await channel.stayStopped();
    emergency.held = null;
    channel.stopEnded();
    await pass(2_000);
    expect(steps).toEqual([[0, 'on'], [100, 'off']]); // prettier-ignore
  });

  it('when it is released: the contact does not stay on', async () => {
    const { channel, steps, pass } = await running();
    await channel.command(duty(50));
    await pass(100);
    await channel.release('manual');
    expect(channel.state()).toMatchObject({ state: 'off', contact: null, source: null });
    await pass(2_000);
    expect(steps).toEqual([[0, 'on'], [100, 'off']]); // prettier-ignore
    channel.observe('on'); // by hand: nothing is kept any more
    await pass(10);
    expect(channel.state().state).toBe('on');
  });

  it('with an orderly stop that leaves other outputs as they are', async () => {
    const { channel, actuator } = await running({ settings: { shutdown_state: 'leave' } });
    await channel.command(duty(50));
    expect(await channel.shutDown(false)).toBe(true);
    expect(actuator.written.at(-1)).toBe('off');
  });

  it('when the settings allow it no longer', async () => {
    const { channel, steps, pass } = await running();
    await channel.command(duty(50));
    await pass(100);
    channel.reconfigure({ ...channel.settings, pwm_cycle_s: null });
    await pass(2_000);
    expect(steps).toEqual([[0, 'on'], [100, 'off']]); // prettier-ignore
    expect(channel.state()).toMatchObject({ state: 'off', contact: null });
  });
});

it('a relay that the gate begins and ceases to hold in its time off tells of both', async () => {
  const { channel, pass, shut, told } = await running();
  await channel.command(duty(40));
  await pass(300);
  await shut(true);
  expect(told.at(-1)?.state).toMatchObject({ state: 'off', contact: null, rule: 'frost', wanted: 40 });
  const mark = told.length;
  await shut(true);
  expect(told).toHaveLength(mark);
  await shut(false);
  expect(told.at(-1)?.state).toMatchObject({ state: 40, contact: 'off', rule: null });
});

describe('a device that does not do its part', () => {
  it('is told again in the same cycle, and the state is what its contact does', async () => {
    const { channel, actuator, pass } = await running();
    await channel.command(duty(50));
    await pass(400);
    actuator.answer = 'refused';
    await pass(250);
    expect(channel.state()).toMatchObject({ state: 'off', contact: null, source: 'manual', pending: false });
    actuator.answer = 'acknowledge';
    await pass(40);
    expect(channel.state()).toMatchObject({ state: 50, contact: 'on' });
    await pass(300);
    expect(channel.state()).toMatchObject({ state: 50, contact: 'off' });
  });

  it('is unknown where nobody can know', async () => {
    const { channel, actuator, pass } = await running();
    await channel.command(duty(50));
    actuator.answer = 'timed_out';
    await pass(310);
    expect(channel.state()).toMatchObject({ state: null, contact: null, quality: 'unknown' });
    actuator.answer = 'acknowledge';
    await pass(60);
    expect(channel.state()).toMatchObject({ state: 50, contact: 'off', quality: 'good' });
  });

  it('whose contact is moved by hand shows that, and is brought in line with the next step', async () => {
    const { channel, pass } = await running();
    await channel.command(duty(50));
    await pass(100);
    channel.observe('off');
    await pass(0);
    expect(channel.state().contact).not.toBe('on');
    await pass(510);
    expect(channel.state()).toMatchObject({ state: 50, contact: 'on' });
  });

  it('is not commanded again by a command that it refused', async () => {
    const { channel, actuator, pass } = await running();
    actuator.answer = 'refused';
    expect(await channel.command(duty(50))).toMatchObject({ outcome: 'failed', code: 'refused' });
    actuator.answer = 'acknowledge';
    await pass(2_000);
    expect(channel.state()).toMatchObject({ state: 'off', contact: null, source: null });
    expect(actuator.written.filter((value) => value === 'on')).toHaveLength(1);
  });
});

it.each(['override', 'startup_state'] as const)('comes back after a crash: safe first, then its %s', async (by) => {
  const settings = { startup_state: by === 'startup_state' ? 'last' : 'safe', min_off_s: 60 } as const;
  const before = await running({ settings });
  await before.channel.command(duty(50, by === 'override' ? { hold: 10_000_000 } : {}));
  await before.pass(100);
  const after = await running({ settings, clock: before.clock, store: before.control });
  expect(after.actuator.written).toEqual(['off']);
  expect(after.channel.state()).toMatchObject({ state: 'off', rule: 'min_off', wanted: 50 });
  await after.pass(500);
  expect(after.steps).toEqual([[60, 'on'], [360, 'off']]); // prettier-ignore
  expect(after.channel.state()).toMatchObject({ state: 50, contact: 'off' });
});

/** How long the contact was on until now, s, and the single times. */
function onTimes(steps: readonly [number, OutputValue][], now_s: number): number[] {
  return steps.flatMap(([at, value], index) => (value === 'on' ? [(steps[index + 1]?.[0] ?? now_s) - at] : []));
}

it('keeps any duty within one time on, whatever the limits', async () => {
  const limits = fc.record({
    pwm_cycle_s: fc.integer({ min: 1, max: 1_200 }),
    pwm_min_on_s: fc.integer({ min: 1, max: 120 }),
    min_off_s: fc.integer({ min: 0, max: 120 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 99 }), limits, fc.double({ min: 1, max: 8, noNaN: true }), async (pct, settings, cycles) => {
      const { channel, steps, pass } = await running({ settings });
      const cycle = relayCycle(pct, { ...settings, max_on_s: null });
      if (cycle === undefined) throw new Error('no cycle');
      await channel.command(duty(pct));
      const now_s = cycles * cycle.cycle_s;
      await pass(now_s);
      const on = onTimes(steps, now_s);
      const total_s = on.reduce((sum, one) => sum + one, 0);
      expect(Math.abs(total_s - (pct / 100) * now_s)).toBeLessThanOrEqual(Math.min(cycle.on_s, cycle.cycle_s - cycle.on_s) + 0.01);
      for (const one of on) expect(one).toBeLessThanOrEqual(cycle.on_s + 0.01);
      for (const one of on.slice(0, -1)) expect(one).toBeGreaterThanOrEqual(settings.pwm_min_on_s - 0.01);
    }),
    { numRuns: runs },
  ); // prettier-ignore
});

type Action = { kind: 'duty'; pct: number } | { kind: 'off' } | { kind: 'gate' } | { kind: 'pass'; s: number };

const action: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ kind: fc.constant('duty' as const), pct: fc.integer({ min: 1, max: 99 }) }),
  fc.constantFrom<Action>({ kind: 'off' }, { kind: 'gate' }),
  fc.record({ kind: fc.constant('pass' as const), s: fc.integer({ min: 1, max: 900 }) }),
);

it('is never on against the gate, for longer than the greatest duty says, or twice in a cycle', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 40 }), async (actions) => {
      const { channel, clock, gate, actuator, steps, shut, pass } = await running({ settings: { min_off_s: 30 } });
      const begun = clock.elapsed();
      for (const one of actions) {
        if (one.kind === 'pass') await pass(one.s);
        else if (one.kind === 'gate') await shut(!gate.isShut);
        else await channel.command(duty(one.kind === 'off' ? 'off' : one.pct));
        if (gate.isShut) expect(actuator.written.at(-1)).toBe('off');
        const { state, contact } = channel.state();
        expect(contact ?? state).toBe(actuator.written.at(-1));
      }
      const now_s = (clock.elapsed() - begun) / 1000;
      const longest = relayCycle(99, { ...channel.settings, pwm_cycle_s: 600 })?.on_s ?? 0;
      for (const one of onTimes(steps, now_s)) expect(one).toBeLessThanOrEqual(longest + 0.01);
      const begins = steps.filter(([, value]) => value === 'on').map(([at]) => at);
      for (const [index, at] of begins.slice(1).entries()) {
        expect(at - (begins[index] ?? 0)).toBeGreaterThanOrEqual(600 - 1);
      }
    }),
    { numRuns: runs },
  );
});
