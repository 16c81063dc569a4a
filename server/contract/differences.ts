import { isSame } from './plain-data.ts';

/** A difference between two JSON values, by path; null for a side that has nothing there. */
export interface Difference {
  path: string;
  before: Json;
  after: Json;
}

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** Descends as far as both have the same fields; compares lists by index. */
export function differences(before: Json | undefined, after: Json | undefined, path = ''): Difference[] {
  if (isSame(before, after)) return [];
  const [was, is] = [before ?? null, after ?? null];
  if (!isNested(was) || !isNested(is) || Array.isArray(was) !== Array.isArray(is))
    return [{ path, before: was, after: is }];
  const keys = new Set([...Object.keys(was), ...Object.keys(is)]);
  return [...keys].flatMap((key) => differences(memberOf(was, key), memberOf(is, key), pathOf(path, key, is)));
}

function isNested(value: Json): value is Json[] | { [key: string]: Json } {
  return typeof value === 'object' && value !== null;
}

function memberOf(value: Json[] | { [key: string]: Json }, key: string): Json | undefined {
  return Array.isArray(value) ? value[Number(key)] : value[key];
}

function pathOf(path: string, key: string, parent: Json): string {
  if (Array.isArray(parent)) return `${path}[${key}]`;
  return path === '' ? key : `${path}.${key}`;
}
