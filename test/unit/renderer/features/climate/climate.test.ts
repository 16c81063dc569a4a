import { describe, expect, it } from 'vitest';
import type { ClimatePreset } from '../../../../../server/contract/climate-preset.ts';
import {
  climateDefaults,
  type Climate,
  type ClimateInfluence,
  type ClimatePeriod,
} from '../../../../../server/contract/climate-settings.ts';
import { differences } from '../../../../../server/contract/differences.ts';
import {
  anchorOf,
  bandOf,
  hoursOf,
  lineOf,
  meanOfSeries,
  measuredNear,
  nearest,
  timeOf,
  scaleOf,
  xOf,
  yOf,
} from '../../../../../renderer/features/climate/day-picture.ts';
import {
  firstRows,
  inDayOrder,
  periodOf,
  periodsOf,
  rowOf,
  withNewRow,
} from '../../../../../renderer/features/climate/period-rows.ts';
import {
  fieldsOf,
  furtherFields,
  mainFields,
  programParts,
  setpointFields,
} from '../../../../../renderer/features/climate/loop-fields.ts';
import { shownUnit } from '../../../../../renderer/units/quantity.ts';
import { refusedWords } from '../../../../../renderer/features/climate/fault-words.ts';
import { fitWarning } from '../../../../../renderer/features/climate/rehearsal-lines.ts';
import { en } from '../../../../../renderer/i18n/en/index.ts';
import { createTranslations } from '../../../../../renderer/i18n/index.ts';
import type { Format } from '../../../../../renderer/ui/format.ts';
import { shallowRef } from 'vue';
import { useClimateDraft } from '../../../../../renderer/features/climate/use-climate-draft.ts';
import { rebased } from '../../../../../renderer/features/climate/rebase.ts';
import { checkedDraft } from '../../../../../renderer/features/climate/draft-faults.ts';
import { influenceOf, influenceRowOf } from '../../../../../renderer/features/climate/influence-rows.ts';
import { presetLines, withPreset } from '../../../../../renderer/features/climate/preset-lines.ts';

const hourMs = 3_600_000;

describe('periods as they are entered', () => {
  const period: ClimatePeriod = {
    name: 'Day',
    start: { event: 'clock', at: '07:30' },
    ramp: { minutes: 90 },
    setpoints: { heating_c: 19, ventilation_c: 23, vent_max_pct: 60, co2_ppm: 800 },
  };
  const refusing: ClimatePeriod = {
    name: 'Night',
    start: { event: 'sunset', offset_min: 0 },
    setpoints: { heating_c: 16, ventilation_c: 20, screen_allowed: false },
  };

  it('come back as they were', () => {
    expect(periodOf(rowOf(period))).toEqual(period);
    const [, more] = periodsOf([rowOf(period), rowOf(refusing)]) ?? [];
    expect(more).toEqual(refusing);
  });

  it('leave out what was emptied, and take a ramp of their own', () => {
    const { co2_ppm: _, ...setpoints } = period.setpoints;
    const ramp = { ramp: 'k_per_h' as const, ramp_amount: 2 };
    const row = { ...rowOf(period), co2_ppm: null, ...ramp, event: 'sunset' as const, offset_min: -30 };
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

  it('take a new one at its place in the day: around noon, else in the middle of the longest', () => {
    const names = (rows: readonly { name: string }[]) => rows.map(({ name }) => name);
    const three = withNewRow(firstRows('Day', 'Night'), 'Noon');
    expect(names(three)).toEqual(['Day', 'Noon', 'Night']);
    const four = withNewRow(three, 'New');
    expect(four.find(({ name }) => name === 'New')).toMatchObject({ event: 'clock', at: '00:00' });
    expect(names(inDayOrder(four.toReversed()))).toEqual(['New', 'Day', 'Noon', 'Night']);
  });
});

it('writes the unit of each field with its powers raised', () => {
  const loops = [mainFields, furtherFields].flatMap((fields) => programParts.flatMap((part) => fieldsOf(fields, part)));
  const units = [...Object.values(setpointFields), ...loops.map(([, unit]) => unit)];
  const shown = units.map((unit) => shownUnit(unit, { length_unit: 'm', temperature_unit: 'c' }));
  expect(shown).toContain('ml/m²');
  expect(shown.filter((unit) => /[a-z][23]/.test(unit))).toEqual([]);
});

it.each([
  ['from', 'none_stored', 'First day: None of these days was measured completely.'],
  ['days', 'not_stored_yet', 'How long: These days must be over.'],
])('says in words what of a rehearsal is refused: %s', (path, code, words) => {
  const { t } = createTranslations(en).global;
  const saying = { t, format: {} as Format, periods: [] }; // no number and no date in these
  expect(refusedWords({ path, code, message: '' }, saying)).toBe(words);
});

it.each([
  ['of a house that it was never compared with', null, /^$/],
  ['that follows its house', 2.4, /^$/],
  ['that is far off', 2.6, /^The model of this house was off by 2.6 K on the day it was tested/],
])('says before its totals that a model is bad: one %s', (_what, error_k, words) => {
  const { t } = createTranslations(en).global;
  const format = { quantity: (value: number, unit: string) => `${value} ${unit}` } as Format; // all that is called
  const fit = { days: 3, loss_factor: 1, sun_factor: 1, drawn_error_k: 4, error_humidity_pct: null };
  const calibration = error_k === null ? null : { ...fit, error_k };
  expect(fitWarning({ calibration }, { t, format }) ?? '').toMatch(words);
});

describe('the drawn day', () => {
  const times = [0, hourMs, 2 * hourMs];

  it('spans its times and its values', () => {
    const scale = scaleOf(960, times, [[16, 18, 20]]);
    expect([xOf(0, scale), xOf(2 * hourMs, scale)]).toEqual([56, 952]);
    expect(yOf(20, scale)).toBeLessThan(yOf(16, scale));
    const day = { ...scale, to_ms: 24 * hourMs };
    expect(hoursOf(day)).toHaveLength(9);
    expect([0, 12, 24].map((hour) => anchorOf(hour * hourMs, day))).toEqual(['middle', 'middle', 'end']);
  });

  it('marks the hours of the clock from its midnight, fewer on a phone', () => {
    const midnight = Date.UTC(2026, 2, 1, 18, 30); // in India
    const day = { ...scaleOf(960, [], []), from_ms: midnight, to_ms: midnight + 24 * hourMs };
    const marked = (width: number) => hoursOf({ ...day, width }).map((atMs) => (atMs - midnight) / hourMs);
    expect(marked(960)).toEqual([0, 3, 6, 9, 12, 15, 18, 21, 24]);
    expect(marked(300)).toEqual([0, 6, 12, 18, 24]);
  });

  it('is read where somebody points', () => {
    const scale = scaleOf(960, times, [[16, 18, 20]]);
    expect(times.map((timeMs) => nearest(times, timeOf(xOf(timeMs, scale), scale)))).toEqual([0, 1, 2]);
    expect(nearest(times, -hourMs)).toBe(0);
  });

  it('has the mean of the thermometers that spoke', () => {
    expect(
      meanOfSeries(
        [0, hourMs],
        [
          [18, null],
          [20, null],
        ],
      ),
    ).toEqual({
      times: [hourMs / 8, hourMs + hourMs / 8],
      values: [19, null],
    });
    expect(meanOfSeries([], [])).toEqual({ times: [], values: [] });
  });

  it('has a measured value within its quarter of an hour alone', () => {
    const day = meanOfSeries([0, hourMs], [[18, 20]]);
    const at = (minute: number) => measuredNear(day, minute * 60_000);
    expect([0, 15, 16, 40, 59, 60, 75, 600].map(at)).toEqual([18, 18, null, null, null, 20, 20, null]);
    expect(measuredNear({ times: [], values: [] }, 0)).toBeNull();
  });

  it('breaks its line where there is no value, and closes what lies between two', () => {
    const scale = scaleOf(960, times, [[16, 20]]);
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

describe('a draft', () => {
  const whole = { periods: firstRows('Day', 'Night').map(periodOf), influences: [], ...partsOnly() };

  it('has no faults when it is whole, and each fault at its place', () => {
    expect(checkedDraft(whole)).toMatchObject({
      faults: [],
      program: { periods: [{ name: 'Day' }, { name: 'Night' }] },
    });
    const heating = { ...climateDefaults.heating, gain_pct_per_k: 900, integral_min: null };
    const periods = whole.periods.map((one) => ({ ...one, name: ' ', ramp: { k_per_h: 0 } }));
    const { program, faults } = checkedDraft({ ...whole, heating, periods: periods.slice(0, 1) });
    expect(program).toBeNull();
    expect(faults.map(({ path, code, values }) => [path, code, values.limit])).toEqual([
      ['periods[0].name', 'required', undefined],
      ['periods[0].ramp.k_per_h', 'least', 0.1],
      ['heating.gain_pct_per_k', 'most', 200],
      ['heating.integral_min', 'required', undefined],
    ]);
  });

  it('is told what does not go together', () => {
    const rows = firstRows('Day', 'Night').map((row) => ({ ...row, ventilation_c: 10 }));
    const screens = { ...climateDefaults.screens, shade: climateDefaults.screens.shade.toReversed() };
    const { faults } = checkedDraft({ ...whole, periods: rows.map(periodOf), screens });
    expect(faults.map(({ path, code }) => [path, code])).toEqual([
      ['periods[0].setpoints.ventilation_c', 'ventilation_below_heating'],
      ['periods[1].setpoints.ventilation_c', 'ventilation_below_heating'],
      ['screens.shade', 'not_ascending'],
    ]);
  });

  it('keeps an influence as it is stored', () => {
    const [device_id, measurement_id] = [
      '00000000-0000-4000-8000-000000000001',
      '00000000-0000-4000-8000-000000000002',
    ];
    const measurement = { device_id, measurement_id, max_age_s: 60 };
    const shift = { from_x: 0, to_x: 1, from_y: 0, to_y: 2 };
    const stored: ClimateInfluence[] = [
      { on: 'heating_c', source: 'measurement', measurement, ...shift },
      { on: 'co2_ppm', source: 'wind', slew_per_h: 3, ...shift },
    ];
    expect(stored.map(influenceRowOf).map(influenceOf)).toEqual(stored);
  });

  function partsOnly() {
    const { influences: _influences, overrides: _overrides, ...parts } = climateDefaults;
    return parts;
  }
});

describe('what somebody else changed while a draft is open', () => {
  const period = (name: string, heating_c: number): ClimatePeriod => ({
    name,
    start: { event: 'sunrise', offset_min: 0 },
    setpoints: { heating_c, ventilation_c: 24 },
  });
  const stored: Climate = {
    unique_id: '00000000-0000-4000-8000-000000000001',
    facility_uuid: '00000000-0000-4000-8000-000000000002',
    revision: 1,
    name: 'House',
    is_activated: true,
    ...climateDefaults,
    periods: [period('Day', 20), period('Night', 16)],
  };

  /** A draft of the stored program that has a colder night. */
  function drafting() {
    const program = shallowRef<Climate | null>(stored);
    const draft = useClimateDraft(program);
    draft.show(stored);
    draft.rows.value = draft.rows.value.map((row, at) => (at === 1 ? { ...row, heating_c: 15 } : row));
    const adopt = (newer: Climate): void => {
      draft.rebase(newer);
      program.value = newer;
    };
    return { draft, adopt };
  }

  it('is theirs where the draft left it, of loops and of other periods, and the draft stays', () => {
    const { draft, adopt } = drafting();
    const limits = { ...climateDefaults.limits, storm_m_s: 12 };
    adopt({ ...stored, limits });
    adopt({ ...stored, limits, periods: [period('Day', 21), period('Night', 16)] });
    expect(draft.changes.value).toEqual([{ path: 'periods[1].setpoints.heating_c', before: 16, after: 15 }]);
    expect(draft.body.value?.limits).toBeUndefined();
    expect(draft.body.value?.periods.map(({ setpoints }) => setpoints.heating_c)).toEqual([21, 15]);
    expect([...draft.changedByOthers.value].toSorted()).toEqual(['limits.storm_m_s', 'periods[0].setpoints.heating_c']);
  });

  it('is shown beside the own value where both changed it', () => {
    const { draft, adopt } = drafting();
    adopt({ ...stored, periods: [period('Day', 20), period('Night', 17)] });
    expect(draft.changes.value).toEqual([{ path: 'periods[1].setpoints.heating_c', before: 17, after: 15 }]);
    expect([...draft.changedByOthers.value]).toEqual(['periods[1].setpoints.heating_c']);
  });

  it('is all that is shown where nothing was entered', () => {
    const { draft, adopt } = drafting();
    draft.show(stored);
    expect(draft.isTouched.value).toBe(false);
    adopt({ ...stored, periods: [period('Noon', 22)] });
    expect([draft.changes.value, draft.isTouched.value]).toEqual([[], false]);
    expect(draft.changedByOthers.value.size).toBe(0); // before there was a draft
  });

  it('keeps a draft that is not whole yet', () => {
    const { draft, adopt } = drafting();
    draft.rows.value = draft.rows.value.map((row) => ({ ...row, ventilation_c: null }));
    adopt({ ...stored, limits: { ...climateDefaults.limits, storm_m_s: 12 } });
    expect(draft.rows.value.map(({ ventilation_c }) => ventilation_c)).toEqual([null, null]);
    expect([draft.parts.value.limits.storm_m_s, draft.isTouched.value]).toEqual([12, true]);
  });

  it.each([
    ['only the draft', [1], [2], [1], [2]],
    ['only the other', [1], [1], [3], [3]],
    ['both, of a list without names', [1], [2], [3], [2]],
    ['fields of one object', { a: 1, b: 1 }, { a: 2, b: 1 }, { a: 1, b: 3 }, { a: 2, b: 3 }],
    ['a row added by the other', named('x', 1), named('x', 2), [...named('x', 1), ...named('y', 1)], named('x', 2)],
    ['rows of one name', [...named('x', 1), ...named('x', 1)], twice(2, 1), twice(1, 3), twice(2, 1)],
  ])('merges %s', (_what, base, mine, newer, expected) => {
    expect(rebased(base, mine, newer)).toEqual(expected);
  });

  function named(name: string, a: number) {
    return [{ name, a }];
  }

  function twice(first: number, second: number) {
    return [...named('x', first), ...named('x', second)];
  }
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
  const draft = { rows: firstRows('Day', 'Night'), influences: [], parts: climateDefaults };
  const names = ['Day', 'Night'];

  it('shows what becomes otherwise, and the numbers that stay', () => {
    const lines = presetLines(preset, draft, names);
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
