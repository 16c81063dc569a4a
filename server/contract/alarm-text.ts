import type { AlarmCode, AlarmCondition } from './alarm.ts';
import { deviceWordsText, type DeviceWord } from './device-words.ts';
import { inactiveParts, limitSides, type AlertCode, type InactivePart, type LimitSide } from './facility-live.ts';
import { climateFallbacks, type ClimateFallback } from './climate-live.ts';
import { holdingRules, type HoldingRule } from './output.ts';

/** The facts by which an alarm, a line of its journal or an alert of a house is worded. */
export type AlarmFacts = { code: AlarmCode | AlertCode } & {
  [Key in 'value' | 'limit' | 'unit' | 'name']?: AlarmCondition[Key] | undefined;
};

/** Codes of readings beyond a limit, with the side; null when the `name` states it. */
const crossings = {
  out_of_band: null,
  wind: 'above',
  rain: 'above',
  frost: 'below',
  over_temperature: 'above',
} as const satisfies { [Code in AlarmCode]?: LimitSide | null };
type Crossing = keyof typeof crossings;

/** Faults of storage, each an alarm of its own: the `name` of `disk_low` and `store_failed`. */
export const storeConditions = [
  'measurements_damaged',
  'measurements_not_kept',
  'disk_space_low',
  'database_large',
  'control_damaged',
  'control_not_kept',
  'settings_not_read',
  'settings_not_kept',
  'backup_failed',
  'backup_copy_failed',
  'restore_failed',
] as const;
type StoreConditionCode = (typeof storeConditions)[number];
type OfStore = 'disk_low' | 'store_failed';

/** How the clock jumped: the `name` of `clock_set`. */
const clockSteps = ['ahead', 'far_ahead', 'back'] as const;
type ClockStep = (typeof clockSteps)[number];

type Sayable =
  | Exclude<
      AlarmFacts['code'],
      Crossing | OfStore | 'sensor_disagree' | 'clock_set' | 'climate_fallback' | 'inactive' | 'custom'
    >
  | StoreConditionCode
  | `clock_${ClockStep}`
  | `fallback_${ClimateFallback}`
  | `inactive_${InactivePart}`;

type Sentence = LimitSide | `just_${LimitSide}` | 'apart' | 'outlier' | Sayable;

/** A text of an alarm, by its key in the catalogues of the page. */
export type AlarmTextKey =
  | `alarms.say.${Sentence}`
  | `alarms.rule.${HoldingRule}`
  | `alarms.${'site' | 'daemon' | 'channel'}`
  | `role.${NonNullable<AlarmCondition['role']>}`
  | `said.${DeviceWord}`
  | 'ui.colon';
/** A text in the language of the reader, with its places filled. */
export type SayAlarm = (key: AlarmTextKey, named?: Record<string, string | number>) => string;

/** How the reader writes numbers and times. */
export interface AlarmFormat {
  /** A value of a wire unit, with its unit. */
  quantity(value: number | null, wireUnit: string): string;
  /** Date and time of an ISO text. */
  dateTime(at: string): string;
}

/** The details of an alarm besides its sentence; empty without any. */
export function alarmDetail(
  { code, message }: { code: string; message: string | null },
  t: SayAlarm,
  format: Pick<AlarmFormat, 'dateTime'>,
): string {
  if (message === null) return '';
  if (code !== 'clock_set') return deviceWordsText(message, t);
  const [from = '', to = ''] = message.split(' -> ');
  const isRead = [from, to].every((time) => Number.isFinite(Date.parse(time)));
  return isRead ? `${format.dateTime(from)} → ${format.dateTime(to)}` : message;
}

/** The sentence of an alarm; empty when the title is enough. */
export function alarmSentence(facts: AlarmFacts, t: SayAlarm, format: Pick<AlarmFormat, 'quantity'>): string {
  const sentence = sentenceOf(facts);
  if (sentence === null) return '';
  const shown = (number: number | null | undefined): string => format.quantity(number ?? null, facts.unit ?? '');
  const rule = ruleOf(facts);
  const named = { value: shown(facts.value), limit: shown(facts.limit), name: facts.name ?? '' };
  return t(`alarms.say.${sentence}`, { ...named, rule: rule === null ? '' : t(`alarms.rule.${rule}`) });
}

/** Where an alarm is: the house or device, and which part. */
export function alarmPlace(alarm: AlarmCondition, t: SayAlarm): string {
  return [alarmSource(alarm, t), ...alarmParts(alarm, t)].join(' · ');
}

/** The house or device of an alarm. */
export function alarmSource({ source_kind, source_name, source_id }: AlarmCondition, t: SayAlarm): string {
  return source_kind === 'daemon' || source_kind === 'site' ? t(`alarms.${source_kind}`) : (source_name ?? source_id);
}

/** Which part of its source an alarm is about, the whole first; empty when it is about all of it. */
export function alarmParts(alarm: AlarmCondition, t: SayAlarm): string[] {
  const { role, channel } = alarm;
  return [
    role === null ? '' : t(`role.${role}`),
    partOf(alarm) ?? '',
    channel !== null && channel > 0 ? t('alarms.channel', { n: channel }) : '',
  ].filter((part) => part !== '');
}

/**
 * The most specific sentence of `resources/alarm-text`, with `{value}`, `{limit}`, `{name}` and `{rule}`; null when the
 * title says everything.
 */
function sentenceOf(facts: AlarmFacts): Sentence | null {
  const { code, value, limit, name } = facts;
  const hasBoth = value != null && limit != null;
  if (isCrossing(code)) return hasBoth ? placeOf(code, { value, limit, name }) : null;
  if (code === 'sensor_disagree') return hasBoth ? 'apart' : name ? 'outlier' : null;
  if (code === 'disk_low' || code === 'store_failed') return storeConditions.find((one) => one === name) ?? null;
  if (code === 'clock_set') {
    const step = clockSteps.find((one) => one === name);
    return step === undefined ? null : `clock_${step}`;
  }
  if (code === 'climate_fallback') {
    const fallback = climateFallbacks.find((one) => one === name);
    return fallback === undefined ? null : `fallback_${fallback}`;
  }
  if (code === 'inactive') {
    const part = inactiveParts.find((one) => one === name);
    return part === undefined ? null : `inactive_${part}`;
  }
  if (code === 'safety_gate' && ruleOf(facts) === null) return null;
  return code === 'custom' ? null : code;
}

/** The rule that holds outputs, which is the `name` of `safety_gate`; null for any other alarm. */
function ruleOf({ code, name }: Pick<AlarmFacts, 'code' | 'name'>): HoldingRule | null {
  return code === 'safety_gate' ? (holdingRules.find((one) => one === name) ?? null) : null;
}

/** Codes whose `name` is itself a code. */
const namedByCode: ReadonlySet<AlarmFacts['code']> = new Set([
  'out_of_band',
  'safety_gate',
  'disk_low',
  'store_failed',
  'clock_set',
  'climate_fallback',
  'inactive',
]);

/** The part of its source, as people call it; null when its name is a code, which the sentence states. */
export function partOf({ code, name }: Pick<AlarmFacts, 'code' | 'name'>): string | null {
  return namedByCode.has(code) ? null : (name ?? null);
}

/**
 * Where a reading is relative to its limit. An alarm stays until its dead band is passed: a reading within the band is
 * back, but only just.
 */
function placeOf(
  code: Crossing,
  { value, limit, name }: { value: number; limit: number; name?: string | null | undefined },
) {
  const beyond = value > limit ? 'above' : 'below';
  const side = crossings[code] ?? limitSides.find((one) => one === name) ?? beyond;
  return value === limit || side === beyond ? side : (`just_${beyond}` as const);
}

function isCrossing(code: AlarmFacts['code']): code is Crossing {
  return code in crossings;
}
