import fc, { type Arbitrary } from 'fast-check';
import type { z } from 'zod';

export type JsonSchema = z.core.JSONSchema.BaseSchema;

interface Source {
  /** The schemas that `$ref` names, by its last part. */
  components: Record<string, JsonSchema>;
  /** Returns a known identifier for a field when a value is generated; undefined if there is none. */
  known: (field: string, pick: number) => string | undefined;
}

const mostItems = 4;
const deepest = 12;

/** Generates values that fit a JSON schema as zod writes it (draft 2020-12, no `not`, no `if`). */
export class SchemaArbitraries {
  readonly #source: Source;
  readonly #uuidPattern: string;

  constructor(source: Source, uuidPattern: string) {
    this.#source = source;
    this.#uuidPattern = uuidPattern;
  }

  /** `field` is the name of the member that the value is for. */
  of(schema: JsonSchema | boolean, field = '', depth = 0): Arbitrary<unknown> {
    if (typeof schema === 'boolean' || depth > deepest) return fc.constant(null);
    if (schema.$ref !== undefined) return this.#referred(schema.$ref, field, depth);
    if (schema.const !== undefined) return fc.constant(schema.const);
    if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
    const forms = schema.anyOf ?? schema.oneOf;
    if (forms) return fc.oneof(...forms.map((form) => this.of(form, field, depth + 1)));
    if (schema.allOf) return this.of(Object.assign({}, ...schema.allOf) as JsonSchema, field, depth + 1); // zod's intersections are of objects
    return this.#typed(schema, field, depth);
  }

  #referred(ref: string, field: string, depth: number): Arbitrary<unknown> {
    const schema = this.#source.components[ref.slice(ref.lastIndexOf('/') + 1)];
    if (schema === undefined) throw new Error(`${ref} leads nowhere`);
    return this.of(schema, field, depth + 1);
  }

  #typed(schema: JsonSchema, field: string, depth: number): Arbitrary<unknown> {
    switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
      case 'string':
        return this.#text(schema, field);
      case 'number':
      case 'integer':
        return numberOf(schema);
      case 'boolean':
        return fc.boolean();
      case 'null':
        return fc.constant(null);
      case 'array':
        return this.#list(schema, field, depth);
      case 'object':
        return this.#object(schema, depth);
      default:
        return fc.jsonValue({ maxDepth: 2 });
    }
  }

  #text(schema: JsonSchema, field: string): Arbitrary<string> {
    const { pattern, format, minLength = 0, maxLength = 30 } = schema;
    if (pattern === this.#uuidPattern) {
      return fc
        .tuple(fc.uuid(), fc.nat(1_000_000), fc.nat(9))
        .map(([fresh, pick, die]) => (die === 0 ? fresh : (this.#source.known(field, pick) ?? fresh)));
    }
    if (format === 'date-time') return fc.date({ noInvalidDate: true, ...years }).map((date) => date.toISOString());
    if (format === 'uri') return fc.webUrl();
    if (pattern !== undefined) {
      const fits = (text: string): boolean => text.length >= minLength && text.length <= (schema.maxLength ?? 1e6);
      return fc.stringMatching(new RegExp(pattern)).filter(fits);
    }
    return fc.string({ unit: 'grapheme', minLength, maxLength: Math.max(minLength, Math.min(maxLength, 30)) });
  }

  #list(schema: JsonSchema, field: string, depth: number): Arbitrary<unknown[]> {
    const { items = {}, minItems = 0, maxItems = mostItems } = schema;
    const item = this.of(Array.isArray(items) ? (items[0] ?? {}) : items, field, depth + 1);
    return fc.array(item, { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, mostItems)) });
  }

  #object(schema: JsonSchema, depth: number): Arbitrary<unknown> {
    const { properties = {}, required = [], additionalProperties, propertyNames } = schema;
    const members = Object.entries(properties).map(([name, member]) => [name, this.of(member, name, depth + 1)]);
    // fast-check returns the keys of its record; the names are those of the schema.
    const own = fc.record(Object.fromEntries(members) as Record<string, Arbitrary<unknown>>, {
      requiredKeys: required,
    });
    if (typeof additionalProperties !== 'object') return own;
    const key = typeof propertyNames === 'object' ? this.of(propertyNames, '', depth + 1) : fc.string({ maxLength: 8 });
    const more = fc.dictionary(key.map(String), this.of(additionalProperties, '', depth + 1), { maxKeys: 3 });
    return fc.tuple(more, own).map(([others, fixed]) => ({ ...others, ...fixed }));
  }
}

const years = { min: new Date('1990-01-01T00:00:00Z'), max: new Date('2090-01-01T00:00:00Z') };

function numberOf({ type, minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonSchema): Arbitrary<number> {
  // A boolean there belongs to older drafts.
  const [above, below] = [exclusiveMinimum, exclusiveMaximum].map((limit) =>
    typeof limit === 'number' ? limit : null,
  );
  const min = Math.max(minimum ?? -Infinity, above ?? -Infinity);
  const max = Math.min(maximum ?? Infinity, below ?? Infinity);
  if (type === 'integer') {
    const [low, high] = [Math.max(min, -(2 ** 31)), Math.min(max, 2 ** 31 - 1)];
    // Existing revisions and channels have small numbers.
    const small = fc.integer({ min: Math.max(low, 0), max: Math.max(low, Math.min(high, 3)) });
    return low > 0 || high < 0
      ? fc.integer({ min: low, max: high })
      : fc.oneof(small, fc.integer({ min: low, max: high }));
  }
  const minExcluded = above != null;
  const maxExcluded = below != null;
  return fc.double({ min, max, noNaN: true, noDefaultInfinity: true, minExcluded, maxExcluded });
}
