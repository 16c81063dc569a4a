import { isTree, type Tree } from './merge.ts';

export type Fields = Tree;

/** Objects merge by key, null takes a key away, everything else is replaced. */
export function mergeByKey(before: Fields, patch: Fields): Fields {
  const merged = { ...before };
  for (const [key, value] of Object.entries(patch)) {
    if (value === undefined) continue;
    if (value === null) delete merged[key];
    else merged[key] = isTree(value) ? mergeByKey(treeOf(merged[key]), value) : value;
  }
  return merged;
}

const treeOf = (value: unknown): Tree => (isTree(value) ? value : {});
