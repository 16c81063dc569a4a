import { z } from 'zod';
import { uuid } from '../contract/identifier.ts';
import type { JsonSchema } from './openapi-schemas.ts';

const uuidPattern = z.toJSONSchema(uuid).pattern;
const exampleId = '6f1c2a54-3b0e-4f0a-9c57-1d2e3f405162';

/** Texts by the format in a schema. */
const formats: Readonly<Record<string, string>> = {
  'date-time': '2026-03-01T06:00:00Z',
  date: '2026-03-01',
  uri: 'https://example.org',
  email: 'grower@example.org',
};

/** Texts by field name. */
const words: Readonly<Record<string, string>> = {
  name: 'East house',
  username: 'kim',
  unit: 'C',
  time_zone: 'Asia/Seoul',
  message: 'Done',
};

/** Texts for patterns: the first that fits. */
const patterned: readonly string[] = [
  'text',
  `${exampleId}/${exampleId}`,
  '0f'.repeat(32),
  '126.97,37.56,126.98,37.57',
  'mean',
  '#33aa55',
  'EPSG:3857',
  '123456',
  'https://example.org',
  'https://example.org/{z}/{x}/{y}.png',
  'mqtt://broker.example',
  'seoul.epw',
  'valley.pmtiles',
  'dGV4dA==',
  '07:30',
  '0c5e91f2',
];

const deepest = 8;

/** Makes a value that fits a schema, for readers of the description: one of each thing that the schema allows. */
export class Examples {
  readonly #components: Readonly<Record<string, JsonSchema>>;

  constructor(components: Readonly<Record<string, JsonSchema>>) {
    this.#components = components;
  }

  /** `field` is the name of the member that the value is for. */
  of(schema: JsonSchema | boolean | undefined, field = '', depth = 0): unknown {
    if (schema === undefined || typeof schema === 'boolean') return null;
    if (schema.examples?.[0] !== undefined) return schema.examples[0];
    if (schema.$ref !== undefined) return this.of(this.#components[schema.$ref.split('/').at(-1) ?? ''], field, depth);
    if (schema.const !== undefined) return schema.const;
    if (schema.enum !== undefined) return schema.enum[0];
    const forms = schema.anyOf ?? schema.oneOf;
    if (forms !== undefined) return this.#first(forms, field, depth);
    if (schema.allOf !== undefined) {
      return Object.assign({}, ...schema.allOf.map((part) => this.of(part, field, depth))) as unknown;
    }
    return this.#typed(schema, field, depth);
  }

  #first(forms: readonly (JsonSchema | boolean)[], field: string, depth: number): unknown {
    const isNull = (form: JsonSchema | boolean): boolean => typeof form !== 'boolean' && form.type === 'null';
    if (depth > deepest && forms.some(isNull)) return null;
    return this.of(forms.find((form) => !isNull(form)) ?? forms[0], field, depth);
  }

  #typed(schema: JsonSchema, field: string, depth: number): unknown {
    switch (schema.type) {
      case 'string':
        return textOf(schema, field);
      case 'number':
      case 'integer':
        return numberOf(schema);
      case 'boolean':
        return true;
      case 'array':
        return this.#list(schema, field, depth);
      case 'object':
        return this.#object(schema, depth);
      default:
        return null;
    }
  }

  #list({ items, prefixItems, minItems = 0 }: JsonSchema, field: string, depth: number): unknown[] {
    if (prefixItems !== undefined) return prefixItems.map((one) => this.of(one, field, depth + 1));
    const count = Math.max(minItems, depth > deepest ? 0 : 1);
    const item = Array.isArray(items) ? items[0] : items;
    return Array.from({ length: count }, () => this.of(item, field, depth + 1));
  }

  #object({ properties = {}, required = [] }: JsonSchema, depth: number): Record<string, unknown> {
    const shown = Object.entries(properties).filter(([name]) => depth <= deepest || required.includes(name));
    return Object.fromEntries(shown.map(([name, member]) => [name, this.of(member, name, depth + 1)]));
  }
}

function textOf({ pattern, format, minLength = 0, maxLength = Infinity }: JsonSchema, field: string): string {
  if (pattern === uuidPattern) return exampleId;
  if (pattern !== undefined && format === undefined) {
    const fitting = new RegExp(pattern);
    const found = [words[field] ?? '', ...patterned].find((one) => fitting.test(one));
    if (found !== undefined) return found;
  }
  const text = formats[format ?? ''] ?? words[field] ?? 'text';
  return text.padEnd(minLength, 'x').slice(0, maxLength);
}

function numberOf(schema: JsonSchema): number {
  const { minimum = -Infinity, maximum = Infinity, exclusiveMinimum = -Infinity, exclusiveMaximum = Infinity } = schema;
  const inside = Math.min(Math.max(1, minimum), maximum);
  if (inside > Number(exclusiveMinimum) && inside < Number(exclusiveMaximum)) return inside;
  return inside <= Number(exclusiveMinimum) ? Number(exclusiveMinimum) + 1 : Number(exclusiveMaximum) / 2;
}
