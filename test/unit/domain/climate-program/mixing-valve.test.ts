import { describe, expect, it } from 'vitest';
import {
  climateDefaults,
  type ClimateInfluence,
  type ClimatePeriod,
} from '../../../../server/contract/climate-settings.ts';
import type { ClimateReadings } from '../../../../server/domain/climate-program/moment.ts';
import { looking, pctOf, whyOf } from '../../../support/climate-looks.ts';
import { modelHouse, twoPeriods } from '../../../support/climate-run.ts';

/** A house that is heated by a mixing valve alone. */
function mixing(
  changes: { kind?: 'switch' } = {},
  periods: ClimatePeriod[] = [...twoPeriods],
  influences: ClimateInfluence[] = [],
) {
  const valve = { key: 'valve', role: 'mixing_valve', kind: 'dimmer', azimuth_deg: null, run_time_s: 240 } as const;
  const heating = { ...climateDefaults.heating, pipe_min_c: 35, pipe_max_c: 60 };
  return looking({ heating, periods, influences }, { ...modelHouse, actuators: [{ ...valve, ...changes }] });
}

describe('a mixing valve', () => {
  it('brings the pipe to the water that heat asks for, in steps that its drive can follow', () => {
    const { look } = mixing();
    /** Water of 70 C mixed into a return of 25 C, which the pipe shows with a lag of two minutes. */
    let pipe_c = 25;
    const moves: number[] = [];
    const runs = (looks: number, readings: Partial<ClimateReadings>): number => {
      for (let n = 0; n < looks; n += 1) {
        const pct = pctOf(look({ humidity_pct: 60, ...readings, pipe_c }), 'valve') ?? 0;
        moves.push(pct);
        pipe_c += (60 / 180) * (25 + 0.45 * pct - pipe_c);
      }
      return pipe_c;
    };
    expect(Math.abs(runs(120, { temp_c: 8, outdoor_c: -15 }) - 60)).toBeLessThan(3);
    expect(Math.abs(runs(120, { temp_c: 21, outdoor_c: 15 }) - 35)).toBeLessThan(3);
    const steps = moves.map((pct, index) => Math.abs(pct - (moves[index - 1] ?? pct)));
    expect(Math.max(...steps)).toBeLessThanOrEqual(20);
    expect(steps.filter((one) => one > 0).length).toBeLessThan(40);
    expect(runs(60, { temp_c: 25, outdoor_c: 20 })).toBeLessThan(27); // ventilated: not even the minimum
  });

  it('without a reading of its pipe is safe and told, and goes on from where it stands', () => {
    const { look, settle } = mixing();
    const cold = { temp_c: 8, outdoor_c: -15, humidity_pct: 60 };
    expect(pctOf(settle({ ...cold, pipe_c: 40 }, 30), 'valve')).toBe(100);
    const blind = look({ ...cold, pipe_c: null }, 600);
    expect([pctOf(blind, 'valve'), whyOf(blind, 'valve'), blind.fallbacks]).toEqual([null, 'no_pipe', ['no_pipe']]);
    expect(pctOf(look({ ...cold, pipe_c: 50, stands_pct: { valve: 0 } }), 'valve')).toBe(10);
    const switched = mixing({ kind: 'switch' }).look({ ...cold, pipe_c: 40 });
    expect(pctOf(switched, 'valve')).toBeNull();
  });

  it('does not swing about the ventilation setpoint', () => {
    const { look, settle } = mixing();
    const open = pctOf(settle({ temp_c: 21, outdoor_c: 15, humidity_pct: 60, pipe_c: 34 }, 30), 'valve') ?? 0;
    expect(open).toBe(0);
    settle({ temp_c: 21, outdoor_c: 15, humidity_pct: 60, pipe_c: 25 }, 10);
    const wave = Array.from({ length: 120 }, (_, n) => {
      const temp_c = 23 + (n % 2 === 0 ? 0.1 : -0.1);
      return pctOf(look({ temp_c, outdoor_c: 15, humidity_pct: 60, pipe_c: 25 }), 'valve');
    });
    expect(new Set(wave)).toEqual(new Set([0]));
    expect(pctOf(settle({ temp_c: 21.9, outdoor_c: 15, humidity_pct: 60, pipe_c: 25 }, 10), 'valve')).toBeGreaterThan(
      0,
    );
  });

  it('keeps the minimum and maximum of its pipe by the period', () => {
    const periods = twoPeriods.map((one) => ({
      ...one,
      setpoints: { ...one.setpoints, pipe_min_c: 45, pipe_max_c: 50 },
    }));
    const opens = (asked: Partial<ClimateReadings>, within: ClimatePeriod[] = periods) => {
      const { settle } = mixing({}, within);
      return pctOf(settle({ humidity_pct: 60, ...asked }, 60), 'valve') ?? NaN;
    };
    const [cold, mild] = [
      { temp_c: 8, outdoor_c: -15, pipe_c: 54 },
      { temp_c: 21, outdoor_c: 18, pipe_c: 40 },
    ];
    expect([opens(cold), opens(mild)]).toEqual([0, 100]);
    expect([opens(cold, [...twoPeriods]), opens(mild, [...twoPeriods])]).toEqual([100, 0]); // 35 to 60 C
  });

  it('keeps less of a minimum in the sun where an influence says so, and never more than its maximum', () => {
    const shifted = (to_y: number, asked: Partial<ClimateReadings>) => {
      const sun = { on: 'pipe_min_c', source: 'radiation', from_x: 100, to_x: 400, from_y: 0, to_y } as const;
      const step = mixing({}, undefined, [sun]).settle({ humidity_pct: 60, temp_c: 21, outdoor_c: 18, ...asked }, 60);
      return [pctOf(step, 'valve'), step.setpoints.pipe_min_c.value];
    };
    // Of a pipe of 30 C with a minimum of 35 C.
    expect(shifted(-15, { pipe_c: 30, radiation_w_m2: 50 })).toEqual([100, 35]);
    expect(shifted(-15, { pipe_c: 30, radiation_w_m2: 450 })).toEqual([0, 20]);
    // 60 C at most.
    expect(shifted(40, { pipe_c: 61, radiation_w_m2: 450 })).toEqual([0, 75]);
    expect(shifted(40, { pipe_c: 50, radiation_w_m2: 450 })).toEqual([100, 75]);
  });

  it('that a hand holds does not wind up', () => {
    const { look, settle } = mixing();
    const cold = { temp_c: 8, outdoor_c: -15, humidity_pct: 60, pipe_c: 40 };
    settle({ ...cold, stands_pct: { valve: 30 } }, 120);
    expect(pctOf(look({ ...cold, pipe_c: 58, stands_pct: { valve: 30 } }, 600), 'valve')).toBeLessThanOrEqual(50);
  });
});
