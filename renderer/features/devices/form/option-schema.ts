import { z } from 'zod';
import { moment } from '../../../../server/contract/time.ts';

/** The part of JSON Schema that the form supports; it ignores other keywords. */
export interface OptionSchema {
  type?: string | undefined;
  /** null is allowed: JSON Schema expresses that with a list of types. */
  nullable?: boolean | undefined;
  unit?: string | undefined;
  default?: unknown;
  const?: unknown;
  enum?: unknown[] | undefined;
  minimum?: number | undefined;
  maximum?: number | undefined;
  exclusiveMinimum?: number | undefined;
  minLength?: number | undefined;
  maxLength?: number | undefined;
  pattern?: string | undefined;
  minItems?: number | undefined;
  maxItems?: number | undefined;
  items?: OptionSchema | undefined;
  properties?: Record<string, OptionSchema> | undefined;
  required?: string[] | undefined;
  oneOf?: OptionSchema[] | undefined;
  anyOf?: OptionSchema[] | undefined;
}

const optional = { text: z.string().optional(), number: z.number().optional() };

/** Reads a fixed-length list of equal entries as a list with that minimum and maximum length. */
function oneLength(sent: unknown): unknown {
  const { prefixItems, items: _, ...rest } = groupOf(sent);
  if (!Array.isArray(prefixItems)) return sent;
  return { ...rest, items: listOf(prefixItems)[0], minItems: prefixItems.length, maxItems: prefixItems.length };
}

/** Reads a list of types as the one besides null. */
const plain = z.preprocess((given) => {
  const sent = oneLength(given);
  const { type, ...rest } = groupOf(sent);
  if (!Array.isArray(type)) return sent;
  const types = listOf(type);
  return { ...rest, type: types.find((one) => one !== 'null'), nullable: types.includes('null') };
}, z.looseObject({}));

export const optionSchema: z.ZodType<OptionSchema> = z.lazy(() =>
  plain.pipe(
    z.object({
      type: optional.text,
      nullable: z.boolean().optional(),
      unit: optional.text,
      default: z.unknown().optional(),
      const: z.unknown().optional(),
      enum: z.array(z.unknown()).optional(),
      minimum: optional.number,
      maximum: optional.number,
      exclusiveMinimum: optional.number,
      minLength: optional.number,
      maxLength: optional.number,
      pattern: optional.text,
      minItems: optional.number,
      maxItems: optional.number,
      items: optionSchema.optional(),
      properties: z.record(z.string(), optionSchema).optional(),
      required: z.array(z.string()).optional(),
      oneOf: z.array(optionSchema).optional(),
      anyOf: z.array(optionSchema).optional(),
    }),
  ),
);

/** The form schema of a zod schema of the contract. */
export function schemaOf(schema: z.ZodType): OptionSchema {
  return optionSchema.parse(z.toJSONSchema(schema, { io: 'input' }));
}

export type Group = Record<string, unknown>;

export function groupOf(value: unknown): Group {
  return z.record(z.string(), z.unknown()).safeParse(value).data ?? {};
}

export function listOf(value: unknown): unknown[] {
  return z.array(z.unknown()).safeParse(value).data ?? [];
}

/** Without the branch that only allows null. */
export function withoutNull(schema: OptionSchema): OptionSchema {
  if (!isNullable(schema)) return schema;
  const { anyOf, nullable: _, ...rest } = schema;
  if (anyOf === undefined) return rest;
  const branches = anyOf.filter(({ type }) => type !== 'null');
  return branches.length === 1 ? { ...rest, ...branches[0] } : { ...rest, anyOf: branches };
}

export function isNullable({ anyOf = [], nullable = false }: OptionSchema): boolean {
  return nullable || anyOf.some(({ type }) => type === 'null');
}

export type FieldKind =
  | 'number'
  | 'text'
  | 'secret'
  | 'boolean'
  | 'choice'
  | 'choice_or_number'
  | 'list'
  | 'group'
  | 'variant';

/** How a schema is displayed. */
export function kindOf(schema: OptionSchema): FieldKind {
  const branches = schema.oneOf ?? schema.anyOf ?? [];
  if (schema.enum !== undefined) return 'choice';
  if (isSecret(branches)) return 'secret';
  if (branches.some(({ type }) => type === 'object')) return 'variant';
  if (branches.length > 0) return branches.some(({ type }) => type === 'number') ? 'choice_or_number' : 'choice';
  if (schema.type === 'array') return 'list';
  if (schema.type === 'object') return 'group';
  if (schema.type === 'boolean') return 'boolean';
  return schema.type === 'number' || schema.type === 'integer' ? 'number' : 'text';
}

/** A text, or the mark of a stored one. */
function isSecret(branches: readonly OptionSchema[]): boolean {
  return branches.some(({ type }) => type === 'string') && branches.some(({ properties }) => properties?.['set']);
}

/** The words of a choice. */
export function choicesOf({ enum: words = [], anyOf = [], oneOf = [] }: OptionSchema): string[] {
  const constants = [...anyOf, ...oneOf].map((branch) => branch.const);
  return [...words, ...constants].filter((word) => typeof word === 'string');
}

/** For a variant: the key that distinguishes its branches, and the branch of each word. */
export function branchesOf({ oneOf, anyOf }: OptionSchema): { key: string; branches: Map<string, OptionSchema> } {
  const all = oneOf ?? anyOf ?? [];
  const key = Object.entries(all[0]?.properties ?? {}).find(([, field]) => field.const !== undefined)?.[0] ?? '';
  return { key, branches: new Map(all.map((branch) => [String(branch.properties?.[key]?.const), branch])) };
}

/** The entered fields that another branch has in the same form, such as a name. */
export function sharedOf(entered: Group, from: OptionSchema, to: OptionSchema): Group {
  const isSame = (name: string): boolean => {
    const field = from.properties?.[name];
    return field !== undefined && JSON.stringify(field) === JSON.stringify(to.properties?.[name]);
  };
  return Object.fromEntries(Object.entries(entered).filter(([name]) => isSame(name)));
}

/** Without these fields, in each branch of a variant. */
export function withoutFields(schema: OptionSchema, names: readonly string[]): OptionSchema {
  const { properties, required, anyOf, oneOf } = schema;
  const less = (all: OptionSchema[]): OptionSchema[] => all.map((one) => withoutFields(one, names));
  return {
    ...schema,
    ...(properties !== undefined && {
      properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name))),
    }),
    ...(required !== undefined && { required: required.filter((name) => !names.includes(name)) }),
    ...(anyOf !== undefined && { anyOf: less(anyOf) }),
    ...(oneOf !== undefined && { oneOf: less(oneOf) }),
  };
}

/** With the service's defaults for empty fields, so that the form can show them. */
export function withDefaults(schema: OptionSchema, defaults: Group): OptionSchema {
  const { properties, anyOf, oneOf } = schema;
  const filled = (all: OptionSchema[]): OptionSchema[] => all.map((one) => withDefaults(one, defaults));
  const given = ([name, one]: [string, OptionSchema]): [string, OptionSchema] => [
    name,
    defaults[name] == null || one.default !== undefined ? one : { ...one, default: defaults[name] },
  ];
  return {
    ...schema,
    ...(properties !== undefined && { properties: Object.fromEntries(Object.entries(properties).map(given)) }),
    ...(anyOf !== undefined && { anyOf: filled(anyOf) }),
    ...(oneOf !== undefined && { oneOf: filled(oneOf) }),
  };
}

/** The initial value of a new entry: only what is required. */
export function emptyOf(schema: OptionSchema): unknown {
  switch (kindOf(schema)) {
    case 'group': {
      const names = schema.required ?? [];
      const fields = names.map((name) => [name, emptyOf(schema.properties?.[name] ?? {})] as const);
      return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
    }
    case 'variant': {
      const { key, branches } = branchesOf(schema);
      const [word, branch] = [...branches][0] ?? [];
      return branch === undefined ? {} : { ...groupOf(emptyOf(branch)), [key]: word };
    }
    case 'list':
      return Array.from({ length: schema.minItems ?? 0 }, () => emptyOf(schema.items ?? {}));
    case 'choice':
      return choicesOf(schema)[0];
    default:
      return schema.minimum !== undefined && schema.default === undefined && schema.type === 'integer'
        ? schema.minimum
        : undefined;
  }
}

const momentBranches = JSON.stringify(schemaOf(moment).anyOf);

/** A time in the form of a request. */
export function isMoment({ anyOf }: OptionSchema): boolean {
  return anyOf !== undefined && JSON.stringify(anyOf) === momentBranches;
}
