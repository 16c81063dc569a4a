import type { TrendComparison } from '../../../server/contract/trend-view.ts';

type Back = Extract<TrendComparison, { with: 'earlier' }>['back'];

/** How far back each earlier time lies, ms. */
export const backMs: Readonly<Record<Back, number>> = {
  day: 86_400_000,
  week: 7 * 86_400_000,
  year: 365 * 86_400_000,
};
export const backs = Object.keys(backMs) as Back[]; // its own keys

/** What the shown span is compared with: itself at an earlier time, or the same quantities of another house. */
export type Comparison = TrendComparison;

/** As an address or a list names it: `day`, or the id of a house; empty for none. */
export function comparisonText(comparison: Comparison | null): string {
  if (comparison === null) return '';
  return comparison.with === 'earlier' ? comparison.back : comparison.facility_uuid;
}

/** The inverse; null for anything else. */
export function comparisonOf(text: string): Comparison | null {
  const back = backs.find((one) => one === text);
  if (back !== undefined) return { with: 'earlier', back };
  return uuidForm.test(text) ? { with: 'house', facility_uuid: text.toLowerCase() } : null;
}

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
