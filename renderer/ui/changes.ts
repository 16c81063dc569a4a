/** Members of `after` that differ from `before`: what a change sends, so that it overwrites nothing else. */
export function changesOf<Value extends object>(before: Value, after: Value): Partial<Value> {
  // Object.keys returns names as text; both objects have the members of Value.
  const names = Object.keys(after) as (keyof Value)[];
  const changed = names.filter((name) => !isSame(before[name], after[name]));
  return Object.fromEntries(changed.map((name) => [name, after[name]])) as Partial<Value>; // made of its own members
}

/** Compares plain data by its JSON, ignoring the order of members. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(ordered(one)) === JSON.stringify(ordered(other));
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(
    members.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, member]) => [name, ordered(member)]),
  );
}
