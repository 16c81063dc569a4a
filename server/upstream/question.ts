import type { z } from 'zod';
import type { Question, Upstream } from '../outbound/gate.ts';

/** Something to ask a provider, and how long its answer is worth something. */
export interface ProviderQuestion {
  upstream: Upstream;
  /** At its origin, without credentials: what the answer is kept under. */
  path: string;
  credentials?: Question['credentials'];
  /** JSON of a schema, or one of the other kinds. */
  expects: z.ZodType | 'picture' | 'text' | 'xml';
  /** Of the answer; 2 MB when absent. */
  maxBytes?: number;
  /** Of the 15 s that a call has, what this one of its questions may take, ms; all when absent. */
  limit_ms?: number;
  /** So long the answer is as good as a new one. */
  fresh_ms: number;
  /** So long it is kept for when there is no new one; 0 where the provider forbids keeping. */
  keep_ms: number;
}

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

type Values = Readonly<Record<string, string | number | readonly (string | number)[] | undefined>>;

/** A path with its query; what is undefined is left out. */
export function pathOf(path: string, values: Values): string {
  const given = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((one): [string, string] => [name, String(one)]),
  );
  return `${path}?${new URLSearchParams(given).toString()}`;
}
