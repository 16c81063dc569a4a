import { isSame } from '../../server/contract/plain-data.ts';

/** Members of `after` that differ from `before`: what a change sends, so that it overwrites nothing else. */
export function changesOf<Value extends object>(before: Value, after: Value): Partial<Value> {
  // Object.keys returns names as text; both objects have the members of Value.
  const names = Object.keys(after) as (keyof Value)[];
  const changed = names.filter((name) => !isSame(before[name], after[name]));
  return Object.fromEntries(changed.map((name) => [name, after[name]])) as Partial<Value>; // made of its own members
}
