import { alarmLimits, type AlarmLimits } from '../../server/contract/alarm-limits.ts';
import { actuatorRoles, sensorRoles } from '../../server/contract/facility-binding.ts';
import type { MessageKey, Translate } from '../i18n/index.ts';

/** What fields of the wire are called; one that is not here is shown by its own name. */
const names = new Map<string, MessageKey>(
  Object.entries({
    name: 'ui.name',
    is_activated: 'devices.fields.is_enabled',
    is_enabled: 'devices.fields.is_enabled',
    driver: 'devices.form.driver',
    host: 'devices.fields.host',
    port: 'devices.fields.port',
    channel: 'devices.fields.channel',
    channels: 'devices.fields.channels',
    output_id: 'devices.fields.output_id',
    safe_state: 'devices.fields.safe_state',
    startup_state: 'devices.fields.startup_state',
    shutdown_state: 'devices.fields.shutdown_state',
    min_off_s: 'devices.fields.min_off_s',
    max_on_s: 'devices.fields.max_on_s',
    factor: 'devices.fields.factor',
    offset: 'devices.fields.offset',
    state: 'devices.state',
    value: 'devices.value',
    duration_s: 'rules.fields.duration_s',
    duty_cycle_pct: 'rules.fields.duty_cycle_pct',
    volume_ml: 'rules.fields.volume_ml',
    period_s: 'audit.period',
    hysteresis: 'rules.fields.hysteresis',
    actions: 'rules.fields.actions',
    setpoint: 'control.setpoint',
    measurement: 'control.fields.measurement',
    method_id: 'control.fields.method_id',
    kp: 'control.fields.kp',
    ki: 'control.fields.ki',
    kd: 'control.fields.kd',
    band: 'control.fields.band',
    direction: 'control.fields.direction',
    raise: 'control.fields.raise',
    lower: 'control.fields.lower',
    max_age_s: 'control.fields.max_age_s',
    cause: 'control.why',
    reason: 'commissioning.reopenReason',
    note: 'commissioning.note',
    username: 'login.username',
    role: 'users.role',
    site_name: 'setup.siteName',
    lat: 'setup.latitude',
    lng: 'setup.longitude',
    time_zone: 'setup.timeZone',
    language: 'shell.language',
    length_unit: 'shell.lengthUnit',
    temperature_unit: 'shell.temperatureUnit',
    alarm_limits: 'settings.alarms.title',
    design_conditions: 'settings.conditions.title',
    sensors: 'facility.steps.sensors',
    actuators: 'facility.steps.actuators',
    openings: 'facility.steps.openings',
    bay_count: 'facility.bayCount',
    bay_width_m: 'facility.bayWidth',
    length_m: 'facility.length',
    eave_height_m: 'facility.eave',
    ridge_height_m: 'facility.ridge',
    material: 'facility.material',
  } as const),
);

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

const isLimit = (name: string): name is keyof AlarmLimits => Object.hasOwn(alarmLimits.shape, name);

/** The label of a field; undefined for one without a word. */
function fieldName(name: string, t: Translate): string | undefined {
  if (isLimit(name)) return t(`settings.alarms.limits.${name}`);
  const key = names.get(name);
  return key === undefined ? undefined : t(key);
}

/** Wire units by the endings of field names, longer endings first. `_min` is none: it may be a minimum. */
const unitEndings = [
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
  ['_m', 'm'],
  ['_s', 's'],
  ['_a', 'A'],
] as const;

/** What stands before such an ending where it is the end of a longer unit, as in `heat_kwh_m2`. */
const perOther = /_(?:kg|kwh|mol|umol|l|ml|kn|j|m2|min|cost|price|per)$/;

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
  const places = path.split('.').flatMap((one) => {
    const [name = '', ...indices] = one.split(/[[\]]+/).filter(Boolean);
    return [fieldName(name, t) ?? name.replaceAll('_', ' '), ...indices.map((index) => String(Number(index) + 1))];
  });
  return places.join(' › ');
}
