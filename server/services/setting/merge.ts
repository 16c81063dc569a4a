/** A part of the settings as JSON has it. */
export type Tree = Record<string, unknown>;

/** The defaults overlaid with changes, key by key; null is a value here. */
export function overlay(defaults: unknown, changed: unknown): unknown {
  if (!isTree(defaults) || !isTree(changed)) return changed;
  const laid: Tree = { ...defaults };
  for (const [key, value] of Object.entries(changed)) laid[key] = key in laid ? overlay(laid[key], value) : value;
  return laid;
}

export function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
