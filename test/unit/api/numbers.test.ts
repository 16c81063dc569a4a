import { z } from 'zod';
import { describe, expect, it } from 'vitest';
import { buildOpenApi } from '../../../server/api/openapi.ts';
import type { Route } from '../../../server/api/route.ts';
import type { Endpoint } from '../../../server/contract/endpoint.ts';
import type { JsonSchema } from '../../../server/api/openapi-schemas.ts';
import { contractEndpoints } from '../../support/contract-endpoints.ts';

/** Fields whose numbers are no quantity of their own, by the end of their path, with the reason. */
const exceptions: readonly [RegExp, string][] = [
  [/\.coordinates(\[\])+$/, 'a position describes its members as a whole'],
  [/^schema\d+|\.schema\d+/, 'any JSON: options of a driver, before and after of the audit'],
];

/** What the description of an answer says where a calculation or a sensor has no limits of its own. */
const unlimited = /any finite number/;
const unlimitedAbove = /0 and more/;

interface Place {
  path: string;
  /** A list or union describes its members. */
  description: string;
  /** What is sent has limits in any case. */
  isSent: boolean;
}

class NumberWalk {
  readonly faults = new Set<string>();
  readonly #schemas: Record<string, JsonSchema>;
  readonly #seen = new Set<string>();
  count = 0;

  constructor(schemas: Record<string, JsonSchema>) {
    this.#schemas = schemas;
  }

  walk(schema: JsonSchema, place: Place): void {
    const description = schema.description ?? place.description;
    const here = { ...place, description };
    if (schema.$ref !== undefined) this.#follow(schema.$ref, here);
    if (['number', 'integer'].includes(String(schema.type)) && schema.const === undefined) this.#judge(schema, here);
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      this.walk(asSchema(field), { ...place, path: `${place.path}.${name}`, description: '' });
    }
    const members = [schema.items, schema.additionalProperties, ...(schema.prefixItems ?? [])].flat();
    for (const member of members.filter((one) => typeof one === 'object'))
      this.walk(asSchema(member), { ...here, path: `${place.path}[]` });
    for (const form of [schema.anyOf, schema.oneOf, schema.allOf].flatMap((forms) => forms ?? [])) {
      this.walk(asSchema(form), here);
    }
  }

  /** A schema with a description of its own is read once, any other one at each place that describes it. */
  #follow(ref: string, place: Place): void {
    const name = ref.slice(ref.lastIndexOf('/') + 1);
    const key = `${name} ${place.isSent} ${place.description}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    this.walk(this.#schemas[name] ?? {}, { ...place, path: name });
  }

  #judge(schema: JsonSchema, { path, description, isSent }: Place): void {
    this.count += 1;
    if (exceptions.some(([form]) => form.test(path))) return;
    const [low, high] = [schema.minimum ?? schema.exclusiveMinimum, schema.maximum ?? schema.exclusiveMaximum];
    const isOpen = !isSent && unlimited.test(description);
    const isOpenAbove = isOpen || (!isSent && unlimitedAbove.test(description));
    if (description === '') this.faults.add(`${path} has no description`);
    if (!isLimit(low) && !isOpen) this.faults.add(`${path} has no minimum`);
    if (!isLimit(high) && !isOpenAbove) this.faults.add(`${path} has no maximum`);
  }
}

/** zod writes the largest safe integer where nobody set a limit. */
function isLimit(limit: number | boolean | undefined): boolean {
  return typeof limit === 'number' && Math.abs(limit) < Number.MAX_SAFE_INTEGER;
}

function asSchema(part: unknown): JsonSchema {
  return typeof part === 'object' ? (part as JsonSchema) : {}; // true and false apart, a schema's part is a schema
}

function numbersOf(endpoints: readonly Endpoint[]): NumberWalk {
  const routes: Route[] = endpoints.map((endpoint) => ({ endpoint, handle: () => undefined }));
  const document = JSON.parse(JSON.stringify(buildOpenApi(routes, '1.2.3'))) as Document; // as buildOpenApi writes it
  const walk = new NumberWalk(document.components.schemas);
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const { parameters, requestBody, responses } of Object.values(operations)) {
      for (const { name, schema } of parameters) walk.walk(schema, { path: `${path}?${name}`, ...sent });
      const bodies = Object.values(requestBody?.content ?? {});
      for (const { schema } of bodies) walk.walk(schema, { path, ...sent });
      const answers = Object.values(responses).flatMap(({ content }) => Object.values(content ?? {}));
      for (const { schema } of answers) walk.walk(schema, { path, description: '', isSent: false });
    }
  }
  return walk;
}

const sent = { description: '', isSent: true };

interface Content {
  content?: Record<string, { schema: JsonSchema }>;
}
interface Document {
  paths: Record<
    string,
    Record<
      string,
      { parameters: { name: string; schema: JsonSchema }[]; requestBody?: Content; responses: Record<string, Content> }
    >
  >;
  components: { schemas: Record<string, JsonSchema> };
}

describe('numbers in the documentation', () => {
  it('each say what they are, with unit and range', () => {
    const walk = numbersOf(contractEndpoints);
    expect([...walk.faults]).toEqual([]);
    expect(walk.count).toBeGreaterThan(250);
  });

  it.each([
    ['without a description', z.number().min(0).max(1), ['sample_request.x has no description']],
    [
      'without limits',
      z.int().describe('Fans'),
      ['sample_request.x has no minimum', 'sample_request.x has no maximum'],
    ],
    ['sent as any finite number', z.number().min(0).describe('any finite number'), ['sample_request.x has no maximum']],
    ['in a list', z.array(z.number().min(0).max(1)).describe('Shares, 0 to 1'), []],
  ])('are found %s', (_name, field, faults) => {
    const body = z.strictObject({ x: field });
    const endpoint: Endpoint = {
      method: 'POST',
      path: '/api/sample',
      tag: 'sample',
      summary: 'Sample',
      access: 'login',
      body,
      answer: z.strictObject({}),
      statuses: [200],
    };
    const found = [...numbersOf([endpoint]).faults].map((fault) => fault.replace(/^post_sample_/, 'sample_'));
    expect(found).toEqual(faults);
  });
});
