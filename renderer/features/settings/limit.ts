import type { z } from 'zod';
import { alarmBands, type AlarmLimits } from '../../../server/contract/alarm-limits.ts';

/** An optional number: while it is off, the typed value is kept but not used. */
export interface Limit {
  isSet: boolean;
  value: number | null;
}

export function limitOf(value: number | null | undefined): Limit {
  return { isSet: value != null, value: value ?? null };
}

/** The wire value; null when off. */
export function settledLimit({ isSet, value }: Limit): number | null {
  return isSet ? value : null;
}

/** The range of a number's schema, inclusive. */
export function rangeOf(schema: z.ZodNumber): { from: number; to: number } {
  return { from: schema.minValue ?? Number.NEGATIVE_INFINITY, to: schema.maxValue ?? Number.POSITIVE_INFINITY };
}

/** True when the limit is off, or a number that its schema accepts. */
export function isGoodLimit(limit: Limit, schema: z.ZodNumber): boolean {
  return !limit.isSet || schema.safeParse(limit.value).success;
}

/** An object with one value for each name. */
export function each<Name extends string, Value>(
  names: readonly Name[],
  make: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, Value>; // one for each name
}

/** The wire unit of a schema; empty for a bare number. */
export function unitOf(schema: z.ZodType): string {
  const unit = schema.meta()?.['unit'];
  return typeof unit === 'string' ? unit : '';
}

/** The limit that should be above this one and is not; undefined when all is well. */
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

/** Whether any limits contradict each other. */
export function isContradictory(limits: Partial<Record<keyof AlarmLimits, Limit>>): boolean {
  return alarmBands.some(([low]) => contradictionOf(low, limits) !== undefined);
}
