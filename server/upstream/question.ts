import type { z } from 'zod';
import type { Question, Upstream } from '../outbound/gate.ts';

/** A question to a provider, and how long its answer is useful. */
export interface ProviderQuestion {
  upstream: Upstream;
  /** At its origin, without credentials: the key under which the answer is kept. */
  path: string;
  credentials?: Question['credentials'];
  /** JSON of a schema, or one of the other kinds. */
  expects: z.ZodType | 'picture' | 'text' | 'xml';
  /** Maximum bytes of the answer; default 2 MB. */
  maxBytes?: number;
  /** The part of the call's 15 s that this one of its questions may take, ms; default all. */
  limit_ms?: number;
  /** How long the answer counts as fresh. */
  fresh_ms: number;
  /** How long it is kept in case there is no new one; 0 if the provider forbids keeping. */
  keep_ms: number;
}

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

type Values = Readonly<Record<string, string | number | readonly (string | number)[] | undefined>>;

/** A path with its query; undefined values are left out. */
export function pathOf(path: string, values: Values): string {
  const given = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((one): [string, string] => [name, String(one)]),
  );
  return `${path}?${new URLSearchParams(given).toString()}`;
}
