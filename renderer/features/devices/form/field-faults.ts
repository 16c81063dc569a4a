import { isNeeded } from './field-rules.ts';
import { groupOf, kindOf, listOf, branchesOf, withoutNull, type OptionSchema } from './option-schema.ts';

/** What is wrong with an entry according to its schema. */
export type Fault = 'required' | 'whole' | 'range' | 'form' | 'too_few';

/** Every fault below a schema, by the path that the server uses: `registers[0].address`. */
export function faultsOf(schema: OptionSchema, value: unknown, path = ''): Map<string, Fault> {
  const bare = withoutNull(schema);
  switch (kindOf(bare)) {
    case 'group':
      return groupFaults(bare, value, path);
    case 'variant': {
      const { key, branches } = branchesOf(bare);
      const branch = branches.get(String(groupOf(value)[key]));
      return branch === undefined ? new Map([[path, 'required']]) : groupFaults(branch, value, path);
    }
    case 'list': {
      const items = listOf(value);
      const below = items.flatMap((item, at) => [...faultsOf(bare.items ?? {}, item, `${path}[${at}]`)]);
      return new Map(items.length < (bare.minItems ?? 0) ? [[path, 'too_few'], ...below] : below);
    }
    default: {
      const fault = leafFault(bare, value);
      return new Map(fault === null ? [] : [[path, fault]]);
    }
  }
}

function groupFaults(
  { properties = {}, required = [] }: OptionSchema,
  value: unknown,
  path: string,
): Map<string, Fault> {
  const group = groupOf(value);
  const found = Object.entries(properties).flatMap(([name, field]): [string, Fault][] => {
    const below = path === '' ? name : `${path}.${name}`;
    if (group[name] === undefined || group[name] === '')
      return required.includes(name) || isNeeded(name, group) ? [[below, 'required']] : [];
    return [...faultsOf(field, group[name], below)];
  });
  return new Map(found);
}

function leafFault(schema: OptionSchema, value: unknown): Fault | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number') return numberFault(numberBranch(schema), value);
  if (typeof value !== 'string') return null;
  if (value.length < (schema.minLength ?? 0)) return 'required';
  return schema.pattern !== undefined && !new RegExp(schema.pattern, 'u').test(value.trim()) ? 'form' : null;
}

function numberBranch(schema: OptionSchema): OptionSchema {
  return schema.anyOf?.find(({ type }) => type === 'number') ?? schema;
}

function numberFault({ type, minimum, maximum, exclusiveMinimum }: OptionSchema, value: number): Fault | null {
  if (type === 'integer' && !Number.isInteger(value)) return 'whole';
  const isBelow = value < (minimum ?? -Infinity) || value <= (exclusiveMinimum ?? -Infinity);
  return isBelow || value > (maximum ?? Infinity) ? 'range' : null;
}
