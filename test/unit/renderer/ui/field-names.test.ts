import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createTranslations, messagesOf, type Translate } from '../../../../renderer/i18n/index.ts';
import { names, sections } from '../../../../renderer/ui/field-names.ts';
import { fieldPath, isInternal } from '../../../../renderer/ui/field-words.ts';
import { allKinds } from '../../../../server/contract/controller-kinds.ts';
import { driverList } from '../../../../server/contract/drivers/index.ts';
import { language } from '../../../../server/contract/language.ts';
import { mapServices } from '../../../../server/contract/map-service.ts';
import { contractEndpoints } from '../../../support/contract-endpoints.ts';

type Schema = z.core.JSONSchema.BaseSchema | boolean | undefined;

/** Calls of which no record holds the body: they work something out, take a file or a map, or prove who one is. */
const unrecorded = [
  /dry_run|preview|compute|study|rehearse|estimate|generate-pipes|read-pipes|drivers\//,
  /upload|_files|site_file|device_file|base_maps|cadastres|designs|overlays|parcel/,
  /auth\/|backups\/:|backups\/undo|users\/:user_id\/(totp|api_keys\/:)/,
  // Their records hold what became of it.
  /alarms|controllers\/|functions\/|commissioning|simulation|presets|climate\/undo|base_map_downloads/,
];

/** Fields of bodies whose values never reach a record. */
const secret = new Set(['current_password']);

/** Every field of a schema, by its path without indices. */
function pathsOf(schema: Schema, above: string): string[] {
  if (typeof schema !== 'object') return [];
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = above === '' ? name : `${above}.${name}`;
    return [path, ...pathsOf(field, path)];
  });
  const forms = [schema.anyOf, schema.oneOf, schema.allOf, schema.prefixItems, Object.values(schema.$defs ?? {})];
  const items = [schema.items].flat();
  return [...own, ...[...forms.flat(), ...items].flatMap((form) => pathsOf(form, above))];
}

function fieldsOf(schema: z.ZodType): string[] {
  return pathsOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), '');
}

const bodies = contractEndpoints.flatMap(({ method, path, body }) =>
  method === 'GET' || body === undefined || unrecorded.some((one) => one.test(path)) ? [] : [body],
);
const recorded = new Set([
  ...bodies.flatMap(fieldsOf),
  ...allKinds.flatMap(({ settings }) => fieldsOf(settings)),
  ...driverList.flatMap(([, { options }]) => fieldsOf(options).map((path) => `options.${path}`)),
]);

describe.each(language.options)('in %s', async (shown) => {
  const messages = await messagesOf(shown);
  const { t } = createTranslations(messages).global;
  const wordless = (path: string): boolean => {
    const name = path.split('.').at(-1) ?? '';
    if (Object.hasOwn(mapServices, name)) return false; // has a name of its own in every language
    return fieldPath(path, t).split(' › ').at(-1) === name.replaceAll('_', ' ');
  };

  it('every field that the record of a change shows has a word', () => {
    const shownFields = [...recorded].filter((path) => !isInternal(path) && !secret.has(path));
    expect(shownFields.length).toBeGreaterThan(300);
    expect(shownFields.filter(wordless)).toEqual([]);
  });
});

it('has no second word for a field that a section names alike', async () => {
  const { t } = createTranslations(await messagesOf('en')).global;
  const double = [...names].filter(([name, key]) => {
    const first = sections.map((section) => `${section}.${name}`).find((one) => (t as Translate)(one as never) !== one);
    return first !== undefined && (first === key || t(first) === t(key));
  });
  expect(double.map(([name]) => name)).toEqual([]);
});
