import { expect, it } from 'vitest';
import { choiceName, fieldPath, fieldUnit } from '../../../../renderer/ui/field-words.ts';
import {
  furtherFields,
  mainFields,
  setpointFields,
  tableFields,
} from '../../../../renderer/features/climate/loop-fields.ts';
import { createTranslations, messagesOf } from '../../../../renderer/i18n/index.ts';

const ko = await messagesOf('ko');
const { t } = createTranslations(ko).global;

it.each([
  ['is_activated', ko.devices.fields.is_enabled],
  ['channels[1].name', `${ko.devices.fields.channels} › 2 › ${ko.ui.name}`],
  ['alarm_limits.frost_c', `${ko.settings.alarms.title} › ${ko.settings.alarms.limits.frost_c}`],
  ['new_thing.inner_part', 'new thing › inner part'],
])('names the field %s in the language of the page', (path, words) => {
  expect(fieldPath(path, t)).toBe(words);
});

it.each([
  ['state', 'on', ko.ui.on],
  ['direction', 'raise', ko.control.choices.direction.raise],
  ['role', 'side_vent', ko.role.side_vent],
  ['role', 'Editor', undefined],
  ['name', 'on', undefined],
])('has words for the choice of %s: %s', (field, value, words) => {
  expect(choiceName(field, value, t)).toBe(words);
});

it.each([
  ['frost_c', 'C'],
  ['wind_m_s', 'm/s'],
  ['min_off_s', 's'],
  ['bay_width_m', 'm'],
  ['setpoint', undefined],
  ['integrator_min', undefined],
  ['light_full_w_m2', 'W/m2'],
  ['flow_l_h', 'l/h'],
  ['heat_kwh_m2', undefined],
  ['pad_water_l_min_m', undefined],
  ['flow_ml_s', undefined],
  ['lamp_umol_m2_s', undefined],
  ['band_share_per_m_s', undefined],
])('knows the unit of %s', (field, unit) => {
  expect(fieldUnit(field)).toBe(unit);
});

it('gives a number of a climate program the unit that its form gives it', () => {
  const tables = [setpointFields, ...[mainFields, furtherFields, tableFields].flatMap((one) => Object.values(one))];
  const told = ['C', 'K', '%', '%/K', 's', 'ppm', 'kPa', 'g/m3', 'W/m2'];
  const units = tables.flatMap((table) => Object.entries<string>(table)).filter(([, unit]) => told.includes(unit));
  expect(units.length).toBeGreaterThan(40);
  expect(units.map(([field]) => [field, fieldUnit(field)])).toEqual(units);
});
