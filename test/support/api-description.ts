import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { buildOpenApi } from '../../server/api/openapi.ts';
import { problemType } from '../../server/api/problem-body.ts';
import type { Route } from '../../server/api/route.ts';
import { mediaType } from '../../server/contract/endpoint.ts';
import type { TestAnswer } from './api.ts';
import type { JsonSchema } from './json-schema-arbitrary.ts';

interface Described {
  content?: Record<string, { schema: JsonSchema; example?: unknown }>;
  headers?: Record<string, unknown>;
}

export interface Operation {
  operationId: string;
  tags: string[];
  method: string;
  /** With `{name}` for each parameter. */
  path: string;
  parameters: { name: string; in: 'path' | 'query'; required: boolean; schema: JsonSchema }[];
  requestBody?: { content: Record<string, { schema: JsonSchema }> };
  responses: Record<string, Described>;
}

/** The OpenAPI document as a client receives it, and whether an answer matches it. */
export class ApiDescription {
  readonly operations: Operation[];
  readonly components: Record<string, JsonSchema>;
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: false });
  readonly #compiled = new Map<JsonSchema, ValidateFunction>();

  constructor(routes: readonly Route[]) {
    // Parsed from JSON, like a client does.
    const document = JSON.parse(JSON.stringify(buildOpenApi(routes, '0.0.0-test'))) as OpenApi;
    this.components = document.components.schemas;
    this.#ajv.addSchema(document, 'openapi');
    this.operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
    );
  }

  /** Why an answer does not match the operation; undefined if it does. */
  fault(operation: Operation, answer: TestAnswer): string | undefined {
    const described = operation.responses[answer.status];
    if (described === undefined) return `${answer.status} is not described: ${answer.text.slice(0, 300)}`;
    const type = String(answer.headers['content-type'] ?? '').split(';')[0] ?? '';
    const content = described.content?.[type] ?? described.content?.[type.replace(/\/.*/, '/*')];
    if (described.content === undefined) return undefined;
    if (content === undefined) return `${type} is not described for ${answer.status}`;
    if (type !== mediaType && type !== problemType) return undefined;
    const validate = this.#validator(content.schema);
    return validate(answer.body)
      ? undefined
      : `${this.#ajv.errorsText(validate.errors)} in ${answer.text.slice(0, 300)}`;
  }

  #validator(schema: JsonSchema): ValidateFunction {
    const known = this.#compiled.get(schema);
    if (known) return known;
    const absolute = JSON.parse(
      JSON.stringify(schema).replaceAll('"#/components', '"openapi#/components'),
    ) as JsonSchema; // the same with longer references
    const validate = this.#ajv.compile(absolute);
    this.#compiled.set(schema, validate);
    return validate;
  }
}

interface OpenApi {
  paths: Record<string, Record<string, Omit<Operation, 'method' | 'path'>>>;
  components: { schemas: Record<string, JsonSchema> };
}
