import type { z } from 'zod';
import { alarmBands, type AlarmLimits } from '../../../server/contract/alarm-limits.ts';

/** A number that may be left out: while it is not set, what was typed is kept but means nothing. */
export interface Limit {
  isSet: boolean;
  value: number | null;
}

export function limitOf(value: number | null | undefined): Limit {
  return { isSet: value != null, value: value ?? null };
}

/** The wire's value: null where it is not set. */
export function settledLimit({ isSet, value }: Limit): number | null {
  return isSet ? value : null;
}

/** The range of a number's schema, inclusive. */
export function rangeOf(schema: z.ZodNumber): { from: number; to: number } {
  return { from: schema.minValue ?? Number.NEGATIVE_INFINITY, to: schema.maxValue ?? Number.POSITIVE_INFINITY };
}

/** True where the limit is not set, or is a number that its schema takes. */
export function isGoodLimit(limit: Limit, schema: z.ZodNumber): boolean {
  return !limit.isSet || schema.safeParse(limit.value).success;
}

/** The same done for each of some names. */
export function each<Name extends string, Value>(
  names: readonly Name[],
  make: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, Value>; // one for each name
}

/** The wire unit that a schema says it is in; empty for a bare number. */
export function unitOf(schema: z.ZodType): string {
  const unit = schema.meta()?.['unit'];
  return typeof unit === 'string' ? unit : '';
}

/** The limit that should stand above this one and does not; undefined where all is well. */
export function contradictionOf(
  name: keyof AlarmLimits,
  limits: Partial<Record<keyof AlarmLimits, Limit>>,
): keyof AlarmLimits | undefined {
  const above = alarmBands.find(([low]) => low === name)?.[1];
  const [least, most] = [name, above].map((one) =>
    one === undefined ? null : settledLimit(limits[one] ?? limitOf(null)),
  );
  return least != null && most != null && least >= most ? above : undefined;
}

/** Whether any does. */
export function isContradictory(limits: Partial<Record<keyof AlarmLimits, Limit>>): boolean {
  return alarmBands.some(([low]) => contradictionOf(low, limits) !== undefined);
}
