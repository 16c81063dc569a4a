import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  headlines,
  missingOf,
  monthsOf,
  shownTermsOf,
  tablesOf,
  termsOf,
} from '../../../../../renderer/features/facility/study-terms.ts';
import { en } from '../../../../../renderer/i18n/en/index.ts';
import { studies, studyKinds } from '../../../../../server/contract/study.ts';
import { computeCapacity } from '../../../../../server/domain/capacity/compute.ts';
import { shownUnit } from '../../../../../renderer/units/quantity.ts';
import { studyHouse } from '../../../../../server/domain/study/study.ts';

const envelope = { material: 'glass_single', bay_width_m: 8, length_m: 50, eave_height_m: 4, ridge_height_m: 6 };
const weather = Array.from({ length: 24 }, () => ({ temp_c: 0, humidity_pct: 80, radiation_w_m2: 0 }));
const result = studyHouse({ envelope, bay_count: 2 }, weather);

describe('the terms of a study', () => {
  it('have words for every field, and for every row that has a name', () => {
    for (const kind of studyKinds) {
      for (const [name, schema] of Object.entries(studies[kind].shape as Record<string, z.ZodType>)) {
        expect(en.study.fields, `${kind}.${name}`).toHaveProperty(name);
        if (!(schema instanceof z.ZodArray) || !(schema.element instanceof z.ZodObject)) continue;
        const [first, ...others] = Object.entries(schema.element.shape);
        for (const [column] of others) expect(en.study.fields, `${kind}.${name}.${column}`).toHaveProperty(column);
        const codes = first?.[1] instanceof z.ZodEnum ? first[1].options : [];
        for (const code of codes) expect(en.study.rows).toHaveProperty(String(code));
      }
      for (const name of headlines[kind]) expect(Object.keys(studies[kind].shape)).toContain(name);
    }
  });

  it('carry the units of the contract, through what may be null too', () => {
    const units = new Map(termsOf('year', result.year).map(({ name, unit }) => [name, unit]));
    expect(units.get('heat_kwh_m2')).toBe('kWh/m2');
    expect(units.get('fuel_cost')).toBe('currency');
    expect(units.has('months_kwh')).toBe(false);
    expect(monthsOf(result.year)?.values).toHaveLength(12);
    const [faces] = tablesOf('covering', result.covering);
    expect(faces?.columns.map(({ unit }) => unit)).toEqual(['', 'm2', 'W/m2K', 'kW', 'kWh', '%']);
    expect(faces?.rows).toHaveLength(3);
  });

  it('name what has to be entered for those that are unknown, and leave them out', () => {
    expect(missingOf('year', result.year)).toEqual(['fuel_kwh_per_unit', 'fuel_price']);
    expect(missingOf('structure', result.structure)).toEqual([
      'snow_kn_m2',
      'wind_base_m_s',
      'snow_capacity_kn_m2',
      'wind_capacity_kn_m2',
    ]);
    expect(shownTermsOf('structure', result.structure).map(({ name }) => name)).toEqual(['return_years']);
    const design_conditions = { fuel_price: 1, fuel_kwh_per_unit: 10, screen_price_m2: 8 };
    const priced = studyHouse({ envelope, bay_count: 2, design_conditions }, weather);
    expect(missingOf('year', priced.year)).toEqual([]);
    expect(missingOf('covering', priced.covering)).toEqual([]);
  });

  it('say what cannot be done', () => {
    const impossible = { ...result.humidity, ventilation_m3h: null };
    expect(shownTermsOf('humidity', impossible)).toContainEqual({
      name: 'ventilation_m3h',
      unit: 'm3/h',
      value: null,
    });
  });

  it('have a label for every unit', () => {
    const units = studyKinds.flatMap((kind) => [
      ...termsOf(kind, result[kind]).map(({ unit }) => unit),
      ...tablesOf(kind, result[kind]).flatMap(({ columns }) => columns.map(({ unit }) => unit)),
    ]);
    const choice = { length_unit: 'm', temperature_unit: 'c' } as const;
    const bare = units.filter((unit) => /[23]|^u/.test(shownUnit(unit, choice)));
    expect(bare).toEqual([]);
  });
});

describe('what is assumed', () => {
  it.each([
    [{ envelope, bay_count: 2 }],
    [{ envelope: { ...envelope, roof_type: 'sawtooth' as const, material: 'po_film' }, bay_count: 4 }],
  ])('has a name, and words for its words', (house) => {
    const { assumptions } = studyHouse(house, weather);
    const all = { ...assumptions, ...computeCapacity(house).assumptions };
    const { assumptionNames, assumptionValues } = en.capacity;
    for (const [key, { value }] of Object.entries(all)) {
      const name = key.split('.').at(-1) ?? key;
      expect(Object.keys({ ...assumptionNames, ...en.settings.conditions.names })).toContain(name);
      if (typeof value === 'string' && name !== 'weather') {
        expect(
          Object.keys(assumptionValues).some((one) => one === name || one === value),
          `${key}: ${value}`,
        ).toBe(true);
      }
    }
  });
});
