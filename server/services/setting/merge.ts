/** A part of the settings as JSON has it. */
export type Tree = Record<string, unknown>;

/** What is delivered with what was changed laid over it, key by key; null is a value here. */
export function overlay(delivered: unknown, changed: unknown): unknown {
  if (!isTree(delivered) || !isTree(changed)) return changed;
  const laid: Tree = { ...delivered };
  for (const [key, value] of Object.entries(changed)) laid[key] = key in laid ? overlay(laid[key], value) : value;
  return laid;
}

export function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
