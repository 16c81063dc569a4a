import type { z } from 'zod';

/** What has no members; `[]` and `{}` stand for what has none of its own. */
export type Leaf = string | number | boolean | null;
type Json = z.core.util.JSONType;

/** Every leaf of a tree by its path. A missing record (null) has none. */
export function leaves(whole: Json): Map<string, Leaf> {
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
