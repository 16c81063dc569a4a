import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { pidStates, type Pid } from '../../../../server/contract/pid.ts';
import { Pids } from '../../../../server/daemon/controllers/pid/pids.ts';
import { pidTransitions } from '../../../../server/daemon/controllers/pid/pid-states.ts';
import { LiveValues } from '../../../../server/daemon/events/live-values.ts';
import { ownMeasurementId } from '../../../../server/contract/measured.ts';
import type { Input } from '../../../../server/contract/input.ts';
import { measuredOf, rememberedSamples } from '../../../support/measured.ts';
import {
  heaterId,
  indoorId,
  plainChannel,
  simulatedOutput,
  temperatureId,
  ventId,
} from '../../../support/daemon-site.ts';
import { MemoryControlStore } from '../../../support/output-bench.ts';
import { noWatchdog, outputsSite } from '../../../support/outputs-site.ts';

const pidId = '00000000-0000-4000-8000-0000000000b1';
const methodId = '00000000-0000-4000-8000-0000000000b3';
const otherId = '00000000-0000-4000-8000-0000000000b2';

const venting: Pid = {
  unique_id: pidId,
  name: 'Venting',
  is_activated: true,
  measurement: { device_id: indoorId, measurement_id: temperatureId, max_age_s: 60 },
  ...{ setpoint: 24, method_id: null, setpoint_measurement: null },
  ...{ period_s: 10, kp: 5, ki: 0.1, kd: 0, derivative_filter_s: 0 },
  ...{ integrator_min: null, integrator_max: null, band: 0 },
  direction: 'lower',
  raise: null,
  lower: { output_id: ventId, channel: 0, kind: 'pwm' },
};

const thermometer: Input = {
  ...{ unique_id: indoorId, name: 'Indoors', driver: 'simulated', options: {}, period_s: 10, start_offset_s: 0 },
  ...{ pre_output: null, power_output: null, is_activated: true, channels: [plainChannel] },
};

/** A vent and a heater that are really driven, and a thermometer that the test reads. */
async function bench(store = new MemoryControlStore()) {
  const site = outputsSite({ store });
  const { clock, events, outputs } = site;
  const live = new LiveValues(clock, events);
  onTestFinished(() => live.stop());
  const method = { value: 22 };
  const curves = { curve: (id: string) => (id === methodId ? () => method.value : undefined) };
  const stored = rememberedSamples();
  const measured = measuredOf(() => ({ input: [thermometer] }));
  const { writer } = stored;
  const pids = new Pids({ clock, events, live, outputs, store, watchdog: noWatchdog, curves, writer, measured });
  await site.start([simulatedOutput(ventId, 'side_vent'), simulatedOutput(heaterId, 'heater')]);
  const read = (value: number | null, quality: 'good' | 'bad' = 'good'): void => {
    const where = { device_id: indoorId, measurement_id: temperatureId, channel: 0 };
    live.record({ ...where, value, unit: 'C', quality, time_ms: clock.now() });
  };
  /** So many periods at a temperature. */
  const run = async (periods: number, value: number, period_s = venting.period_s): Promise<void> => {
    for (let n = 0; n < periods; n += 1) {
      read(value);
      await clock.advance(period_s * 1000);
    }
  };
  return {
    ...site,
    live,
    stored,
    pids,
    read,
    run,
    method,
    state: () => pids.get(pidId).live(),
    vent: () => site.stateOf(ventId),
  };
}

async function running(settings: Partial<Pid> = {}, store?: MemoryControlStore) {
  const one = await bench(store);
  one.read(26);
  await one.pids.activate({ ...venting, ...settings });
  await one.clock.advance(0);
  return one;
}

describe('a PID', () => {
  it('drives its output by what it measures, and says why', async () => {
    const { state, vent, run, outputs } = await running({ ki: 0 });
    expect(vent()).toBe(10);
    await run(1, 28);
    await run(1, 28);
    expect(vent()).toBe(20);
    expect(state()).toMatchObject({ state: 'running', error: -4, p: -20, control: -20, lower: 20, raise: null });
    const because = '24 C - 28 C = -4 C; P -20 + I 0 + D 0 = -20 %';
    const cause = { kind: 'pid', unique_id: pidId, name: 'Venting', because };
    expect(state().cause).toEqual(cause);
    expect(outputs.channel(ventId).state()).toMatchObject({ source: 'automatic', actor: 'Venting', cause });
  });

  it('adds up the error by the time that has really passed', async () => {
    const { run, state } = await running({ kp: 0, ki: 0.1 });
    await run(4, 25);
    expect(state().i).toBeCloseTo(-(0.1 * 2 * 10 + 0.1 * 1 * 30), 6);
  });

  it('has a switch on for a part of each period', async () => {
    const raise = { output_id: heaterId, channel: 0, kind: 'duration' } as const;
    const { run, read, clock, stateOf } = await running({ direction: 'raise', raise, lower: null, ki: 0, kp: 2 });
    await run(1, 22);
    read(22);
    await clock.advance(1_000);
    expect(stateOf(heaterId)).toBe('on');
    await clock.advance(5_000);
    expect(stateOf(heaterId)).toBe('off');
  });

  it('is safe and says so when its measurement grows old or bad, and goes on with what it had added up', async () => {
    const { run, read, clock, state, vent, pids } = await running();
    await run(3, 28);
    const { i } = state();
    read(28, 'bad');
    await clock.advance(10_000);
    expect(vent()).toBe('off');
    expect(pids.statuses()).toMatchObject([{ state: 'failed', controller_type: 'PID' }]);
    expect(state()).toMatchObject({ control: null, error: null, lower: null });
    await run(1, 28);
    await clock.advance(70_000);
    expect(vent()).toBe('off');
    read(28);
    await clock.advance(10_000);
    expect(pids.statuses()).toMatchObject([{ state: 'running' }]);
    expect(state().i).toBeLessThanOrEqual(Number(i));
  });

  it('waits for its first reading without an alarm, for as long as a reading may be old', async () => {
    const one = await bench();
    await one.pids.activate(venting);
    await one.clock.advance(50_000);
    expect(one.pids.statuses()).toMatchObject([{ state: 'running' }]);
    await one.clock.advance(20_000);
    expect(one.pids.statuses()).toMatchObject([{ state: 'failed' }]);
  });

  it('leaves an output alone that another one drives, and names it', async () => {
    const { pids, clock } = await running();
    await pids.activate({ ...venting, unique_id: otherId });
    await clock.advance(1_000);
    expect(pids.get(otherId).status()).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining(pidId) as string,
    });
    await pids.deactivate(pidId);
    await clock.advance(10_000);
    expect(pids.get(otherId).status().state).toBe('running');
  });

  it.each([-1, -8_760, 1, 8_760])('goes on as before when the clock is set by %d hours', async (hours) => {
    const [one, calm] = [await running(), await running()];
    await one.run(3, 28);
    one.clock.setTimeOfDay(one.clock.now() + hours * 3_600_000);
    await one.run(3, 28);
    await calm.run(6, 28);
    expect(one.pids.statuses()).toMatchObject([{ state: 'running', reason: null }]);
    expect(one.state().control).toBeCloseTo(Number(calm.state().control), 6);
    one.clock.setTimeOfDay(one.clock.now() - hours * 3_600_000);
    await one.clock.advance(70_000);
    expect([one.vent(), one.state().control]).toEqual(['off', null]); // its reading is too old, whatever the clock says
  });

  it('is safe by a number that is none, and by a setpoint of another unit', async () => {
    const setpoint = { device_id: otherId, measurement_id: methodId, max_age_s: 60 };
    const { clock, live, read, run, vent, state, pids } = await running({
      ...{ setpoint: null, setpoint_measurement: setpoint },
    });
    const ask = (value: number, unit: string): void => {
      const { device_id, measurement_id } = setpoint;
      live.record({ device_id, measurement_id, channel: 0, value, unit, quality: 'good', time_ms: clock.now() });
    };
    ask(24, 'C');
    await run(2, 28);
    expect(vent()).not.toBe('off');
    ask(24, '%');
    await run(1, 28);
    expect([vent(), state().control]).toEqual(['off', null]);
    expect(pids.statuses()[0]?.reason).toContain('another unit');
    ask(24, 'C');
    await run(1, 28);
    expect(vent()).not.toBe('off');
    read(NaN);
    await clock.advance(10_000);
    expect([vent(), state().control]).toEqual(['off', null]);
    await run(1, 28);
    expect(pids.statuses()[0]?.state).toBe('running');
  });

  it('fails alone where its output is missing, says which, and drives it once it is there', async () => {
    const { pids, run, clock, outputs, stateOf } = await running();
    const lower = { ...venting.lower, output_id: methodId, channel: 0, kind: 'pwm' as const };
    await pids.activate({ ...venting, unique_id: otherId, lower });
    await run(2, 28);
    expect(pids.get(otherId).status()).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining(methodId) as string,
    });
    expect(pids.get(pidId).status().state).toBe('running');
    await outputs.activate(simulatedOutput(methodId, 'side_vent'));
    await run(2, 28);
    expect(pids.get(otherId).status().state).toBe('running');
    expect(stateOf(methodId)).not.toBe('off');
    await clock.advance(0);
  });

  it('does not add up what a stronger command keeps it from', async () => {
    const { run, outputs, state } = await running();
    await outputs.command({ output_id: ventId, state: false, override_until: Date.parse('2100-01-01') });
    await run(1, 30);
    const { i } = state();
    await run(5, 30);
    expect(state().i).toBe(i);
  });
});

describe('its states', () => {
  it.each(pidStates)('from %s each word leads where the table says', async (from) => {
    for (const event of ['hold', 'pause', 'resume'] as const) {
      const { pids, state } = await running();
      const reach = { running: 'resume', held: 'hold', paused: 'pause', inactive: 'resume' } as const;
      await pids.get(pidId).tell(reach[from]);
      if (from === 'inactive') {
        await pids.deactivate(pidId);
        expect(() => pids.get(pidId)).toThrow(expect.objectContaining({ code: 'not_active' }));
        expect(pidTransitions[from][event]).toBe('not_active');
        continue;
      }
      await pids.get(pidId).tell(event);
      expect(state().state).toBe(pidTransitions[from][event]);
    }
  });

  it('held: the same control goes on driving, whatever is measured', async () => {
    const { pids, run, vent, state } = await running();
    await run(2, 27);
    const before = vent();
    await pids.get(pidId).tell('hold');
    await run(5, 32);
    expect(vent()).toBe(before);
    expect(state()).toMatchObject({ state: 'held', error: -8 });
  });

  it('paused: safe once, then free for others, and the integral stands still', async () => {
    const { pids, run, vent, outputs, state } = await running();
    await run(2, 27);
    await pids.get(pidId).tell('pause');
    expect(vent()).toBe('off');
    await outputs.command({ output_id: ventId, state: true, duty_cycle_pct: 35, source: 'automatic', actor: 'pyro' });
    await run(5, 32);
    expect(vent()).toBe(35);
    expect(outputs.drive(otherId, ventId, 0)).toBeUndefined();
    expect(state()).toMatchObject({ state: 'paused', control: null });
  });

  it('inactive: its outputs are safe and free', async () => {
    const { pids, vent, outputs } = await running();
    expect(await pids.deactivate(pidId)).toBe(true);
    expect(vent()).toBe('off');
    expect(outputs.drive(otherId, ventId, 0)).toBeUndefined();
  });
});

describe('a trial', () => {
  /** A house that cools by the vent and warms by the sun, with a delay of a few steps in its thermometer. */
  async function house() {
    const one = await running({ kp: 1, ki: 0 });
    let air = 26;
    const seen = [26, 26, 26];
    const live = async (periods: number): Promise<void> => {
      for (let n = 0; n < periods; n += 1) {
        const vent = one.vent();
        air += 0.1 * (32 - air) - (typeof vent === 'number' ? 0.016 * vent : 0);
        seen.push(air);
        await one.run(1, seen.shift() ?? air);
      }
    };
    return { ...one, live };
  }

  it('makes the loop oscillate, proposes gains, and goes on as before', async () => {
    const { pids, live, state } = await house();
    const pid = pids.get(pidId);
    expect(pid.trial().phase).toBe('idle');
    expect(await pid.tryOut({ hysteresis: 0.1, least: 10, most: 40, max_s: 7_200 })).toBe(true);
    await live(5);
    expect(state().cause?.because).toMatch(/^trial: /);
    await live(200);
    expect(pid.trial()).toMatchObject({ phase: 'done', reason: null });
    const { ku, tu_s, proposals } = pid.trial();
    expect(tu_s).toBeGreaterThan(40);
    expect(proposals[0]).toMatchObject({ rule: 'tyreus_luyben_pi', kp: Number(ku) / 3.2 });
    expect(state()).toMatchObject({ state: 'running', kp: 1 });
    expect(state().cause?.because).toContain('P ');
  });

  it('is given up where somebody holds, pauses or ends it, and where the measurement leaves its limits', async () => {
    const asked = { hysteresis: 0.1, least: 10, most: 40, max_s: 7_200 };
    for (const end of ['hold', 'pause', 'abort'] as const) {
      const { pids, live } = await house();
      const pid = pids.get(pidId);
      await pid.tryOut(asked);
      await live(2);
      await (end === 'abort' ? pid.endTrial() : pid.tell(end));
      expect(pid.trial()).toMatchObject({ phase: 'failed', reason: 'aborted' });
      expect(await pid.tryOut(asked)).toBe(end === 'abort');
    }
    const { pids, live } = await house();
    await pids.get(pidId).tryOut({ ...asked, most: 25 });
    await live(3);
    expect(pids.get(pidId).trial()).toMatchObject({ phase: 'failed', reason: 'out_of_range' });
  });
});

describe('without a jump', () => {
  const changes = {
    'other gains': { kp: 9, ki: 0.2 },
    'another setpoint': { setpoint: 22 },
    'another limit of the integral': { integrator_min: -900 },
    'a method': { setpoint: null, method_id: methodId },
    'a derivative': { kd: 30, derivative_filter_s: 5 },
  };

  it.each(Object.entries(changes))('goes on after changed settings: %s', async (_what, change) => {
    const { pids, run, state } = await running();
    await run(3, 26);
    const before = Number(state().control);
    await pids.reconfigure({ ...venting, ...change });
    await run(1, 26);
    expect(state().control).toBeCloseTo(before, 6);
  });

  it('goes on after what is set while it runs, for any numbers', async () => {
    const gain = fc.double({ min: 0.01, max: 5, noNaN: true });
    const cases = fc.record({ kp: gain, ki: gain, setpoint: fc.double({ min: 20, max: 30, noNaN: true }) });
    await fc.assert(
      fc.asyncProperty(cases, async (change) => {
        const { pids, run, state } = await running();
        await run(2, 26);
        const before = Number(state().control);
        pids.get(pidId).loop.tune(change);
        await pids.get(pidId).changed();
        expect(state().control).toBeCloseTo(before, 6);
      }),
      { numRuns: 20 },
    );
  });

  it('follows its method, and goes on where a program names a method or a setpoint', async () => {
    const { pids, run, state, method } = await running();
    await run(3, 26);
    const before = Number(state().control);
    for (const [change, setpoint] of [
      [{ method_id: methodId }, 22],
      [{ setpoint: 23 }, 23],
      [{ method_id: methodId }, 22],
    ] as const) {
      pids.get(pidId).loop.tune(change);
      await run(1, 26);
      expect(state().setpoint).toBe(setpoint);
    }
    expect(Math.abs(Number(state().control) - before)).toBeLessThan(20);
    method.value = 25;
    await run(1, 26);
    expect(state().setpoint).toBe(25);
    await pids.reconfigure({ ...venting, setpoint: 24.5 });
    await run(1, 26);
    expect(state().setpoint).toBe(24.5);
  });

  it.each(['hold', 'pause'] as const)('goes on after a %s, whatever was measured meanwhile', async (word) => {
    const { pids, run, state } = await running();
    await run(3, 26);
    const before = Number(state().control);
    await pids.get(pidId).tell(word);
    await run(3, 30);
    await pids.get(pidId).tell('resume');
    expect(state()).toMatchObject({ state: 'running', setpoint: 24 });
    expect(state().control).toBeCloseTo(before, 6);
  });

  it.each<[string, Partial<Pid>]>([
    ['another period', { period_s: 20 }],
    ['a band', { band: 0.5 }],
    ['another direction', { direction: 'both' }],
    ['another name', { name: 'Air' }],
  ])('goes on after %s', async (_what, change) => {
    const { pids, run, state } = await running();
    await run(3, 26);
    const before = Number(state().control);
    await pids.reconfigure({ ...venting, ...change });
    await pids.get(pidId).changed();
    expect(state().control).toBeCloseTo(before, 6);
  });

  it('goes on after a restart, in the state that it had, with what was set while it ran', async () => {
    const store = new MemoryControlStore();
    const first = await running({}, store);
    await first.run(3, 26);
    first.pids.get(pidId).loop.tune({ kp: 7 });
    await first.pids.get(pidId).changed();
    const before = Number(first.state().control);
    await first.pids.stop();
    const second = await running({}, store);
    expect(second.state()).toMatchObject({ state: 'running', kp: 7 });
    expect(second.state().control).toBeCloseTo(before, 6);
    await second.pids.get(pidId).tell('pause');
    await second.pids.stop();
    expect((await running({}, store)).state().state).toBe('paused');
  });

  it('begins anew once it was deactivated', async () => {
    const store = new MemoryControlStore();
    const { pids, run } = await running({}, store);
    await run(3, 26);
    await pids.deactivate(pidId);
    expect(store.controllers.size).toBe(0);
  });

  it('drives another output and leaves the former one safe', async () => {
    const { pids, run, vent, stateOf } = await running();
    await run(2, 26);
    const lower = { output_id: heaterId, channel: 0, kind: 'duration' } as const;
    await pids.reconfigure({ ...venting, lower });
    await run(1, 30);
    expect(vent()).toBe('off');
    expect(stateOf(heaterId)).toBe('on');
  });
});

it('stores what it goes by and each of its terms at its period, and nothing while there is none', async () => {
  const { pids, run, stored, live, clock, events } = await bench();
  await pids.activate(venting);
  const { cursor } = events;
  await run(3, 24);
  const last = pids.get(pidId).live();
  const names = ['setpoint', 'measurement', 'p', 'i', 'd', 'control'] as const;
  expect(names.map((name, channel) => stored.of(pidId, channel).at(-1) === last[name])).not.toContain(false);
  expect(stored.of(pidId, 1)).toEqual([24, 24, 24, 24]);
  expect(stored.samples.find(({ channel }) => channel === 5)?.unit).toBe('%');
  expect(live.last(pidId, ownMeasurementId(pidId, 1))).toMatchObject({ value: 24, unit: 'C' });
  const { events: told } = await events.since(cursor, 0, new AbortController().signal);
  expect(told.some((one) => one.kind === 'measurement' && one.device_id === pidId)).toBe(false);
  await clock.advance(1_000_000);
  expect(stored.of(pidId, 1).filter((value) => value === null)).toHaveLength(1);
  expect(stored.of(pidId, 5).at(-1)).toBeNull();
});
