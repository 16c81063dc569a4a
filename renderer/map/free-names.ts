import { longestName } from '../../server/contract/identifier.ts';

/** Longer ones, such as the number of a parcel, count nothing: a number cannot hold all their digits. */
const mostDigits = 15;

/**
 * Names for copies, beside those that are taken: each call returns the next free one, `House 3` after `House 2`; empty
 * for what has no name.
 */
export function freeNames(taken: Iterable<string>): (name: string) => string {
  const used = new Set(taken);
  /** The number given last by what stands before it: two thousand copies do not look for theirs from the first. */
  const last = new Map<string, number>();
  return (name) => {
    if (name === '') return '';
    const found = /(?<!\d)\d+$/.exec(name)?.[0] ?? '';
    const digits = found.length > mostDigits ? '' : found;
    const stem = name.slice(0, name.length - digits.length);
    const begin = digits === '' ? `${stem} ` : stem;
    for (let number = Math.max(Number(digits || 1), last.get(begin) ?? 0) + 1; ; number += 1) {
      const end = String(number).padStart(digits.length, '0');
      const next = begin.slice(0, longestName - end.length) + end;
      if (used.has(next)) continue;
      used.add(next);
      last.set(begin, number);
      return next;
    }
  };
}
