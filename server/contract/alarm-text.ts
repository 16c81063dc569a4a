import type { AlarmCode, AlarmCondition } from './alarm.ts';
import { limitSides, type LimitSide } from './facility-live.ts';
import { climateFallbacks, type ClimateFallback } from './climate-live.ts';
import { holdingRules, type HoldingRule } from './output.ts';

/** What an alarm, an entry of its journal or an alert of a house says of itself. */
export type AlarmFacts = Pick<AlarmCondition, 'code'> & {
  [Key in 'value' | 'limit' | 'unit' | 'name']?: AlarmCondition[Key] | undefined;
};

/** Readings beyond a limit, each with its side; null where the `name` tells it. */
const crossings = {
  out_of_band: null,
  wind: 'above',
  rain: 'above',
  frost: 'below',
  over_temperature: 'above',
} as const satisfies { [Code in AlarmCode]?: LimitSide | null };
type Crossing = keyof typeof crossings;

/** What can be wrong with what is stored, each an alarm of its own: the `name` of `disk_low` and `store_failed`. */
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

/** How the clock went another way than time: the `name` of `clock_set`. */
const clockSteps = ['ahead', 'far_ahead', 'back'] as const;
type ClockStep = (typeof clockSteps)[number];

type Sayable =
  | Exclude<AlarmCode, Crossing | OfStore | 'sensor_disagree' | 'clock_set' | 'climate_fallback' | 'custom'>
  | StoreConditionCode
  | `clock_${ClockStep}`
  | `fallback_${ClimateFallback}`;

/** Which sentence of `resources/alarm-text` says it best, with `{value}`, `{limit}`, `{name}` and `{rule}`; null where the title says all. */
export function sentenceOf(facts: AlarmFacts): LimitSide | `just_${LimitSide}` | 'apart' | 'outlier' | Sayable | null {
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
  if (code === 'safety_gate' && ruleOf(facts) === null) return null;
  return code === 'custom' ? null : code;
}

/** The rule by which outputs are held, which is the `name` of `safety_gate`; null of any other alarm. */
export function ruleOf({ code, name }: Pick<AlarmFacts, 'code' | 'name'>): HoldingRule | null {
  return code === 'safety_gate' ? (holdingRules.find((one) => one === name) ?? null) : null;
}

/** Their name is a code. */
const namedByCode: ReadonlySet<AlarmCode> = new Set([
  'out_of_band',
  'safety_gate',
  'disk_low',
  'store_failed',
  'clock_set',
  'climate_fallback',
]);

/** What of its source it is about, as people call it; null where its name is a code, which the sentence says. */
export function partOf({ code, name }: Pick<AlarmFacts, 'code' | 'name'>): string | null {
  return namedByCode.has(code) ? null : (name ?? null);
}

/** Where a reading is by its limit. An alarm stays until its dead band is passed: a reading within it is back, but only just. */
function placeOf(
  code: Crossing,
  { value, limit, name }: { value: number; limit: number; name?: string | null | undefined },
) {
  const beyond = value > limit ? 'above' : 'below';
  const side = crossings[code] ?? limitSides.find((one) => one === name) ?? beyond;
  return value === limit || side === beyond ? side : (`just_${beyond}` as const);
}

function isCrossing(code: AlarmCode): code is Crossing {
  return code in crossings;
}
