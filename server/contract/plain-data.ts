/** Compares plain data by its members, in whatever order they stand. One that is undefined is not there. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (!isObject(one) || !isObject(other)) return Number.isNaN(one) && Number.isNaN(other);
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
    return one.every((item, at) => isSame(item, other[at]));
  }
  // Without lists of keys: of a large map all shapes are compared.
  for (const key in one) if (!isSame(one[key], Object.hasOwn(other, key) ? other[key] : undefined)) return false;
  for (const key in other) if (other[key] !== undefined && !Object.hasOwn(one, key)) return false;
  return true;
}

/** JSON with sorted keys: another writer of the same values gets the same text (RFC 8785). */
export function jsonInOrder(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item: unknown) => jsonInOrder(item ?? null)).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  // Built as text: an object has keys like 10 before all others, whatever the order of its entries.
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  const sorted = members.sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${sorted.map(([key, member]) => `${JSON.stringify(key)}:${jsonInOrder(member)}`).join(',')}}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
