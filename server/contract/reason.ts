import { z } from 'zod';
import { climateReasons, type ClimateCause } from './climate-reason.ts';
import { measured } from './quantity.ts';
import { isoOf, timestamp } from './time.ts';

/**
 * Rules by which controllers act, beside those of climate programs; `resources/cause-text` words each in every
 * language.
 */
const controlReasons = [
  'pid_law',
  'pid_limited',
  'pid_in_band',
  'pid_held',
  'pid_trial',
  'pid_no_reading',
  'pid_other_unit',
  'crossed_above',
  'crossed_below',
  'output_is',
  'output_is_for',
  'sun',
  'sun_after',
  'sun_before',
  'time_point',
  'time_span',
  'interval',
  'missed',
  'method_duty',
  'condition',
  'condition_not',
  'value_given',
  'each_run',
  'bang_bang',
  'dose',
  'dose_none',
  'asked_by_program',
  'asked_by',
  'told',
] as const;
export const reasonCodes = [...controlReasons, ...climateReasons] as const;

/** Words that occur in a reason. */
export const reasonWords = [
  ...(['on', 'off', 'raise', 'lower', 'sunrise', 'sunset', 'noon'] as const),
  ...(['in_range', 'missing', 'mixing', 'locked', 'daily_cap', 'no_pump', 'clock', 'no_reaction'] as const),
] as const;
export type ReasonWord = (typeof reasonWords)[number];

const unit = z.string().max(32).describe('As stored: C, K, %, s, ml; empty where it has none');

/** A value that a statement used, as it was at that moment. */
const reading = z.strictObject({
  name: z.string().max(64),
  value: z
    .union([measured('In the unit; of a list how many values it had'), z.boolean()])
    .nullable()
    .describe('null: missing'),
  unit: unit.nullable().describe('null: a list'),
});

/** One fact of a reason. */
const reasonFact = z.union([
  z.strictObject({ value: measured('In the unit'), unit }),
  z.strictObject({ at: timestamp }),
  z.strictObject({ word: z.enum(reasonWords) }),
  z.strictObject({ text: z.string().max(500).describe('A name, or what a person wrote') }),
  z.strictObject({ readings: z.array(reading).max(50) }),
]);
export type ReasonFact = z.infer<typeof reasonFact>;
export type Reading = z.infer<typeof reading>;

/** A rule with its numbers, as data that every language can word. */
export const reason = z.strictObject({
  code: z.enum(reasonCodes),
  facts: z.record(z.string().max(40), reasonFact).describe('What the rule names, by name'),
});
export type Reason = z.infer<typeof reason>;

/** Units by the ending of a climate program's number; the longest ending first. */
const climateUnits: readonly (readonly [ending: string, unit: string])[] = [
  ['_mol_m2', 'mol/m2'],
  ['_w_m2', 'W/m2'],
  ['_j_cm2', 'J/cm2'],
  ['_l_m2', 'l/m2'],
  ['_min', 'min'],
  ['_m_s', 'm/s'],
  ['degree_hours', 'K h'],
  ['_kpa', 'kPa'],
  ['_ppm', 'ppm'],
  ['_pct', '%'],
  ['_c', 'C'],
  ['_k', 'K'],
];

export function climateUnit(name: string): string {
  return climateUnits.find(([ending]) => name.endsWith(ending))?.[1] ?? '';
}

/** The reason of a climate program with the unit of each of its numbers; `…_at_ms` is a time. */
export function climateReason({ code, values }: ClimateCause): Reason {
  const facts = Object.entries(values).map(([name, value]): [string, ReasonFact] =>
    name.endsWith('_at_ms')
      ? [name.slice(0, -'_ms'.length), { at: isoOf(value) }]
      : [name, { value, unit: climateUnit(name) }],
  );
  return { code, facts: Object.fromEntries(facts) };
}

/** A number in a reason, to six digits. */
export function amount(value: number, of: string): ReasonFact {
  return { value: Number(value.toPrecision(6)), unit: of };
}

/** The unit of a difference of two values. */
export function differenceUnit(of: string): string {
  return of === 'C' ? 'K' : of;
}
