import { checkBody } from './rule-form.ts';
import type { Group } from '../devices/form/option-schema.ts';

/** Stretches of stored time, s: an hour to 31 days. */
const stretches = [3_600, 6 * 3_600, 86_400, 7 * 86_400, 31 * 86_400] as const;
/** The most looks that the server tries. */
const mostLooks = 50_000;
const usualPeriod_s = 60;

function periodOf({ period_s }: Group): number {
  return typeof period_s === 'number' ? period_s : usualPeriod_s;
}

/** The stretches over which a function can be tried: one that looks often is tried over less. */
export function triedStretches(form: Group): number[] {
  return stretches.filter((one) => one / periodOf(form) <= mostLooks);
}

/** The request that tries what was entered over the last stretch; null while it is incomplete. */
export function dryRunBody(form: Group, stretch_s: number, now_ms: number) {
  const checked = checkBody(form);
  if (checked === null) return null;
  const [from, to] = [now_ms - stretch_s * 1_000, now_ms].map((at) => new Date(at).toISOString());
  return from === undefined || to === undefined ? null : { ...checked, period_s: periodOf(form), from, to };
}
