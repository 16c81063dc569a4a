import { alarmLimits, type AlarmLimits } from '../../server/contract/alarm-limits.ts';
import { actuatorRoles, sensorRoles } from '../../server/contract/facility-binding.ts';
import { mapServices, type MapServiceId } from '../../server/contract/map-service.ts';
import type { MessageKey, Translate } from '../i18n/index.ts';
import { internalFields, names, sections } from './field-names.ts';

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

/** Wire units by the endings of field names, longer endings first. `_min` is none: it may be a minimum. */
const unitEndings = [
  ['_pct_per_k', '%/K'],
  ['_g_m3', 'g/m3'],
  ['_w_m2', 'W/m2'],
  ['_m_s', 'm/s'],
  ['_l_h', 'l/h'],
  ['_ppm', 'ppm'],
  ['_pct', '%'],
  ['_kpa', 'kPa'],
  ['_m2', 'm2'],
  ['_ml', 'ml'],
  ['_kw', 'kW'],
  ['_c', 'C'],
  ['_k', 'K'],
  ['_m', 'm'],
  ['_s', 's'],
  ['_a', 'A'],
] as const;

/** What stands before such an ending where it is the end of a longer unit, as in `heat_kwh_m2`. */
const perOther = /_(?:kg|kwh|mol|umol|l|ml|kn|j|m2|l_min|cost|price|per)$/;

/** The wire unit of a number, as its field's name tells it; undefined where it tells none. */
export function fieldUnit(name: string): string | undefined {
  const [ending = '', unit] = unitEndings.find(([one]) => name.endsWith(one)) ?? [];
  return perOther.test(name.slice(0, -ending.length)) ? undefined : unit;
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
