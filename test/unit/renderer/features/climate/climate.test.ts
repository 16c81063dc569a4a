import { describe, expect, it } from 'vitest';
import type { ClimatePreset } from '../../../../../server/contract/climate-preset.ts';
import { climateDefaults, type ClimatePeriod } from '../../../../../server/contract/climate-settings.ts';
import { differences } from '../../../../../server/contract/differences.ts';
import {
  anchorOf,
  bandOf,
  hoursOf,
  lineOf,
  scaleOf,
  xOf,
  yOf,
} from '../../../../../renderer/features/climate/day-picture.ts';
import { firstRows, periodOf, periodsOf, rowOf } from '../../../../../renderer/features/climate/period-rows.ts';
import { presetLines, withPreset } from '../../../../../renderer/features/climate/preset-lines.ts';

const hourMs = 3_600_000;

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
  const times = [0, hourMs, 2 * hourMs];

  it('spans its times and its values', () => {
    const scale = scaleOf(times, [[16, 18, 20]]);
    expect([xOf(0, scale), xOf(2 * hourMs, scale)]).toEqual([8, 952]);
    expect(yOf(20, scale)).toBeLessThan(yOf(16, scale));
    const day = { ...scale, to_ms: 24 * hourMs };
    expect(hoursOf(day)).toHaveLength(9);
    expect([0, 12, 24].map((hour) => anchorOf(hour * hourMs, day))).toEqual(['start', 'middle', 'end']);
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

describe('a preset beside the draft', () => {
  const preset: ClimatePreset = {
    crop: 'lettuce',
    program: {
      periods: [
        { name: 'Day', start: { event: 'sunrise' }, setpoints: { heating_c: 24, ventilation_c: 25 } },
        { name: 'Night', start: { event: 'sunset' }, setpoints: { heating_c: 16, ventilation_c: 20 } },
      ],
      lamps: { sum_mol_m2: 17 },
    },
    sources: [
      { path: 'periods[1].setpoints.heating_c', source: 'x' },
      { path: 'lamps.sum_mol_m2', source: 'y' },
    ],
  };
  const draft = { rows: firstRows('Day', 'Night'), parts: climateDefaults };

  it('shows what becomes otherwise, and the numbers that stay', () => {
    const lines = presetLines(preset, draft);
    const of = (path: string) => lines.find((one) => one.path === path);
    expect(of('periods[0].setpoints.heating_c')).toMatchObject({ before: 18, after: 24 });
    expect(of('periods[1].setpoints.heating_c')).toMatchObject({ before: 16, after: 16 });
    expect(of('lamps.sum_mol_m2')).toMatchObject({ before: 15, after: 17 });
    expect(of('heating.gain_pct_per_k')).toBeUndefined();
    expect(of('periods[0].start.offset_min')).toBeUndefined(); // 0 min and none are the same
  });

  it('changes of the draft what it names alone', () => {
    const { rows, parts } = withPreset(preset, draft, ['Tag', 'Nacht']);
    expect(rows.map(({ name, heating_c }) => [name, heating_c])).toEqual([
      ['Tag', 24],
      ['Nacht', 16],
    ]);
    expect([parts.lamps.sum_mol_m2, parts.lamps.most_h]).toEqual([17, climateDefaults.lamps.most_h]);
    expect(parts.heating).toEqual(climateDefaults.heating);
  });
});

describe('differences', () => {
  it('are told by their paths, null where one has nothing', () => {
    const before = { a: 1, periods: [{ name: 'x', setpoints: { heating_c: 1 } }], same: [1] };
    const after = { a: 2, periods: [{ name: 'x', setpoints: { heating_c: 1, co2_ppm: 2 } }, { name: 'y' }], same: [1] };
    expect(differences(before, after)).toEqual([
      { path: 'a', before: 1, after: 2 },
      { path: 'periods[0].setpoints.co2_ppm', before: null, after: 2 },
      { path: 'periods[1]', before: null, after: { name: 'y' } },
    ]);
    expect(differences(before, before)).toEqual([]);
  });
});
