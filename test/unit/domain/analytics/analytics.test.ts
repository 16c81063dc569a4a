import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bandTime } from '../../../../server/domain/analytics/band-time.ts';
import { degreeHours } from '../../../../server/domain/analytics/degree-time.ts';
import { lightSum_mol_m2, photonFlux } from '../../../../server/domain/analytics/light-sum.ts';
import { energyOfRating_kwh, stateTime, stateTimes } from '../../../../server/domain/analytics/state-time.ts';
import {
  covered_s,
  heldSteps,
  integral,
  overlap,
  splitAt,
  type Step,
} from '../../../../server/domain/analytics/step.ts';
import { vapourDeficit_kpa } from '../../../../server/domain/climate/air.ts';

const hourMs = 3_600_000;

/** One value after the other, each for an hour. */
const hourly = (...values: number[]): Step[] =>
  values.map((value, hour) => ({ from_ms: hour * hourMs, to_ms: (hour + 1) * hourMs, value }));
const day = (value: number): Step[] => hourly(...Array.from({ length: 24 }, () => value));

const someSteps = fc
  .array(
    fc.tuple(fc.integer({ min: 0, max: 5000 }), fc.integer({ min: 1, max: 5000 }), fc.integer({ min: -40, max: 60 })),
    { maxLength: 60 },
  )
  .map((list) => {
    let at = 0;
    return list.map(([wait, length, value]): Step => ({ from_ms: (at += wait), to_ms: (at += length), value }));
  });

describe('steps', () => {
  it('hold until the next, at the longest for the time given', () => {
    const means = { start_ms: [0, 60_000, 600_000], mean: [1, 2, 3], width_ms: 60_000 };
    expect(heldSteps(means, { hold_ms: 90_000, to_ms: 630_000 })).toEqual([
      { from_ms: 0, to_ms: 60_000, value: 1 },
      { from_ms: 60_000, to_ms: 150_000, value: 2 },
      { from_ms: 600_000, to_ms: 630_000, value: 3 },
    ]);
  });

  it('hold the last reading for the period of its sensor, not for a minute', () => {
    const means = { start_ms: [0, 300_000], mean: [1, 2], width_ms: 60_000 };
    const held = { hold_ms: 900_000, period_ms: 300_000 };
    expect(heldSteps(means, { ...held, to_ms: 3_600_000 }).at(-1)).toEqual({
      from_ms: 300_000,
      to_ms: 600_000,
      value: 2,
    });
    expect(heldSteps(means, { ...held, to_ms: 400_000 }).at(-1)?.to_ms).toBe(400_000);
  });

  it('cut at limits keep their time within them', () => {
    fc.assert(
      fc.property(
        someSteps,
        fc.uniqueArray(fc.integer({ min: 0, max: 400_000 }), { minLength: 2, maxLength: 20 }),
        (steps, cuts) => {
          const limits = cuts.toSorted((a, b) => a - b);
          const parts = splitAt(steps, limits);
          const [first = 0, last = 0] = [limits[0], limits.at(-1)];
          const within = steps.map(
            (step) => Math.max(0, Math.min(step.to_ms, last) - Math.max(step.from_ms, first)) * step.value,
          );
          expect(integral(parts.flat(), (value) => value)).toBeCloseTo(within.reduce((a, b) => a + b, 0) / 1000, 6);
          expect(parts).toHaveLength(limits.length - 1);
        },
      ),
    );
  });

  it('overlap where both are, each way round', () => {
    fc.assert(
      fc.property(someSteps, someSteps, (ones, others) => {
        const both = overlap(ones, others, (one, other) => one - other);
        const turned = overlap(others, ones, (one, other) => other - one);
        expect(both).toEqual(turned);
        const pairs = ones.flatMap((one) =>
          others.map((other) => Math.max(0, Math.min(one.to_ms, other.to_ms) - Math.max(one.from_ms, other.from_ms))),
        );
        expect(covered_s(both)).toBeCloseTo(pairs.reduce((a, b) => a + b, 0) / 1000, 6);
      }),
    );
  });
});

describe('degree hours', () => {
  // US National Weather Service, "What are heating and cooling degree days": a day of 80 F is 15 cooling degree days of
  // base 65.
  it('of a day 15 above the base are 15 degree days', () =>
    expect(degreeHours(day(80), { base_c: 65 }) / 24).toBeCloseTo(15, 9));

  it.each([
    [hourly(5, 10, 15, 20), { base_c: 10 }, 15],
    [hourly(5, 10, 15, 20), { base_c: 10, upper_c: 15 }, 10],
    [hourly(30), { base_c: 10, upper_c: 25 }, 15],
    [[], { base_c: 10 }, 0],
  ])('%j by %j are %d', (steps, thresholds, expected) =>
    expect(degreeHours(steps, thresholds)).toBeCloseTo(expected, 9),
  );

  it('never fall when the air is warmer, nor rise with the base', () => {
    fc.assert(
      fc.property(
        someSteps,
        fc.integer({ min: -10, max: 30 }),
        fc.integer({ min: 0, max: 10 }),
        (steps, base_c, more) => {
          const warmer = steps.map((step) => ({ ...step, value: step.value + more }));
          const hours = degreeHours(steps, { base_c });
          expect(degreeHours(warmer, { base_c })).toBeGreaterThanOrEqual(hours - 1e-9);
          expect(degreeHours(steps, { base_c: base_c + more })).toBeLessThanOrEqual(hours + 1e-9);
        },
      ),
    );
  });
});

describe('light sum', () => {
  // A.P. Torres, R.G. Lopez, Purdue Extension HO-238-W, "Measuring daily light integral in a greenhouse": umol/m2/s
  // times 0.0864 a day.
  it.each([
    ['umol/m2/s', 'daylight', 100, 8.64],
    ['lx', 'daylight', 5400, 8.64],
    ['klx', 'high_pressure_sodium', 8.2, 8.64],
    ['lx', 'metal_halide', 7100, 8.64],
    ['W/m2', 'daylight', 100, 17.768], // 100 x 0.45 x 4.57 umol/J x 86400 s
  ] as const)('of a day of %s under %s at %d', (unit, source, value, expected) => {
    expect(lightSum_mol_m2(day(value), photonFlux(unit, source) ?? NaN)).toBeCloseTo(expected, 3);
  });

  it('knows units of light alone, and counts no light below none', () => {
    expect(photonFlux('C', 'daylight')).toBeUndefined();
    expect(lightSum_mol_m2(hourly(-3, 1000), 1)).toBeCloseTo(3.6, 9);
  });
});

describe('time in a band', () => {
  // FAO-56 table 2.3: saturation at 20, 25 and 30 C is 2.338, 3.168 and 4.243 kPa.
  it.each([
    [20, 50, 1.169],
    [25, 60, 1.267],
    [30, 80, 0.849],
  ])('of the deficit at %d C and %d %%, which is %d kPa', (temp_c, humidity_pct, expected_kpa) => {
    const deficit = overlap(hourly(temp_c, temp_c), hourly(humidity_pct), vapourDeficit_kpa);
    const time = bandTime(deficit, { low: expected_kpa - 0.002, high: expected_kpa + 0.002 });
    expect(time).toEqual({ below_s: 0, in_band_s: 3600, above_s: 0 });
  });

  it('is all the time that there is a value', () => {
    fc.assert(
      fc.property(someSteps, fc.integer({ min: -40, max: 60 }), fc.nat(50), (steps, low, width) => {
        const { below_s, in_band_s, above_s } = bandTime(steps, { low, high: low + width });
        expect(below_s + in_band_s + above_s).toBeCloseTo(covered_s(steps), 6);
      }),
    );
  });
});

describe('time in a state', () => {
  const at = (from_h: number, to_h: number, state: number | null) => ({
    from_ms: from_h * hourMs,
    to_ms: to_h * hourMs,
    state,
  });

  it('tells unknown from off, and what was recorded from what was not', () => {
    const intervals = [at(-1, 1, 100), at(1, 2, 0), at(2, 3, 50), at(3, 4, 100), at(4, 5, null), at(6, 9, 100)];
    expect(stateTime(intervals, { from_ms: 0, to_ms: 8 * hourMs })).toEqual({
      on_s: 5 * 3600,
      off_s: 3600,
      unknown_s: 3600,
      unrecorded_s: 3600,
      full_load_s: 4.5 * 3600,
      starts: 2,
    });
  });

  // US Department of Energy, "Estimating appliance and home electronic energy use": a 200 W fan 4 h a day on 120 days
  // is 96 kWh, and a computer and monitor of 270 W 4 h a day all year 394 kWh.
  it.each([
    [0.2, 4 * 120, 96],
    [0.27, 4 * 365, 394.2],
  ])('%d kW for %d h are %d kWh', (rating_kw, hours, expected_kwh) => {
    const { full_load_s } = stateTime([at(0, hours, 100)], { from_ms: 0, to_ms: hours * hourMs });
    expect(energyOfRating_kwh({ full_load_s }, rating_kw)).toBeCloseTo(expected_kwh, 9);
  });

  it('adds up to the span', () => {
    fc.assert(
      fc.property(someSteps, fc.nat(300_000), fc.integer({ min: 1, max: 300_000 }), (steps, fromMs, lengthMs) => {
        const intervals = steps.map(({ value, ...times }) => ({ ...times, state: value < 0 ? null : value }));
        const time = stateTime(intervals, { from_ms: fromMs, to_ms: fromMs + lengthMs });
        expect(time.on_s + time.off_s + time.unknown_s + time.unrecorded_s).toBeCloseTo(lengthMs / 1000, 6);
        expect(time.full_load_s).toBeLessThanOrEqual(time.on_s + 1e-9);
        const limits = [fromMs, fromMs + Math.ceil(lengthMs / 3), fromMs + lengthMs];
        const parts = stateTimes(
          intervals,
          limits.toSorted((a, b) => a - b),
        );
        for (const name of ['on_s', 'off_s', 'unknown_s', 'unrecorded_s', 'full_load_s', 'starts'] as const) {
          expect(parts.reduce((sum, part) => sum + part[name], 0)).toBeCloseTo(time[name], 6);
        }
      }),
    );
  });
});
