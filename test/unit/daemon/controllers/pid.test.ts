import { describe, expect, it } from 'vitest';
import { pidStates } from '../../../../server/contract/pid.ts';
import { pidHandlers } from '../../../../server/daemon/remote/pids.ts';
import { pidTransitions } from '../../../../server/daemon/controllers/pid/pid-states.ts';
import { ownMeasurementId } from '../../../../server/contract/measured.ts';
import { heaterId, simulatedOutput, ventId } from '../../../support/daemon-site.ts';
import { MemoryControlStore } from '../../../support/output-bench.ts';
import { pidId, methodId, otherId, venting, bench, running } from '../../../support/pid-bench.ts';

describe('a PID', () => {
  it('drives its output by what it measures, and says why', async () => {
    const { state, vent, run, outputs } = await running({ ki: 0 });
    expect(vent()).toBe(10);
    await run(1, 28);
    await run(1, 28);
    expect(vent()).toBe(20);
    expect(state()).toMatchObject({ state: 'running', error: -4, p: -20, control: -20, lower: 20, raise: null });
    const because = '24\u202f°C - 28\u202f°C = -4\u202fK; P -20 + I 0 + D 0 = -20\u202f%';
    const cause = {
      kind: 'pid',
      unique_id: pidId,
      name: 'Venting',
      because,
      reason: expect.objectContaining({ code: 'pid_law' }) as object,
    };
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

  it('keeps a switch on from one whole period to the next', async () => {
    const raise = { output_id: heaterId, channel: 0, kind: 'duration' } as const;
    const { run, stateOf, events, state } = await running({ direction: 'raise', raise, lower: null, ki: 0, kp: 20 });
    await run(1, 20);
    const seen: unknown[] = [];
    events.subscribe((one) => void (one.kind === 'output' && seen.push(one.state)));
    await run(6, 20);
    expect(new Set(seen)).toEqual(new Set(['on']));
    expect(state().cause?.because).toBe('24\u202f°C - 20\u202f°C = 4\u202fK; P 80 + I 0 + D 0 = 80 s, limited to 10 s');
    await run(1, 26);
    await run(1, 26);
    expect(stateOf(heaterId)).toBe('off');
  });

  it('says that it rests within the band of its setpoint', async () => {
    const { run, state } = await running({ ki: 0, band: 1 });
    await run(2, 26);
    await run(3, 24);
    expect(state().cause?.because).toBe('24\u202f°C - 24\u202f°C = 0\u202fK, within the band: 0\u202f%');
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
      setpoint: null,
      setpoint_measurement: setpoint,
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
    expect(pids.statuses()[0]?.reason).toBe('the setpoint is in %, the measurement in C: safe state');
    ask(24, 'C');
    await run(1, 28);
    expect(vent()).not.toBe('off');
    read(NaN);
    await clock.advance(10_000);
    expect([vent(), state().control]).toEqual(['off', null]);
    await run(1, 28);
    expect(pids.statuses()[0]?.state).toBe('running');
  });

  it('takes no method of another unit from a program, and goes on by what it had', async () => {
    const { pids, run, method, vent, state } = await running();
    await run(2, 28);
    method.unit = '%';
    const activation = { require: () => undefined, refresh: async () => undefined };
    const { pid_set } = pidHandlers({ activation: activation as never, pids }); // all that it takes of it
    const asked = pid_set({ pid_id: pidId, setting: 'method', value: methodId }, {} as never);
    await expect(asked).rejects.toMatchObject({
      code: 'invalid_argument',
      message: 'value: method Day is in %, the measurement in C',
    });
    await run(1, 28);
    expect([state().setpoint, vent() === 'off', pids.statuses()[0]?.state]).toEqual([24, false, 'running']);
    method.unit = 'C';
    await pid_set({ pid_id: pidId, setting: 'method', value: methodId }, {} as never);
    expect(state().setpoint).toBe(22);
  });

  it('is safe with an alarm while its method is of another unit, and goes on when it no longer is', async () => {
    const { pids, run, method, vent, state } = await running({ setpoint: null, method_id: methodId });
    await run(2, 28);
    expect(vent()).not.toBe('off');
    method.unit = '%';
    await run(2, 28);
    expect([vent(), state().control]).toEqual(['off', null]);
    expect(pids.statuses()[0]).toMatchObject({
      state: 'failed', // which is the alarm control_stopped
      reason: 'the setpoint is in %, the measurement in C: safe state',
    });
    expect(state().cause?.reason).toEqual({
      code: 'pid_other_unit',
      facts: { given: { text: '%' }, needed: { text: 'C' } },
    });
    method.unit = 'C';
    await run(1, 28);
    expect([vent() === 'off', pids.statuses()[0]?.state]).toEqual([false, 'running']);
  });

  it('is safe when its sensor speaks another unit, over a restart too, until the setpoint is given anew', async () => {
    const store = new MemoryControlStore();
    const first = await running({}, store);
    await first.run(2, 28);
    expect(first.vent()).not.toBe('off');
    await first.readIn('F', 82);
    expect([first.vent(), first.pids.statuses()[0]?.reason]).toEqual([
      'off',
      'the setpoint is in C, the measurement in F: safe state',
    ]);
    await first.pids.stop();
    const { pids, readIn, vent } = await running({}, store);
    await readIn('F', 82);
    expect([vent(), pids.statuses()[0]?.state]).toEqual(['off', 'failed']);
    await pids.get(pidId).tune({ setpoint: 75 });
    await readIn('F', 82);
    expect([vent() === 'off', pids.statuses()[0]?.state]).toEqual([false, 'running']);
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
