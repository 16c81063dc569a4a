import type { AlarmCode, AlarmCondition } from './alarm.ts';

/** What an alarm, an entry of its journal or an alert of a house says of itself. */
export type AlarmFacts = Pick<AlarmCondition, 'code'> & {
  [Key in 'value' | 'limit' | 'unit' | 'name']?: AlarmCondition[Key] | undefined;
};

const crossing = ['out_of_band', 'wind', 'rain', 'frost', 'over_temperature'] as const satisfies AlarmCode[];
type Crossing = (typeof crossing)[number];
type Sayable = Exclude<AlarmCode, Crossing | 'sensor_disagree' | 'custom'>;

/** Which sentence of `resources/alarm-text` says it best, with `{value}`, `{limit}` and `{name}`; null where the title says all. */
export function sentenceOf({
  code,
  value,
  limit,
  name,
}: AlarmFacts): 'above' | 'below' | 'apart' | 'outlier' | Sayable | null {
  const hasBoth = value != null && limit != null;
  if (isCrossing(code)) return hasBoth ? (value > limit ? 'above' : 'below') : null;
  if (code === 'sensor_disagree') return hasBoth ? 'apart' : name ? 'outlier' : null;
  return code === 'custom' ? null : code;
}

function isCrossing(code: AlarmCode): code is Crossing {
  return crossing.some((one) => one === code);
}
