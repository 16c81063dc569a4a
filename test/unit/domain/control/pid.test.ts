import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { controlLimits, demandOf, type DemandRange } from '../../../../server/domain/control/pid-demand.ts';
import {
  pidStep,
  restingPid,
  withControl,
  type PidSettings,
  type PidState,
} from '../../../../server/domain/control/pid.ts';

const settings: PidSettings = {
  kp: 2,
  ki: 0.01,
  kd: 0,
  derivative_filter_s: 0,
  integrator_min: null,
  integrator_max: null,
  band: 0,
  limits: { low: 0, high: 100 },
};

/**
 * A house of 30,000 J/m2K that loses 6.1 W/m2K, heated through a pipe of 300 s (physics.md): overshoot in K and IAE in
 * K s of 10 h.
 */
function heatedHouse(heating: PidSettings, control: (asked: number) => number): { overshoot: number; iae: number } {
  const [dt, t0] = [10, 6];
  const pipe: number[] = Array.from({ length: 30 }, () => 0);
  let [state, t, overshoot, iae]: [PidState, number, number, number] = [restingPid, t0, 0, 0];
  for (let time = 0; time < 36_000; time += dt) {
    const step = pidStep(state, heating, { setpoint: 20, measurement: t, dt_s: time === 0 ? 0 : dt });
    state = step.state;
    pipe.push(control(step.terms?.control ?? 0));
    t += (dt / 30_000) * ((pipe.shift() ?? 0) - 6.1 * (t - 5));
    overshoot = Math.max(overshoot, t - 20);
    iae += Math.abs(20 - t) * dt;
  }
  return { overshoot, iae };
}

describe('the PID law', () => {
  const pi = { ...settings, kp: 50.8, ki: 50.8 / 2323.36 };
  const limits = { low: 0, high: 150 };

  it('winds up without limits and not with back-calculation', () => {
    const unlimited = { ...pi, limits: { low: -Infinity, high: Infinity } };
    const wound = heatedHouse(unlimited, (asked) => Math.min(Math.max(asked, 0), 150));
    expect(wound.overshoot).toBeCloseTo(5.6, 2);
    expect(wound.iae / 57_465).toBeCloseTo(1, 2);
    const led = heatedHouse({ ...pi, limits }, (asked) => asked);
    expect(led.overshoot).toBeCloseTo(0.718, 2);
    expect(led.iae / 32_572).toBeCloseTo(1, 2);
  });

  it.each([
    [1, 1],
    [4, 0.5],
    [0.3, 2],
  ])('after a unit load step the error adds up to -Ti/K (capacity %f, loss %f)', (capacity, loss) => {
    const [kp, ti, dt] = [3, 5, 0.01];
    const tuned = { ...settings, kp, ki: kp / ti, limits: { low: -Infinity, high: Infinity } };
    let [state, y, sum]: [PidState, number, number] = [restingPid, 0, 0];
    for (let time = 0; time < 200; time += dt) {
      const step = pidStep(state, tuned, { setpoint: 0, measurement: y, dt_s: dt });
      state = step.state;
      y += (dt / capacity) * ((step.terms?.control ?? 0) + 1 - loss * y);
      sum += -y * dt;
    }
    expect(sum).toBeCloseTo(-ti / kp, 3);
  });

  it('adds up the error over real time, whatever the steps', () => {
    const until = (steps: readonly number[]): number => {
      let state = pidStep(restingPid, settings, { setpoint: 21, measurement: 20, dt_s: 0 }).state;
      for (const dt_s of steps) state = pidStep(state, settings, { setpoint: 21, measurement: 20, dt_s }).state;
      return state.i;
    };
    const steps = fc.array(fc.double({ min: 0.1, max: 60, noNaN: true }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(steps, (given) => {
        const all = given.reduce((sum, one) => sum + one, 0);
        expect(until(given)).toBeCloseTo(0.01 * all, 9);
      }),
    );
  });

  it('takes the derivative of the measurement, filtered, and never of the setpoint', () => {
    const tuned = { ...settings, kp: 0, ki: 0, kd: 10, derivative_filter_s: 5, limits: { low: -100, high: 100 } };
    let state = pidStep(restingPid, tuned, { setpoint: 20, measurement: 20, dt_s: 0 }).state;
    expect(pidStep(state, tuned, { setpoint: 90, measurement: 20, dt_s: 1 }).terms?.d).toBeCloseTo(0);
    const first = pidStep(state, tuned, { setpoint: 20, measurement: 21, dt_s: 1 });
    expect(first.terms?.d).toBeCloseTo(-10 / 6);
    state = first.state;
    for (let y = 22; y < 100; y += 1) state = pidStep(state, tuned, { setpoint: 20, measurement: y, dt_s: 1 }).state;
    expect(state.rate).toBeCloseTo(1, 4);
  });

  it('holds the integral within its limits, and still while frozen or without time', () => {
    const limits = { low: -100, high: 100 };
    const tuned = { ...settings, limits, integrator_min: -1, integrator_max: 3 };
    let state: PidState = restingPid;
    for (let n = 0; n < 100; n += 1) state = pidStep(state, tuned, { setpoint: 22, measurement: 20, dt_s: 60 }).state;
    expect(state.i).toBe(3);
    const standing = { setpoint: 10, measurement: 20 };
    expect(pidStep(state, tuned, { ...standing, dt_s: 60, is_frozen: true }).state.i).toBe(3);
    expect(pidStep(state, tuned, { ...standing, dt_s: 0 }).state.i).toBe(3);
    for (let n = 0; n < 100; n += 1) state = pidStep(state, tuned, { ...standing, dt_s: 60 }).state;
    expect(state.i).toBe(-1);
  });

  it('rests within the band from the setpoint on until it is left', () => {
    const tuned = { ...settings, band: 1, ki: 0 };
    const controls: number[] = [];
    let state: PidState = restingPid;
    for (const measurement of [18, 19.5, 19.9, 20.1, 20.9, 19.5, 19.1, 18.9, 19.2, 20]) {
      const step = pidStep(state, tuned, { setpoint: 20, measurement, dt_s: 60 });
      state = step.state;
      controls.push(Number(step.terms?.control.toFixed(6)));
    }
    expect(controls).toEqual([4, 1, 0.2, 0, 0, 0, 0, 2.2, 1.6, 0]);
  });

  it.each([null, NaN, Infinity])('drives nothing by the measurement %s, and keeps the integral', (measurement) => {
    const before = { ...restingPid, i: 12, measurement: 20, rate: 3, error: 1 };
    const { state, terms } = pidStep(before, settings, { setpoint: 20, measurement, dt_s: 60 });
    expect(terms).toBeNull();
    expect(state).toMatchObject({ i: 12, measurement: null, rate: 0 });
  });

  it('goes on without a bump at changed settings, another setpoint, a resume and a restart', () => {
    const gain = fc.double({ min: 0, max: 20, noNaN: true });
    const positive = fc.double({ min: 0.001, max: 5, noNaN: true });
    const value = fc.double({ min: -50, max: 50, noNaN: true });
    fc.assert(
      fc.property(
        fc.record({ kp: gain, ki: positive, kd: gain, setpoint: value, measurement: value, rate: value, i: value }),
        fc.double({ min: 0, max: 100, noNaN: true }),
        ({ setpoint, measurement, rate, i, ...gains }, control) => {
          const tuned = { ...settings, ...gains, derivative_filter_s: 30 };
          const kept: PidState = JSON.parse(JSON.stringify({ ...restingPid, i, rate, measurement })) as PidState;
          const state = withControl(kept, tuned, { setpoint, measurement, control });
          const next = pidStep(state, tuned, { setpoint, measurement, dt_s: 0 });
          expect(next.terms?.control).toBeCloseTo(control, 6);
        },
      ),
    );
  });

  it.each([
    ['no heat above the setpoint after a begin above it', { measurement: 25, control: 0, later: 24.9 }, 0],
    ['all its heat below the setpoint after a begin far below it', { measurement: -40, control: 100, later: -39 }, 100],
  ])('asks for %s', (_, { measurement, control, later }, expected) => {
    const begun = withControl(restingPid, settings, { setpoint: 20, measurement, control });
    const first = pidStep(begun, settings, { setpoint: 20, measurement, dt_s: 0 });
    expect(first.terms?.control).toBe(control);
    const next = pidStep(first.state, settings, { setpoint: 20, measurement: later, dt_s: 10 });
    expect(next.terms?.control).toBe(expected);
  });

  it('never leaves what the outputs can do', () => {
    const value = fc.double({ min: -1e6, max: 1e6, noNaN: true });
    const gain = fc.double({ min: 0, max: 1e6, noNaN: true });
    const step = fc.record({ setpoint: value, measurement: value, dt_s: fc.double({ min: 0, max: 1e5, noNaN: true }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 15 }), gain, gain, gain, (steps, kp, ki, kd) => {
        let state: PidState = restingPid;
        for (const input of steps) {
          const next = pidStep(state, { ...settings, kp, ki, kd, limits: { low: -30, high: 70 } }, input);
          state = next.state;
          expect(next.terms?.control).toBeGreaterThanOrEqual(-30);
          expect(next.terms?.control).toBeLessThanOrEqual(70);
          expect(Number.isFinite(state.i)).toBe(true);
        }
      }),
    );
  });
});

describe('the demand on the outputs', () => {
  const pulse: DemandRange = { kind: 'duration', min: 5, max: 60, min_off_s: 20 };
  const duty: DemandRange = { kind: 'pwm', min: 10, max: 150, min_off_s: 0 };

  it.each([
    ['raise', { low: 0, high: 60 }],
    ['lower', { low: -100, high: 0 }],
    ['both', { low: -100, high: 60 }],
  ] as const)('of direction %s reaches %j', (direction, expected) => {
    expect(controlLimits({ direction, raise: pulse, lower: duty, period_s: 60 })).toEqual(expected);
  });

  it.each([
    [4.9, { raise: 0, lower: 0 }],
    [5, { raise: 5, lower: 0 }],
    [39, { raise: 39, lower: 0 }],
    [45, { raise: 40, lower: 0 }],
    [55, { raise: 60, lower: 0 }],
    [1e9, { raise: 60, lower: 0 }],
    [0, { raise: 0, lower: 0 }],
    [-9, { raise: 0, lower: 0 }],
    [-10, { raise: 0, lower: 10 }],
    [-1e9, { raise: 0, lower: 100 }],
    [NaN, { raise: 0, lower: 0 }],
  ])('of control %f is %j', (control, expected) => {
    expect(demandOf(control, { direction: 'both', raise: pulse, lower: duty, period_s: 60 })).toEqual(expected);
  });

  it('never drives both ways, and leaves a pulse its rest', () => {
    const range = fc.record({
      kind: fc.constantFrom('duration', 'pwm', 'value', 'volume' as const),
      min: fc.integer({ min: 0, max: 50 }),
      max: fc.integer({ min: 50, max: 200 }),
      min_off_s: fc.integer({ min: 0, max: 100 }),
    });
    fc.assert(
      fc.property(range, range, fc.double({ min: -300, max: 300, noNaN: true }), (raise, lower, control) => {
        const asked = demandOf(control, { direction: 'both', raise, lower, period_s: 60 });
        expect(Math.min(asked.raise ?? 0, asked.lower ?? 0)).toBe(0);
        const on = asked.raise ?? 0;
        if (raise.kind === 'duration') expect(on === 0 || on === 60 || 60 - on >= raise.min_off_s).toBe(true);
        expect(on === 0 || (on >= Math.min(raise.min, 60) && on <= raise.max)).toBe(true);
      }),
    );
  });
});
