import type { CheckCode, ItemCheck } from '../../contract/commissioning.ts';
import { shareOf, type Column, type Effect } from './effect.ts';
import { quantityFacts } from './quantity.ts';
import { quantile } from './regression.ts';

/** What one sensor showed, for the evidence. */
export interface Seen {
  column: Column;
  effect: Effect;
}

/** Seconds of an effect that a report shows. */
const shown_s = 60;

/** The size of an effect in a minute, or at once, in the unit of the sensor. */
export function amountOf({ column, effect }: Seen, size: number): number {
  if (effect.expected?.following === 'exchange') return shown_s * column.gap * size;
  const isPrompt = quantityFacts[column.quantity].promptWithin_s !== undefined;
  return isPrompt ? size : shown_s * size;
}

function unitOf({ column }: Seen): string {
  const { unit, promptWithin_s } = quantityFacts[column.quantity];
  return promptWithin_s === undefined ? `${unit}/min` : unit;
}

/** A sensor with the effect it showed and the one expected. */
export function facts(view: Seen) {
  const { column, effect } = view;
  const expected = String(rounded(amountOf(view, effect.expected?.size ?? 0)));
  return { name: column.series.name, ...amount(view, shareOf(effect)?.share ?? 0), expected };
}

/** A share of the expected effect, as a figure. */
export function amount(view: Seen, share: number): { value: number; unit: string } {
  return { value: rounded(amountOf(view, share * (view.effect.expected?.size ?? 0))), unit: unitOf(view) };
}

/** The test of an effect against the one expected. */
export function responseCheck(seen: Seen, passed: boolean | null, code: CheckCode): ItemCheck {
  const { expected, size } = seen.effect;
  const awaited = rounded(amountOf(seen, expected?.size ?? 0));
  return {
    code,
    passed,
    measured: rounded(amountOf(seen, size.estimate)),
    expected: String(awaited),
    unit: unitOf(seen),
  };
}

/** Smallest change, in a minute or at once, that would have been noticed. */
export function leastSeen(seen: Seen): number {
  return Math.abs(amountOf(seen, quantile(0.99, seen.effect.degrees) * seen.effect.size.error));
}

/** A test of words in place of figures. */
export function words(code: CheckCode, passed: boolean | null, measured: string | null, expected: string): ItemCheck {
  return { code, passed, measured, expected, unit: '' };
}

/** Three digits, enough for a report. */
function rounded(value: number): number {
  return Number(value.toPrecision(3));
}
