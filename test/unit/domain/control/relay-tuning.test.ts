import { describe, expect, it } from 'vitest';
import {
  beginRelayTuning,
  proposalsOf,
  relayLevels,
  relayTuningStep,
  type RelayTuningSettings,
  type RelayTuningState,
} from '../../../../server/domain/control/relay-tuning.ts';

const settings: RelayTuningSettings = {
  setpoint: 0,
  low: -1,
  high: 1,
  hysteresis: 0,
  least: -10,
  most: 10,
  max_s: 40,
};

/** A trial on n lags of 1 s in a row, 1/(s+1)^n, with a reading each millisecond. */
function trial(lags: number, tuning: RelayTuningSettings, from = 0): RelayTuningState {
  const dt = 0.001;
  const x = Array.from({ length: lags }, () => from);
  let state = beginRelayTuning;
  for (let time_s = 0; time_s < tuning.max_s + 1; time_s += dt) {
    const step = relayTuningStep(state, tuning, { time_s, measurement: x.at(-1) ?? 0 });
    state = step.state;
    if (step.control === null) return state;
    let before = step.control;
    for (const [n, value] of x.entries()) {
      x[n] = value + dt * (before - value);
      before = value;
    }
  }
  return state;
}

describe('relay tuning', () => {
  it.each([
    [3, 8, 3.6276],
    [4, 4, 6.2832],
  ])('finds the ultimate point of 1/(s+1)^%i within 3 %%', (lags, ku, tu_s) => {
    for (const [hysteresis, most] of [
      [0, 0.03],
      [0.002, 0.05],
    ] as const) {
      const state = trial(lags, { ...settings, hysteresis });
      if (state.phase !== 'done') throw new Error(JSON.stringify(state));
      expect(Math.abs(state.point.ku / ku - 1)).toBeLessThan(most);
      expect(Math.abs(state.point.tu_s / tu_s - 1)).toBeLessThan(most);
    }
  });

  it.each([
    ['raise', 6, { low: 0, high: 10 }],
    ['lower', -6, { low: -10, high: 0 }],
    ['both', 0, { low: -10, high: 10 }],
  ] as const)('of direction %s finds the same about %d', (direction, setpoint, levels) => {
    expect(relayLevels(direction, { low: -10, high: 10 })).toEqual(levels);
    const state = trial(3, { ...settings, ...levels, setpoint, least: -20, most: 20 });
    if (state.phase !== 'done') throw new Error(JSON.stringify(state));
    expect(Math.abs(state.point.ku / 8 - 1)).toBeLessThan(0.08);
    expect(Math.abs(state.point.tu_s / 3.6276 - 1)).toBeLessThan(0.08);
  });

  it.each([
    ['one_sided', { low: 0, high: 10, setpoint: 9.7 }],
    ['timed_out', { low: 0, high: 10, setpoint: 11, least: -20, most: 20 }],
    ['out_of_range', { low: -20, high: 20, setpoint: 0, least: -1 }],
  ] as const)('ends as %s', (reason, wrong) => {
    expect(trial(3, { ...settings, ...wrong })).toEqual({ phase: 'failed', reason });
  });

  it('ends without a reading, and drives nothing from then on', () => {
    const { state, control } = relayTuningStep(beginRelayTuning, settings, { time_s: 0, measurement: NaN });
    expect({ state, control }).toEqual({ state: { phase: 'failed', reason: 'measurement_missing' }, control: null });
    expect(relayTuningStep(state, settings, { time_s: 1, measurement: 0 }).control).toBeNull();
  });

  it('proposes gains by Tyreus and Luyben and by Ziegler and Nichols', () => {
    const rounded = proposalsOf({ ku: 8, tu_s: 3.6276 }).map(({ rule, kp, ki, kd }) => [
      rule,
      ...[kp, ki, kd].map((one) => Number(one.toFixed(4))),
    ]);
    expect(rounded).toEqual([
      ['tyreus_luyben_pi', 2.5, 0.3133, 0],
      ['tyreus_luyben_pid', 3.6364, 0.4556, 2.0939],
      ['ziegler_nichols_pi', 3.6, 1.1909, 0],
      ['ziegler_nichols_pid', 4.8, 2.6464, 2.1766],
    ]);
  });
});
