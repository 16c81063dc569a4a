import type { Endpoint } from '../contract/endpoint.ts';

type Headers = Record<string, { description: string; schema: { type: string } }>;

const header = (description: string, type = 'string') => ({ description, schema: { type } });

const requestId = { 'X-Request-Id': header('Names the request in the log') };
const retryAfter = { 'Retry-After': header('Seconds after which to try again', 'integer') };

/** The age of an outside service's answer (RFC 9111). */
const relayed = {
  Age: header('Seconds since the provider answered it', 'integer'),
  'X-Cache': header(
    'MISS: asked just now; HIT: kept and fresh; STALE: the last good one, for the provider has no answer',
  ),
  Warning: header('110 where it is STALE'),
};

/** Headers of refusals, by status. */
const ofRefusals: Readonly<Record<number, Headers>> = {
  401: { 'WWW-Authenticate': header('ApiKey') },
  429: retryAfter,
  503: retryAfter,
};

/** The headers of a call's answer. */
export function headersOf(endpoint: Endpoint, status: number): Headers {
  if (status >= 400) return { ...requestId, ...ofRefusals[status] };
  return {
    ...requestId,
    'Cache-Control': header('no-store, or private, no-cache where there is an ETag'),
    ...(status === 201 && endpoint.hasNoAddress !== true && { Location: header('Address of what was made') }),
    ...(endpoint.statuses.includes(304) && { ETag: header('Of this state; If-None-Match asks for another one') }),
    ...(endpoint.isRelay === true && endpoint.method === 'GET' && relayed),
    ...(endpoint.isDownload === true && { 'Content-Disposition': header('Name for the file') }),
    ...(endpoint.access !== 'public' && {
      Deprecation: header('Only where the key came as api_key in the address (RFC 9745)'),
      Link: header('With Deprecation: why, and what to do instead'),
    }),
  };
}
