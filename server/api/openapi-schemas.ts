import { z } from 'zod';
import { problem } from '../contract/errors.ts';
import { namedSchemas } from './openapi-names.ts';

export type JsonSchema = z.core.JSONSchema.BaseSchema;

const prefix = '#/components/schemas/';

/** Names schemas for the OpenAPI document, so that each is written once and referred to elsewhere. */
export class SchemaNames {
  readonly #registry = z.registry<{ id: string }>();
  readonly #used = new Set<string>();
  readonly #referred = new Set<string>();

  constructor() {
    for (const [id, schema] of namedSchemas()) this.#add(schema, id);
  }

  /** A schema written in place, as parameters need it. */
  static inline(schema: z.ZodType): JsonSchema {
    const { $schema: _, ...plain } = z.toJSONSchema(schema, { io: 'input' });
    return plain;
  }

  /** A reference to a schema, under its own name or else the offered one. */
  refer(schema: z.ZodType, offered: string): JsonSchema {
    const id = this.#registry.get(schema)?.id ?? offered;
    if (!this.#registry.has(schema)) this.#add(schema, id);
    this.#referred.add(id);
    return { $ref: prefix + id };
  }

  problem(): JsonSchema {
    return this.refer(problem, 'problem');
  }

  /** The schemas referred to so far, with everything that they refer to. */
  components(): Record<string, JsonSchema> {
    const { schemas } = z.toJSONSchema(this.#registry, { io: 'input', uri: (id) => prefix + id });
    // zod keeps recursive parts in a separate document; here they must be components like the rest.
    const shared = `${prefix}__shared#/$defs/`;
    const { __shared, ...own } = JSON.parse(JSON.stringify(schemas).replaceAll(shared, prefix)) as Record<
      string,
      JsonSchema
    >; // as toJSONSchema types it
    const all = { ...own, ...__shared?.$defs };
    return Object.fromEntries([...reachable(this.#referred, all)].map(([id, schema]) => [id, withoutIdentity(schema)]));
  }

  #add(schema: z.ZodType, id: string): void {
    if (this.#used.has(id)) throw new Error(`two schemas are named ${id}`);
    this.#used.add(id);
    this.#registry.add(schema, { id });
  }
}

function reachable(from: Iterable<string>, all: Record<string, JsonSchema>): Map<string, JsonSchema> {
  const reached = new Map<string, JsonSchema>();
  const waiting = [...from];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const schema = all[id];
    if (!schema || reached.has(id)) continue;
    reached.set(id, schema);
    for (const [, next = ''] of JSON.stringify(schema).matchAll(/"\$ref":"#\/components\/schemas\/([^"/]+)/g))
      waiting.push(next);
  }
  return new Map([...reached].sort(([a], [b]) => a.localeCompare(b)));
}

function withoutIdentity(schema: JsonSchema): JsonSchema {
  const { $id: _id, $schema: _schema, id: _name, ...rest } = schema;
  return rest;
}
