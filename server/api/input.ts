import { z } from 'zod';
import { Refusal, refusePlainly } from '../contract/errors.ts';
import { parseOrRefuse } from '../contract/field-errors.ts';

/** Values of a path or query by name; a list for a name that came more than once. */
export type TextValues = Readonly<Record<string, string | readonly string[] | undefined>>;

type FieldKind = 'number' | 'boolean' | 'array' | 'text';

type JsonSchema = z.core.JSONSchema.BaseSchema;

const numeric = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;

/**
 * Makes the reader of a body; without a schema only an empty object passes. Throws `invalid_field`, `unknown_field`.
 */
export function bodyReader(schema: z.ZodType | undefined): (value: unknown) => unknown {
  if (schema) return (value) => parseOrRefuse(schema, value);
  const empty = z.strictObject({});
  return (value) => void parseOrRefuse(empty, value);
}

/**
 * Makes the reader of a path's or query's values: each text becomes the type that its field declares, then the schema
 * checks it. Throws `invalid_field`, `unknown_field`.
 */
export function textReader(schema: z.ZodType | undefined): (values: TextValues) => unknown {
  if (!schema) {
    const empty = z.strictObject({});
    return (values) => void parseOrRefuse(empty, values);
  }
  const kinds = fieldKinds(schema);
  return (values) => {
    const typed: Record<string, unknown> = Object.create(null) as Record<string, unknown>; // a bare object: names are the sender's
    for (const [name, value] of Object.entries(values)) typed[name] = typedValue(name, value, kinds.get(name));
    return parseOrRefuse(schema, { ...typed });
  };
}

function typedValue(name: string, value: string | readonly string[] | undefined, kind?: FieldKind): unknown {
  if (value === undefined || kind === undefined) return value;
  if (kind === 'array') return typeof value === 'string' ? [value] : value;
  if (typeof value !== 'string') throw refusePlainly('invalid_field', name, 'is given more than once');
  if (kind === 'number') return numeric.test(value) ? Number(value) : value;
  if (kind === 'boolean') return value === 'true' ? true : value === 'false' ? false : value;
  return value;
}

function fieldKinds(schema: z.ZodType): Map<string, FieldKind> {
  const properties = z.toJSONSchema(schema, { io: 'input' }).properties ?? {};
  return new Map(Object.entries(properties).map(([name, field]) => [name, fieldKind(field)]));
}

function fieldKind(field: z.core.JSONSchema._JSONSchema): FieldKind {
  if (typeof field === 'boolean') return 'text';
  const forms: JsonSchema[] = [field, ...alternatives(field)];
  const types = forms.flatMap((form) => form.type ?? []);
  if (types.includes('number') || types.includes('integer')) return 'number';
  if (types.includes('boolean')) return 'boolean';
  if (types.includes('array')) return 'array';
  return 'text';
}

function alternatives(field: JsonSchema): JsonSchema[] {
  return (field.anyOf ?? []).filter((form) => typeof form !== 'boolean');
}

/** Reads the parameters of a path; a malformed one cannot name anything. Throws `not_found`. */
export function paramsReader(schema: z.ZodType | undefined): (values: TextValues) => unknown {
  const read = textReader(schema);
  return (values) => {
    try {
      return read(values);
    } catch (cause) {
      throw new Refusal('not_found', 'there is nothing at this path', { cause });
    }
  };
}
