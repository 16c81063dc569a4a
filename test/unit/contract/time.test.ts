import { z } from 'zod';
import { describe, expect, it } from 'vitest';
import { isRefusal } from '../../../server/contract/errors.ts';
import { parseOrRefuse } from '../../../server/contract/field-errors.ts';
import { epochOf, isoOf, moment } from '../../../server/contract/time.ts';
import { contractEndpoints } from '../../support/contract-endpoints.ts';

type Schema = z.core.JSONSchema.BaseSchema;
interface Field {
  path: string;
  schema: Schema;
  /** Names beside it. */
  beside: readonly string[];
}

/** Every field of a schema, in whatever list or form it stands. */
function fieldsOf(schema: z.ZodType | undefined): Field[] {
  return schema === undefined ? [] : within(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), '');
}

function within(schema: Schema | boolean | undefined, path: string): Field[] {
  if (schema === undefined || typeof schema === 'boolean') return [];
  const names = Object.keys(schema.properties ?? {});
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const at = `${path}.${name}`;
    return typeof field === 'boolean' ? [] : [{ path: at, schema: field, beside: names }, ...within(field, at)];
  });
  const members = [schema.items, schema.anyOf, schema.oneOf, schema.allOf, Object.values(schema.$defs ?? {})].flat();
  return [...own, ...members.flatMap((member) => within(member, path))];
}

const formsOf = (schema: Schema): Schema[] => [
  schema,
  ...(schema.anyOf ?? []).filter((form) => typeof form === 'object'),
];
const isText = (form: Schema): boolean => form.format === 'date-time';
const isReadOnly = ({ path }: Field): boolean => /\.(created|updated)_at$/.test(path);

describe('a time that is sent', () => {
  it.each([
    ['2026-03-01T00:00:00.500Z', '2026-03-01T00:00:00.500Z'],
    ['2026-03-01T09:00:00.5+09:00', '2026-03-01T00:00:00.500Z'],
    [1_772_323_200_500, '2026-03-01T00:00:00.500Z'],
  ])('%s is %s', (sent, iso) => {
    expect(isoOf(parseOrRefuse(moment, sent))).toBe(iso);
    expect(epochOf(parseOrRefuse(moment, sent))).toBe(1_772_323_200_500);
  });

  it.each(['2026-03-01', '2026-03-01T00:00:00', 'yesterday', -1, 1.5, 8_640_000_000_000_001, null, true])(
    '%s is refused, and told what is wanted',
    (sent) => {
      const schema = z.strictObject({ from: moment });
      const refusal = (() => {
        try {
          return parseOrRefuse(schema, { from: sent });
        } catch (error) {
          return error;
        }
      })();
      expect(isRefusal(refusal) && refusal.message).toBe(
        'from must be a time: ISO 8601 with Z or an offset, or epoch ms from 0 on',
      );
    },
  );

  it('is taken in both forms by every call', () => {
    const asked = contractEndpoints.flatMap(({ method, path, body, query }) =>
      [...fieldsOf(body), ...fieldsOf(query)].map((field) => ({ ...field, path: `${method} ${path} ${field.path}` })),
    );
    const times = asked.filter((field) => formsOf(field.schema).some(isText) && !isReadOnly(field));
    expect(times.length).toBeGreaterThan(20);
    const isBoth = ({ schema }: Field): boolean => formsOf(schema).some(({ type }) => type === 'integer');
    expect(times.filter((field) => !isBoth(field)).map(({ path }) => path)).toEqual([]);
  });
});

describe('a time that is answered', () => {
  it('in epoch ms stands beside the same in ISO 8601', () => {
    const answered = contractEndpoints.flatMap(({ method, path, answer }) =>
      fieldsOf(answer).map((field) => ({ ...field, path: `${method} ${path} ${field.path}` })),
    );
    const epochs = answered.filter(({ path }) => /\.(time|from|to|at|until)_ms$/.test(path));
    expect(epochs.length).toBeGreaterThan(4);
    const alone = epochs.filter(({ path, beside }) => !beside.includes(path.replace(/^.*\.(\w+)_ms$/, '$1')));
    expect(alone.map(({ path }) => path)).toEqual([]);
  });
});
