import { describe, expect, it } from 'vitest';
import { gaussian } from '../../../../server/daemon/drivers/simulated/noise.ts';
import { quantile, regress } from '../../../../server/domain/commissioning/regression.ts';
import { regressorOf } from '../../../../server/domain/commissioning/regressor.ts';

const count = 40;
const ones = Array.from({ length: count }, () => 1);
const slope = Array.from({ length: count }, (_, at) => at / count - 0.5);
const step = Array.from({ length: count }, (_, at) => Number(Math.floor(at / 5) % 2 === 1));

describe('regress', () => {
  it('finds the coefficients of a line and a switch exactly where there is no noise', () => {
    const values = ones.map((_, at) => 3 + 2 * (slope[at] ?? 0) - 0.7 * (step[at] ?? 0));
    const fit = regress(values, [ones, slope, step], { floor: 1e-9 });
    expect(fit?.coefficients.map(({ estimate }) => estimate)).toEqual(
      [3, 2, -0.7].map((one) => expect.closeTo(one, 6) as number),
    );
  });

  it.each([0, 0.6])('claims no more than it knows where errors follow each other by %f', (rho) => {
    let [outside, runs] = [0, 0];
    for (let seed = 1; seed <= 300; seed += 1) {
      const random = gaussian(seed * 7919);
      let error = 0;
      const values = ones.map(() => (error = rho * error + random()));
      const effect = regress(values, [ones, slope, step], { floor: 1e-9 })?.coefficients[2];
      if (effect === undefined) continue;
      runs += 1;
      if (Math.abs(effect.estimate) > quantile(0.995, count - 3) * effect.error) outside += 1;
    }
    // One in a hundred by chance; a plain fit of such errors is outside in one of ten.
    expect(outside / runs).toBeLessThan(0.04);
  });

  it('tells nothing by too few values, and is uncertain of what cannot be told apart', () => {
    expect(regress([1, 2, 3, 4, 5], [ones.slice(0, 5)], { floor: 0.1 })).toBeNull();
    const twice = regress(step, [ones, step, step], { floor: 0.1 });
    expect(twice?.coefficients[1]?.error).toBeGreaterThan(100);
  });

  it('judges a coefficient by what is usual of the others, not of itself', () => {
    // A device that is switched nearly with another can be told from it only by what the other may do at most.
    const other = step.map((one, at) => (at === 7 ? 1 - one : one));
    const values = ones.map((_, at) => 2 * (step[at] ?? 0) + 0.4 * (((at * 7) % 5) / 4 - 0.5));
    const effectOf = (usual: { mean: number; sd: number }[]) =>
      regress(values, [step, other, ones], { floor: 0.01, usual })?.coefficients[0];
    const unknown = { mean: 0, sd: Infinity };
    const free = effectOf([]);
    const bounded = effectOf([unknown, { mean: 0, sd: 0.05 }]);
    expect(bounded?.error).toBeLessThan((free?.error ?? 0) / 2);
    expect(Math.abs((bounded?.estimate ?? 0) - 2)).toBeLessThan(0.15);
    const drawn = effectOf([{ mean: -5, sd: 0.05 }]);
    expect(drawn?.estimate).toBeCloseTo(free?.estimate ?? NaN, 1);
  });

  it('knows the quantiles of Student (Fisher & Yates, 1 % one-sided)', () => {
    expect(quantile(0.99, 10)).toBeCloseTo(2.764, 3);
    expect(quantile(0.99, 30)).toBeCloseTo(2.457, 3);
  });
});

describe('regressorOf', () => {
  const points = [0, 10, 20, 30].map((time_s) => ({ time_s, value: 5 }));
  const signal = [
    { time_s: -Infinity, level: 0 },
    { time_s: 10, level: 1 },
    { time_s: 20, level: 0 },
  ];
  const base = { signal, points, outdoors: 2, lag_s: 0 };

  it.each([
    ['level', [0, 0, 1, 0]],
    ['rate', [0, 0, 10, 10]],
    ['exchange', [0, 0, -30, -30]],
  ] as const)('of a %s', (following, expected) => {
    const made = regressorOf({ ...base, following });
    made.forEach((value, at) => expect(value).toBeCloseTo(expected[at] ?? NaN, 6));
  });

  it('lags behind by its time constant', () => {
    const on = [
      { time_s: -Infinity, level: 0 },
      { time_s: 0.001, level: 1 },
    ];
    const long = Array.from({ length: 31 }, (_, at) => ({ time_s: at * 10, value: 0 }));
    const made = regressorOf({ signal: on, following: 'level', points: long, outdoors: null, lag_s: 100 });
    expect(made[10]).toBeCloseTo(1 - Math.exp(-1), 2);
  });
});
