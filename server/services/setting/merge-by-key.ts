export type Fields = Record<string, unknown>;

/** Objects merge by key, null takes a key away, everything else is replaced. */
export function mergeByKey(before: Fields, patch: Fields): Fields {
  const merged = { ...before };
  for (const [key, value] of Object.entries(patch)) {
    if (value === undefined) continue;
    if (value === null) delete merged[key];
    else merged[key] = isPlain(value) ? mergeByKey(asPlain(merged[key]), value) : value;
  }
  return merged;
}

function isPlain(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function asPlain(value: unknown): Fields {
  return isPlain(value) ? value : {};
}
