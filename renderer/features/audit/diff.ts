import type { AuditRecord } from '../../../server/contract/audit.ts';
import { leaves, type Leaf } from '../../ui/leaves.ts';

type Json = AuditRecord['before'];

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
