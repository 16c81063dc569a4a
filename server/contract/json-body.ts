import { Refusal } from './errors.ts';
import { fieldPath } from './field-errors.ts';

export const deepestJson = 64;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads JSON in UTF-8. Throws `invalid_json` when it is invalid or nested deeper than 64, `unknown_field` for keys that
 * could reach an object's prototype when they are merged.
 */
export function parseJson(bytes: Uint8Array): unknown {
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(bytes));
  } catch (cause) {
    throw new Refusal('invalid_json', 'the body is not JSON in UTF-8', { cause });
  }
  if (typeof value === 'object') inspect(value, []);
  return value;
}

/**
 * Stops at the depth limit, which bounds its own stack too. `path` leads to the value; one list serves the whole walk.
 */
function inspect(value: object | null, path: PropertyKey[]): void {
  if (value === null) return;
  if (path.length >= deepestJson) throw new Refusal('invalid_json', `the body is nested deeper than ${deepestJson}`);
  for (const [key, inner] of Object.entries(value) as [string, unknown][]) {
    path.push(Array.isArray(value) ? Number(key) : key);
    if (isPolluting(key, inner)) throw refusePolluting(path);
    if (typeof inner === 'object') inspect(inner, path);
    path.pop();
  }
}

function isPolluting(key: string, value: unknown): boolean {
  if (key === '__proto__') return true;
  return key === 'constructor' && typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype');
}

function refusePolluting(keys: PropertyKey[]): Refusal {
  const path = fieldPath(keys);
  const errors = [{ path, code: 'unknown_field', message: 'is not a known field' }];
  return new Refusal('unknown_field', `${path} is not a known field`, { errors });
}
