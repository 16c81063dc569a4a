import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { headlines, monthsOf, tablesOf, termsOf } from '../../../../../renderer/features/facility/study-terms.ts';
import { en } from '../../../../../renderer/i18n/en/index.ts';
import { studies, studyKinds } from '../../../../../server/contract/study.ts';
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
});
