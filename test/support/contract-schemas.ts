import { z } from 'zod';

type Internals = z.core.$ZodTypeDef & Readonly<Record<string, unknown>>;

/** Every schema inside a value, which may be a schema, an endpoint or any export of a contract module. */
export function schemasWithin(value: unknown, seen = new Set<unknown>()): z.ZodType[] {
  if (typeof value !== 'object' || value === null || seen.has(value)) return [];
  seen.add(value);
  if (!(value instanceof z.ZodType)) return Object.values(value).flatMap((part) => schemasWithin(part, seen));
  const { checks: _, ...parts } = value.def as Internals; // a definition is a record of its parts
  const lazily = value instanceof z.ZodLazy ? [value.unwrap()] : [];
  return [value, ...schemasWithin(parts, seen), ...schemasWithin(lazily, seen)];
}
