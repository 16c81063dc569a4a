import type { AuditRecord } from '../../../server/contract/audit.ts';

type Json = AuditRecord['before'];
/** What has no members; `[]` and `{}` stand for what has none of its own. */
export type Leaf = string | number | boolean | null;

/** A changed member; undefined on the side that lacks it. */
export interface Difference {
  /** Dotted path, `channels[0].name`; empty for a value without members. */
  path: string;
  kind: 'added' | 'removed' | 'changed';
  before: Leaf | undefined;
  after: Leaf | undefined;
}

/** The differences between two states of a record, by path, in document order. */
export function differencesOf(before: Json, after: Json): Difference[] {
  const [one, other] = [leaves(before), leaves(after)];
  const paths = new Set([...one.keys(), ...other.keys()]);
  return [...paths].flatMap((path) => difference(path, one.get(path), other.get(path)) ?? []);
}

function difference(path: string, before: Leaf | undefined, after: Leaf | undefined): Difference | undefined {
  if (before === after) return undefined;
  if (before === undefined) return { path, kind: 'added', before, after };
  return { path, kind: after === undefined ? 'removed' : 'changed', before, after };
}

/** Every leaf of a tree by its path. A missing record (null) has none. */
function leaves(whole: Json): Map<string, Leaf> {
  const found = new Map<string, Leaf>();
  const visit = (value: Json, path: string): void => {
    if (typeof value !== 'object' || value === null) {
      found.set(path, value);
      return;
    }
    const members = Array.isArray(value)
      ? value.map((member, index): [string, Json] => [`${path}[${index}]`, member])
      : Object.entries(value).map(([name, member]): [string, Json] => [path === '' ? name : `${path}.${name}`, member]);
    if (members.length === 0) found.set(path, Array.isArray(value) ? '[]' : '{}');
    for (const [to, member] of members) visit(member, to);
  };
  if (whole !== null) visit(whole, '');
  return found;
}
