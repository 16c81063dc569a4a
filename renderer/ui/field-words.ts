import { alarmLimits, type AlarmLimits } from '../../server/contract/alarm-limits.ts';
import { actuatorRoles, sensorRoles } from '../../server/contract/facility-binding.ts';
import { clockOf } from '../../server/contract/clock-time.ts';
import { mapServices, type MapServiceId } from '../../server/contract/map-service.ts';
import type { MessageKey, Translate } from '../i18n/index.ts';
import { internalFields, names, sections } from './field-names.ts';
import type { Format } from './format.ts';

const units = { m: 'shell.units.m', ft: 'shell.units.ft', c: 'shell.units.c', f: 'shell.units.f' } as const;
const onOff = { on: 'ui.on', off: 'ui.off' } as const;

/** What the choices of a field are called. */
const choices = new Map<string, Readonly<Record<string, MessageKey>>>(
  Object.entries({
    state: onOff,
    safe_state: onOff,
    startup_state: onOff,
    shutdown_state: onOff,
    direction: {
      raise: 'control.choices.direction.raise',
      lower: 'control.choices.direction.lower',
      both: 'control.choices.direction.both',
    },
    length_unit: units,
    temperature_unit: units,
  } as const),
);

/** Several figures of a house's conditions are setpoints of its program too. */
const conditions = 'settings.conditions.names';

const isMapService = (name: string): name is MapServiceId => Object.hasOwn(mapServices, name);
const isLimit = (name: string): name is keyof AlarmLimits => Object.hasOwn(alarmLimits.shape, name);

/** The label of a field; undefined for one without a word. */
function fieldName(name: string, t: Translate, isOfConditions = false): string | undefined {
  if (isLimit(name)) return t(`settings.alarms.limits.${name}`);
  if (isMapService(name)) return mapServices[name].name;
  const key = names.get(name);
  return key === undefined ? labelOf(name, isOfConditions ? [conditions, ...sections] : sections, t) : t(key);
}

function labelOf(name: string, within: readonly string[], t: Translate): string | undefined {
  for (const section of within) {
    const key = `${section}.${name}` as MessageKey; // of which not every field is one
    const text = t(key);
    if (text !== key) return text;
  }
  return undefined;
}

/** Wire units of numbers whose names do not end in one. */
const unitsByName = new Map([
  ['k_per_h', 'K/h'],
  ['kwh_per_unit', 'kWh'],
  ['minutes', 'min'],
  ['minutes_per_h', 'min'],
  ['days', 'd'],
  ['lamp_hours', 'h'],
  ['return_years', 'a'],
  ['level', '%'],
  ['lat', 'deg'],
  ['lng', 'deg'],
  ['latitude', 'deg'],
  ['longitude', 'deg'],
]);

/** Wire units by the endings of field names, longer endings first. */
const unitEndings = [
  ['_kwh_per_unit', 'kWh'],
  ['_umol_m2_s', 'umol/m2/s'],
  ['_pct_per_pct', '%/%'],
  ['_pct_per_k', '%/K'],
  ['_mol_m2d', 'mol/m2d'],
  ['_kwh_m2', 'kWh/m2'],
  ['_mol_m2', 'mol/m2'],
  ['_umol_j', 'umol/J'],
  ['_l_min_m', 'l/min m'],
  ['_j_cm2', 'J/cm2'],
  ['_ml_m2', 'ml/m2'],
  ['_kn_m2', 'kN/m2'],
  ['_w_m2k', 'W/m2K'],
  ['_l_m2', 'l/m2'],
  ['_g_m3', 'g/m3'],
  ['_w_m2', 'W/m2'],
  ['_kg_h', 'kg/h'],
  ['_ml_s', 'ml/s'],
  ['_m_s', 'm/s'],
  ['_l_h', 'l/h'],
  ['_m3h', 'm3/h'],
  ['_lph', 'l/h'],
  ['_changes_per_h', '1/h'],
  ['_days', 'd'],
  ['_deg', 'deg'],
  ['_min', 'min'],
  ['_ppm', 'ppm'],
  ['_pct', '%'],
  ['_kpa', 'kPa'],
  ['_mm', 'mm'],
  ['_ms', 'ms'],
  ['_m2', 'm2'],
  ['_ml', 'ml'],
  ['_kw', 'kW'],
  ['_c', 'C'],
  ['_k', 'K'],
  ['_h', 'h'],
  ['_m', 'm'],
  ['_s', 's'],
  ['_a', 'A'],
] as const;

/** What stands before such an ending where it is the end of a longer unit, or of a price. */
const perOther = /(?:^|_)(?:per|price)$/;

/** The least that a number may be, which only ends like minutes. */
const least: ReadonlySet<string> = new Set(['integrator_min', 'plausible_min']);

/** The wire unit of a number, as its field's name tells it; undefined where it tells none. */
export function fieldUnit(name: string): string | undefined {
  const known = unitsByName.get(name);
  if (known !== undefined || least.has(name)) return known;
  const [ending = '', unit] = unitEndings.find(([one]) => name.endsWith(one)) ?? [];
  return perOther.test(name.slice(0, -ending.length)) ? undefined : unit;
}

/** Minutes of the day. */
const clocks: ReadonlySet<string> = new Set(['at_min', 'from_min', 'to_min']);
/** Epoch ms. */
const moments: ReadonlySet<string> = new Set([
  'at',
  'ends_at',
  'expires_at',
  'override_until',
  'starts_at',
  'time',
  'until',
]);

/** A number in words: with the unit that its field's name tells, as a time of day or as a moment. */
export function fieldNumber(name: string, value: number, format: Format): string {
  if (clocks.has(name)) return clockOf(value);
  if (moments.has(name)) return format.stamp(value);
  const unit = fieldUnit(name);
  if (unit === 'deg') return format.quantity(value, unit, placeDigits(value));
  return unit === undefined ? format.number(value) : format.amount(value, unit);
}

/** A place needs every decimal of its degrees that was given. */
function placeDigits(value: number): number {
  return String(value).split('.')[1]?.length ?? 0;
}

/** A choice in words; undefined for any other value. */
export function choiceName(field: string, value: string, t: Translate): string | undefined {
  const role = field === 'role' ? [...sensorRoles, ...actuatorRoles].find((one) => one === value) : undefined;
  if (role !== undefined) return t(`role.${role}`);
  const words = choices.get(field) ?? {};
  const key = Object.hasOwn(words, value) ? words[value] : undefined;
  return key === undefined ? undefined : t(key);
}

/** `channels[0].name_text` as "Channels › 1 › name text". */
export function fieldPath(path: string, t: Translate): string {
  const isOfConditions = path.startsWith('design_conditions.');
  const places = path.split('.').flatMap((one) => {
    const [name = '', ...indices] = one.split(/[[\]]+/).filter(Boolean);
    return [
      fieldName(name, t, isOfConditions) ?? name.replaceAll('_', ' '),
      ...indices.map((index) => String(Number(index) + 1)),
    ];
  });
  return places.join(' › ');
}

/** Whether a path leads to something that tells nothing of a change. */
export function isInternal(path: string): boolean {
  return internalFields.has(path.split('.').at(-1) ?? '');
}
