import { z } from 'zod';
import { studies, type StudyKind, type StudyResult } from '../../../server/contract/study.ts';

/** The figure of each study that stands in its closed line; one that can be null has one that cannot after it. */
export const headlines = {
  year: ['heat_kwh_m2'],
  covering: [],
  condensation: ['roof_settling_pct'],
  humidity: ['ventilation_m3h', 'transpiration_g_m2h'],
  evaporative: ['fan_m3h'],
  carbon_dioxide: ['leak_kg_h'],
  lighting: ['flux_umol_m2s'],
  structure: ['valley_snow_kn_m2', 'roof_snow_kn_m2', 'return_years'],
} as const satisfies { [K in StudyKind]: readonly (keyof StudyResult[K])[] };

export interface StudyTerm {
  /** Field of the study, which has its words in study.fields. */
  name: string;
  unit: string;
  value: number | null;
}

export interface StudyTable {
  name: string;
  columns: { name: string; unit: string }[];
  rows: Record<string, number | string | null>[];
}

/** Unit that the contract gives a field; empty for a bare number. */
function unitOf(schema: z.ZodType | undefined): string {
  // A field that can be null has its unit on what it wraps.
  const unit =
    (schema instanceof z.ZodNullable ? unitOf(schema.unwrap() as z.ZodType) : schema?.meta()?.['unit']) ?? '';
  return typeof unit === 'string' ? unit : '';
}

/** Single figures of a study in the contract's order. */
export function termsOf<K extends StudyKind>(kind: K, study: StudyResult[K]): StudyTerm[] {
  const fields: Record<string, z.ZodType> = studies[kind].shape;
  return Object.entries(study).flatMap(([name, value]) =>
    Array.isArray(value) ? [] : [{ name, unit: unitOf(fields[name]), value: value as number | null }],
  );
}

/** What a study tells of each month, with its field's name. */
export function monthsOf(study: object): { name: string; values: number[] } | null {
  const found = Object.entries(study).find(([name]) => name.startsWith('months_'));
  return found === undefined ? null : { name: found[0], values: found[1] as number[] };
}

/** The lists of a study as tables. */
export function tablesOf<K extends StudyKind>(kind: K, study: StudyResult[K]): StudyTable[] {
  const fields: Record<string, z.ZodType> = studies[kind].shape;
  return Object.entries(study).flatMap(([name, rows]) => {
    const list = fields[name];
    if (!(list instanceof z.ZodArray) || !(list.element instanceof z.ZodObject)) return [];
    const columns = Object.entries(list.element.shape).map(([field, schema]) => ({
      name: field,
      unit: unitOf(schema as z.ZodType),
    }));
    return [{ name, columns, rows: rows as StudyTable['rows'] }];
  });
}
