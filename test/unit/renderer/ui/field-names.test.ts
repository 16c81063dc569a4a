import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createTranslations, messagesOf, type Translate } from '../../../../renderer/i18n/index.ts';
import { names, sections } from '../../../../renderer/ui/field-names.ts';
import { fieldPath, fieldUnit, isInternal } from '../../../../renderer/ui/field-words.ts';
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

/** Every field of a schema, by its path without indices, and whether it can be a number. */
function pathsOf(schema: Schema, above: string): [string, boolean][] {
  if (typeof schema !== 'object') return [];
  const itself = above === '' ? [] : [[above, isNumber(schema)] satisfies [string, boolean]];
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    pathsOf(field, above === '' ? name : `${above}.${name}`),
  );
  const forms = [schema.anyOf, schema.oneOf, schema.allOf, schema.prefixItems, Object.values(schema.$defs ?? {})];
  const items = [schema.items].flat();
  return [...itself, ...own, ...[...forms.flat(), ...items].flatMap((form) => pathsOf(form, above))];
}

function isNumber(schema: z.core.JSONSchema.BaseSchema): boolean {
  return schema.type === 'number' || schema.type === 'integer';
}

function fieldsOf(schema: z.ZodType): [string, boolean][] {
  return pathsOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), '');
}

const bodies = contractEndpoints.flatMap(({ method, path, body }) =>
  method === 'GET' || body === undefined || unrecorded.some((one) => one.test(path)) ? [] : [body],
);
const fields = [
  ...bodies.flatMap(fieldsOf),
  ...allKinds.flatMap(({ settings }) => fieldsOf(settings)),
  ...driverList.flatMap(([, { options }]) => fieldsOf(options).map(([path, is]) => [`options.${path}`, is] as const)),
];
const recorded = new Set(fields.map(([path]) => path));

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

/** Numbers without a unit, or in one that another field tells. */
const bare = `
  address amount at_least band band_share_per_m_s bay_count by channel column columns count discharge_coefficient doses_to_react
  drain_gain factor feed_value forbids_channel from_x from_y from_zoom hysteresis i2c_address i2c_bus integrator integrator_max
  integrator_min kd keep_months keep_weeks ki kp latent_share layers leaf_area_index least least_reaction max max_rate_per_min
  max_zoom min most most_per_minute motor_close_channel noise_seed offset per_h plausible_max plausible_min port qos rain repeat
  resolution row rows safe_state scale sd seed setpoint share slew_per_h speed sun_heat_share target thermal_zone to_x to_y
  tolerance transmittance unit_id value value_max weekdays weight while_channel wind_factor zoom
  co2_price_kg electricity_price fuel_price price screen_price_m2 water_price_m3
  at ends_at expires_at override_until starts_at time until`;

it('every number that the record of a change shows has the unit of its name, or is one of those without', () => {
  const numbers = fields.filter(([path, is]) => is && !isInternal(path)).map(([path]) => path.split('.').at(-1) ?? '');
  expect(new Set(numbers.filter((name) => fieldUnit(name) === undefined))).toEqual(new Set(bare.trim().split(/\s+/)));
});

it('has no second word for a field that a section names alike', async () => {
  const { t } = createTranslations(await messagesOf('en')).global;
  const double = [...names].filter(([name, key]) => {
    const first = sections.map((section) => `${section}.${name}`).find((one) => (t as Translate)(one as never) !== one);
    return first !== undefined && (first === key || t(first) === t(key));
  });
  expect(double.map(([name]) => name)).toEqual([]);
});
