import { z } from 'zod';
import { isBinary, type Endpoint } from '../contract/endpoint.ts';
import type { ErrorCode } from '../contract/errors.ts';
import { type Answer, isTextStream } from './answer.ts';
import { RawBytes, RawFile, RawJson } from './route.ts';

/** Refusals that any endpoint may answer, so that none declares them. */
export const commonErrors: readonly ErrorCode[] = [
  'https_required',
  'version_required',
  'version_unsupported',
  'invalid_field',
  'unknown_field',
  'invalid_json',
  'authentication_required',
  'forbidden',
  'readonly_key',
  'csrf_failed',
  'origin_refused',
  'not_found',
  'method_not_allowed',
  'payload_too_large',
  'unsupported_media_type',
  'rate_limited',
  'internal_error',
  'storage_busy',
  'storage_failed',
  'starting',
];

/** An answer of the program that differs from its contract. */
export class ContractBroken extends Error {
  readonly code = 'contract_broken';
}

/** Throws ContractBroken unless status and body are what the endpoint declares. For development and tests. */
export function checkAnswer(endpoint: Endpoint, answer: Answer): void {
  const name = `${endpoint.method} ${endpoint.path}`;
  if (!endpoint.statuses.some((status) => status === answer.status)) {
    throw new ContractBroken(`${name} answered ${answer.status}, which it does not declare`);
  }
  if (answer.status === 304 || isTextStream(answer.body)) return;
  if (isBinary(endpoint.stream)) return checkBytes(name, endpoint.stream, answer.body);
  const result = endpoint.answer.safeParse(asReceived(endpoint, answer.body));
  if (!result.success)
    throw new ContractBroken(`${name} answered what it does not declare: ${z.prettifyError(result.error)}`);
}

function checkBytes(name: string, stream: string, body: unknown): void {
  if (body instanceof RawFile && stream === 'application/octet-stream') return;
  if (body instanceof RawBytes && body.type.startsWith(stream.replace('*', ''))) return;
  throw new ContractBroken(`${name} answered no ${stream}`);
}

/** Throws ContractBroken unless the endpoint declares the code. For development and tests. */
export function checkErrorCode(endpoint: Endpoint, code: ErrorCode): void {
  if (commonErrors.includes(code) || endpoint.errors?.includes(code)) return;
  throw new ContractBroken(`${endpoint.method} ${endpoint.path} refused with ${code}, which it does not declare`);
}

function asReceived(endpoint: Endpoint, body: unknown): unknown {
  if (body instanceof RawJson) return JSON.parse(body.text.toString());
  if (endpoint.stream !== undefined || body === undefined) return body;
  return JSON.parse(JSON.stringify(body));
}
