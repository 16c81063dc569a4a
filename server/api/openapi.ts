import { type Endpoint, isBinary, mediaType } from '../contract/endpoint.ts';
import { type ErrorCode, errorStatus } from '../contract/errors.ts';
import { commonErrors } from './answer-check.ts';
import { bodyExamples } from '../contract/examples.ts';
import { errorTable } from './error-table.ts';
import { Examples } from './openapi-examples.ts';
import { headersOf } from './openapi-headers.ts';
import { driverList, driverOptionsName } from '../contract/drivers/index.ts';
import { type JsonSchema, SchemaNames } from './openapi-schemas.ts';
import { problemType } from './problem-body.ts';
import type { Route } from './route.ts';
import { sessionCookieName } from './session-cookie.ts';

type Json = Record<string, unknown>;

const description = `Every request asks for a version: \`Accept: ${mediaType}\`. \
Send an API key as \`Authorization: Basic KEY\` (the key itself) or \`X-API-KEY: KEY\`. Modifying requests with a \
session cookie send the session's \`csrf_token\` as \`X-CSRF-Token\`. Every refusal is a problem body (RFC 9457) with a \
code of a closed list.

Times are sent as ISO 8601 with a zone or as epoch milliseconds, and answered as ISO 8601 in UTC. Epoch milliseconds are \
answered in the column \`times\` of a series and, beside the ISO field of the same name, in \`time_ms\`, \`from_ms\` and \
\`to_ms\`.`;

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
  const operations = routes.map(({ endpoint }) => ({ endpoint, described: operation(endpoint, names) }));
  // No call refers to them: the driver named beside them decides which options fit.
  for (const [name, { options }] of driverList) names.refer(options, driverOptionsName(name));
  const schemas = names.components();
  const examples = new Examples(schemas);
  const paths: Record<string, Json> = {};
  for (const { endpoint, described } of operations) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: withExamples(described, examples) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Orangery', version, description, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/' }],
    tags: [...new Set(routes.map(({ endpoint }) => endpoint.tag))].sort().map((name) => ({ name })),
    paths,
    'x-error-codes': errorTable,
    components: { schemas, securitySchemes },
  };
}

interface Content {
  schema: JsonSchema;
  example?: unknown;
}

interface Operation extends Json {
  parameters: (Json & { name: string; schema: JsonSchema })[];
  responses: Record<string, { content?: Record<string, Content> }>;
}

/** Every parameter and every answer with a fitting example. */
function withExamples({ parameters, responses, ...rest }: Operation, examples: Examples): Operation {
  const shown = Object.entries(responses).map(([status, response]) => {
    const contents = Object.entries(response.content ?? {}).map(([type, { schema }]): [string, Content] => {
      return [type, type === mediaType ? { schema, example: examples.of(schema) } : { schema }];
    });
    const content: Record<string, Content> = Object.fromEntries(contents);
    return [status, { ...response, ...(response.content && { content }) }];
  });
  return {
    ...rest,
    // The page fills in an `example`: for optional parameters it would send an invalid cursor.
    parameters: parameters.map((one) => {
      const example = examples.of(one.schema, one.name);
      return one.required ? { ...one, example } : { ...one, schema: { ...one.schema, examples: [example] } };
    }),
    responses: Object.fromEntries(shown) as Operation['responses'], // the same members, with examples
  };
}

/** One part with a file. */
const fileSchema: JsonSchema = {
  type: 'object',
  properties: { file: { type: 'string', format: 'binary' } },
  required: ['file'],
};

function operation(endpoint: Endpoint, names: SchemaNames): Operation {
  const isPublic = endpoint.access === 'public';
  const id = operationId(endpoint);
  return {
    operationId: id,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: accessText(endpoint),
    'x-access': endpoint.access,
    parameters: [...parameters(endpoint, 'path'), ...parameters(endpoint, 'query'), ...conditional(endpoint)],
    ...(endpoint.body && {
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: names.refer(endpoint.body, `${id}_request`),
            example: bodyExamples[`${endpoint.method} ${endpoint.path}`],
          },
          ...(endpoint.takesFile === true && { 'multipart/form-data': { schema: fileSchema } }),
        },
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

/** Request headers for conditional requests. */
function conditional({ statuses, stream }: Endpoint): Operation['parameters'] {
  const asked = (name: string, description: string) => [
    { name, in: 'header', required: false, description, schema: { type: 'string' as const } },
  ];
  if (statuses.includes(304)) return asked('If-None-Match', 'The ETag that is known; 304 where it is still that');
  return stream === 'text/event-stream' ? asked('Last-Event-ID', 'Where to go on') : [];
}

function parameters(endpoint: Endpoint, place: 'path' | 'query'): Operation['parameters'] {
  const schema = place === 'path' ? endpoint.params : endpoint.query;
  if (!schema) return [];
  const { properties = {}, required = [] } = SchemaNames.inline(schema);
  return Object.entries(properties).map(([name, field]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: typeof field === 'boolean' ? {} : field,
  }));
}

function successes(endpoint: Endpoint, names: SchemaNames): Operation['responses'] {
  const type = endpoint.stream ?? mediaType;
  const schema: JsonSchema = endpoint.stream
    ? { type: 'string', ...(isBinary(type) && { format: 'binary' }) }
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
      {
        description: texts[status],
        headers: headersOf(endpoint, status),
        ...(status !== 304 && { content: { [type]: { schema } } }),
      },
    ]),
  );
}

function refusals(endpoint: Endpoint, names: SchemaNames): Operation['responses'] {
  const byStatus = Map.groupBy(codesOf(endpoint), (code) => errorStatus[code]);
  const problem = names.problem();
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => {
      const schema = { allOf: [problem, { type: 'object' as const, properties: { code: { enum: codes } } }] };
      return [
        status,
        { description: codes.join(', '), headers: headersOf(endpoint, status), content: { [problemType]: { schema } } },
      ];
    }),
  );
}

const unstored = ['storage_busy', 'storage_failed'] as const;

/** The codes of an endpoint's refusals: its own, and the common ones that apply. */
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
