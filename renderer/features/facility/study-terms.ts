import { z } from 'zod';
import type { ConditionName } from '../../ui/design-condition.ts';
import { studies, type StudyKind, type StudyResult } from '../../../server/contract/study.ts';

/** The value in each study's collapsed line: the first one known. */
export const headlines = {
  year: ['heat_kwh_m2'],
  covering: [],
  condensation: ['roof_settling_pct'],
  humidity: ['ventilation_m3h', 'transpiration_g_m2h'],
  evaporative: ['fan_m3h'],
  carbon_dioxide: ['leak_kg_h'],
  lighting: ['flux_umol_m2s'],
  structure: ['valley_snow_kn_m2', 'roof_snow_kn_m2'],
} as const satisfies { [K in StudyKind]: readonly (keyof StudyResult[K])[] };

/** What must be entered before a value is known. */
const needs: Readonly<Record<string, ConditionName>> = {
  fuel_units: 'fuel_kwh_per_unit',
  fuel_cost: 'fuel_price',
  fuel_cost_m2: 'fuel_price',
  saved_cost: 'fuel_price',
  price: 'screen_price_m2',
  year_cost: 'co2_price_kg',
  electricity_cost: 'electricity_price',
  ground_snow_kn_m2: 'snow_kn_m2',
  roof_snow_kn_m2: 'snow_kn_m2',
  peak_pressure_kn_m2: 'wind_base_m_s',
  wall_wind_kn_m2: 'wind_base_m_s',
  roof_uplift_kn_m2: 'wind_base_m_s',
  snow_share_pct: 'snow_capacity_kn_m2',
  wind_share_pct: 'wind_capacity_kn_m2',
};

/** Values that are null because neither machine nor air can do it, not because an entry is missing. */
const impossible: ReadonlySet<string> = new Set([
  'ventilation_m3h',
  'heat_kw',
  'fog_ventilation_m3h',
  'fog_l_h',
  'fog_g_m2h',
]);

/** Terms that are known, and those that show that something is impossible. */
export function shownTermsOf<K extends StudyKind>(kind: K, study: StudyResult[K]): StudyTerm[] {
  return termsOf(kind, study).filter(({ name, value }) => value !== null || impossible.has(name));
}

/** Conditions that values of the study need but were not entered. */
export function missingOf<K extends StudyKind>(kind: K, study: StudyResult[K]): ConditionName[] {
  const figures = [
    ...termsOf(kind, study).map(({ name, value }) => [name, value] as const),
    ...tablesOf(kind, study).flatMap(({ rows }) => rows.flatMap((row) => Object.entries(row))),
  ];
  const missing = figures.flatMap(([name, value]) => (value === null ? (needs[name] ?? []) : []));
  return [...new Set(missing)];
}

export interface StudyTerm {
  /** Field of the study; its text is in study.fields. */
  name: string;
  unit: string;
  value: number | null;
}

export interface StudyTable {
  name: string;
  columns: { name: string; unit: string }[];
  rows: Record<string, number | string | null>[];
}

/** Unit of a field in the contract; empty for a bare number. */
function unitOf(schema: z.ZodType | undefined): string {
  // A nullable field has its unit on the wrapped schema.
  const unit =
    (schema instanceof z.ZodNullable ? unitOf(schema.unwrap() as z.ZodType) : schema?.meta()?.['unit']) ?? '';
  return typeof unit === 'string' ? unit : '';
}

/** The single values of a study in the contract's order. */
export function termsOf<K extends StudyKind>(kind: K, study: StudyResult[K]): StudyTerm[] {
  const fields: Record<string, z.ZodType> = studies[kind].shape;
  return Object.entries(study).flatMap(([name, value]) =>
    Array.isArray(value) ? [] : [{ name, unit: unitOf(fields[name]), value: value as number | null }],
  );
}

/** A study's values by month, with the field's name. */
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
