// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { choiceName, fieldNumber, fieldPath, fieldUnit } from '../../../../renderer/ui/field-words.ts';
import {
  furtherFields,
  mainFields,
  setpointFields,
  tableFields,
} from '../../../../renderer/features/climate/loop-fields.ts';
import { createTranslations, messagesOf } from '../../../../renderer/i18n/index.ts';
import { formatOf } from './format-of.ts';

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
  ['heat_kwh_m2', 'kWh/m2'],
  ['pad_water_l_min_m', 'l/min m'],
  ['flow_ml_s', 'ml/s'],
  ['lamp_umol_m2_s', 'umol/m2/s'],
  ['band_share_per_m_s', undefined],
  ['screen_price_m2', undefined],
])('knows the unit of %s', (field, unit) => {
  expect(fieldUnit(field)).toBe(unit);
});

it('gives a number of a climate program the unit that its form gives it', () => {
  const tables = [setpointFields, ...[mainFields, furtherFields, tableFields].flatMap((one) => Object.values(one))];
  const units = tables
    .flatMap((table) => Object.entries<string>(table))
    .filter(([field, unit]) => unit !== '' && field !== 'band_share_per_m_s'); // of which the name says 1/(m/s) as it is
  expect(units.length).toBeGreaterThan(60);
  expect(units.map(([field]) => [field, fieldUnit(field)])).toEqual(units);
});

it.each([
  ['integral_min', 90, '90분'],
  ['most_h', 16, '16시간'],
  ['sum_mol_m2', 12.5, '12.5\u202fmol/m²'],
  ['from_min', 390, '06:30'],
  ['lat', 37.5665, '37.5665°'],
  ['until', Date.parse('2026-11-02T03:00:00Z'), '2026. 11. 2. 12:00:00'],
  ['factor', 1_200.5, '1,200.5'],
])('writes the number of %s with its unit in the language of the page', (field, value, written) => {
  expect(fieldNumber(field, value, formatOf('Asia/Seoul', 'ko'))).toBe(written);
});
