import type { Endpoint } from '../contract/endpoint.ts';
import { mediaType } from '../contract/endpoint.ts';
import { type ErrorCode, errorStatus } from '../contract/errors.ts';
import { commonErrors } from './answer-check.ts';
import { errorTable } from './error-table.ts';
import { type JsonSchema, SchemaNames } from './openapi-schemas.ts';
import { problemType } from './problem-body.ts';
import type { Route } from './route.ts';
import { sessionCookieName } from './session-cookie.ts';

type Json = Record<string, unknown>;

const description = `Every request asks for a version: \`Accept: ${mediaType}\`. \
Send an API key as \`Authorization: Basic KEY\` (the key itself) or \`X-API-KEY: KEY\`. Modifying requests with a \
session cookie send the session's \`csrf_token\` as \`X-CSRF-Token\`. Every refusal is a problem body (RFC 9457) with a \
code of a closed list.`;

const securitySchemes = {
  key: { type: 'apiKey', in: 'header', name: 'X-API-KEY', description: 'An API key' },
  basicKey: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: '`Basic KEY`, KEY being the API key itself',
  },
  queryKey: {
    type: 'apiKey',
    in: 'query',
    name: 'api_key',
    description: 'Deprecated: it ends up in histories and logs',
  },
  session: { type: 'apiKey', in: 'cookie', name: sessionCookieName, description: 'Set by POST /api/auth/login' },
};

/** The OpenAPI 3.1 document of the routes. */
export function buildOpenApi(routes: readonly Route[], version: string): Json {
  const names = new SchemaNames();
  const paths: Record<string, Json> = {};
  for (const { endpoint } of routes) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint, names) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Orangery', version, description, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/' }],
    tags: [...new Set(routes.map(({ endpoint }) => endpoint.tag))].sort().map((name) => ({ name })),
    paths,
    'x-error-codes': errorTable,
    components: { schemas: names.components(), securitySchemes },
  };
}

function operation(endpoint: Endpoint, names: SchemaNames): Json {
  const isPublic = endpoint.access === 'public';
  const id = operationId(endpoint);
  return {
    operationId: id,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: accessText(endpoint),
    'x-access': endpoint.access,
    parameters: [...parameters(endpoint, 'path'), ...parameters(endpoint, 'query')],
    ...(endpoint.body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: names.refer(endpoint.body, `${id}_request`) } },
      },
    }),
    responses: { ...successes(endpoint, names), ...refusals(endpoint, names) },
    security: isPublic ? [] : Object.keys(securitySchemes).map((name) => ({ [name]: [] })),
  };
}

function operationId(endpoint: Endpoint): string {
  const words = endpoint.path.replace(/^\/api\//, '').replaceAll(/:(\w+)/g, 'by_$1');
  return `${endpoint.method.toLowerCase()}_${words.replaceAll(/\W+/g, '_')}`;
}

function accessText(endpoint: Endpoint): string {
  if (endpoint.access === 'public') return 'Needs no login.';
  return endpoint.access === 'login' ? 'Needs a login.' : `Needs the permission \`${endpoint.access}\`.`;
}

function parameters(endpoint: Endpoint, place: 'path' | 'query'): Json[] {
  const schema = place === 'path' ? endpoint.params : endpoint.query;
  if (!schema) return [];
  const { properties = {}, required = [] } = SchemaNames.inline(schema);
  return Object.entries(properties).map(([name, field]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: field,
  }));
}

function successes(endpoint: Endpoint, names: SchemaNames): Json {
  const type = endpoint.stream ?? mediaType;
  const schema: JsonSchema = endpoint.stream
    ? { type: 'string' }
    : names.refer(endpoint.answer, `${operationId(endpoint)}_answer`);
  const texts = {
    200: 'Done',
    201: 'Made',
    202: 'Taken, and not carried out yet',
    304: 'Not changed since the ETag that was sent',
  };
  return Object.fromEntries(
    endpoint.statuses.map((status) => [
      status,
      { description: texts[status], ...(status !== 304 && { content: { [type]: { schema } } }) },
    ]),
  );
}

function refusals(endpoint: Endpoint, names: SchemaNames): Json {
  const byStatus = Map.groupBy(codesOf(endpoint), (code) => errorStatus[code]);
  const problem = names.problem();
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => {
      const schema = { allOf: [problem, { type: 'object', properties: { code: { enum: codes } } }] };
      return [status, { description: codes.join(', '), content: { [problemType]: { schema } } }];
    }),
  );
}

const unstored = ['storage_busy', 'storage_failed'] as const;

/** What this endpoint can refuse with: its own codes, and the common ones that can befall it. */
function codesOf(endpoint: Endpoint): ErrorCode[] {
  const isModifying = endpoint.method !== 'GET' || endpoint.changesState === true;
  const impossible = new Set<ErrorCode>([
    ...(endpoint.access === 'public'
      ? (['authentication_required', 'forbidden', 'readonly_key', 'csrf_failed'] as const)
      : []),
    ...(endpoint.access === 'login' ? (['forbidden'] as const) : []),
    ...(isModifying ? [] : (['csrf_failed', 'origin_refused', 'readonly_key', ...unstored] as const)),
    ...(endpoint.method === 'GET' ? (['payload_too_large', 'unsupported_media_type', 'invalid_json'] as const) : []),
    ...(endpoint.path.includes(':') ? [] : (['not_found'] as const)),
    'method_not_allowed',
  ]);
  const common = commonErrors.filter((code) => !impossible.has(code));
  return [...new Set([...common, ...(endpoint.errors ?? [])])];
}
