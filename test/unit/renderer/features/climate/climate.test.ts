import { describe, expect, it } from 'vitest';
import { climateReasons } from '../../../../../server/contract/climate-live.ts';
import type { ClimatePeriod } from '../../../../../server/contract/climate-settings.ts';
import { wordsOf } from '../../../../../server/domain/climate-program/words.ts';
import { unitOf } from '../../../../../renderer/features/climate/cause-text.ts';
import { bandOf, hoursOf, lineOf, scaleOf, xOf, yOf } from '../../../../../renderer/features/climate/day-picture.ts';
import { firstRows, periodOf, periodsOf, rowOf } from '../../../../../renderer/features/climate/period-rows.ts';
import { en } from '../../../../../renderer/i18n/en/index.ts';

const hour_ms = 3_600_000;

describe('periods as they are entered', () => {
  const period: ClimatePeriod = {
    ...{ name: 'Day', start: { event: 'clock', at: '07:30' }, ramp: { minutes: 90 } },
    setpoints: { heating_c: 19, ventilation_c: 23, vent_max_pct: 60, co2_ppm: 800 },
  };

  it('come back as they were, with what the page does not show', () => {
    expect(periodOf(rowOf(period))).toEqual(period);
  });

  it('leave out what was emptied, and take a ramp of their own', () => {
    const { co2_ppm: _, ...setpoints } = period.setpoints;
    const row = { ...rowOf(period), co2_ppm: null, k_per_h: 2, event: 'sunset' as const, offset_min: -30 };
    expect(periodOf(row)).toEqual({
      name: 'Day',
      start: { event: 'sunset', offset_min: -30 },
      ramp: { k_per_h: 2 },
      setpoints,
    });
  });

  it('are none while a number is missing', () => {
    expect(periodsOf([rowOf(period), { ...rowOf(period), heating_c: null }])).toBeNull();
    expect(periodsOf(firstRows('Day', 'Night'))).toHaveLength(2);
  });
});

describe('the drawn day', () => {
  const times = [0, hour_ms, 2 * hour_ms];

  it('spans its times and its values', () => {
    const scale = scaleOf(times, [[16, 18, 20]]);
    expect([xOf(0, scale), xOf(2 * hour_ms, scale)]).toEqual([8, 952]);
    expect(yOf(20, scale)).toBeLessThan(yOf(16, scale));
    expect(hoursOf({ ...scale, to_ms: 24 * hour_ms })).toHaveLength(9);
  });

  it('breaks its line where there is no value, and closes what lies between two', () => {
    const scale = scaleOf(times, [[16, 20]]);
    expect(lineOf(times, [16, null, 20], scale).match(/M/g)).toHaveLength(2);
    expect(
      bandOf(
        times,
        [
          [16, 16, 16],
          [20, 20, 20],
        ],
        scale,
      ),
    ).toMatch(/^M[^M]*Z$/);
    expect(bandOf(times, [[null], [null]], scale)).toBe('');
  });
});

describe('the words of causes', () => {
  const numbersOf = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

  it('show no number that the cause does not have', () => {
    for (const code of climateReasons) {
      // A cause without numbers shows a dash for each that its own words take.
      const own = (wordsOf({ code, values: {} }).match(/–/g) ?? []).length;
      expect([code, numbersOf(en.climate.reason[code]).length <= Math.max(own, 3)]).toEqual([code, true]);
    }
  });

  it('carry the unit that the name of each number says', () => {
    expect(['limit_w_m2', 'light_mol_m2', 'wind_m_s', 'excess_k', 'target_c', 'hours'].map(unitOf)).toEqual([
      ...['W/m2', 'mol/m2', 'm/s', 'K', 'C', ''],
    ]);
  });
});
