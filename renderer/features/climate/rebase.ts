import type { Json } from '../../../server/contract/differences.ts';
import { isSame } from '../../../server/contract/plain-data.ts';

type Fields = Record<string, Json>;

/**
 * A draft when what it was made of changes: a field that the draft leaves as it was takes the newer value, one that it
 * changed stays. Lists of periods and of influences merge row by row where all three have the same rows; else one that
 * both changed stays as drafted.
 */
export function rebased(base: Json, mine: Json, newer: Json): Json {
  if (isSame(mine, base)) return newer;
  if (isSame(newer, base)) return mine;
  if (isFields(base) && isFields(mine) && isFields(newer)) return rebasedFields(base, mine, newer);
  if (Array.isArray(base) && Array.isArray(mine) && Array.isArray(newer) && haveSameRows([base, mine, newer]))
    return mine.map((row, at) => rebased(base[at] ?? null, row, newer[at] ?? null));
  return mine;
}

function rebasedFields(base: Fields, mine: Fields, newer: Fields): Fields {
  const keys = new Set([...Object.keys(mine), ...Object.keys(newer)]);
  return Object.fromEntries(
    [...keys].map((key) => [key, rebased(base[key] ?? null, mine[key] ?? null, newer[key] ?? null)]),
  );
}

/**
 * The same rows at the same places, none of them twice: a row is known by its name, an influence by what shifts what.
 */
function haveSameRows(lists: readonly Json[][]): boolean {
  const [labels = [], ...others] = lists.map((list) => list.map(labelOf));
  const isUnique = new Set(labels).size === labels.length && !labels.includes(null);
  return isUnique && others.every((other) => isSame(other, labels));
}

function labelOf(row: Json): string | null {
  if (!isFields(row)) return null;
  const { name, on, source } = row;
  if (typeof name === 'string') return name;
  return typeof on === 'string' && typeof source === 'string' ? `${on} by ${source}` : null;
}

function isFields(value: Json): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
