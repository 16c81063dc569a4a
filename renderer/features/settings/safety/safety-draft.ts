import { alarmLimits } from '../../../../server/contract/alarm-limits.ts';
import { safetySettings } from '../../../../server/contract/safety.ts';
import { plainSettings, type Settings, type SettingsPatch } from '../../../../server/contract/setting.ts';
import { each, isContradictory, isGoodLimit, limitOf, settledLimit, type Limit } from '../limit.ts';

/** Alarm limits beyond which the safety gate moves outputs. */
export const movingLimits = ['wind_m_s', 'rain', 'frost_c', 'over_temperature_c'] as const;
type MovingLimit = (typeof movingLimits)[number];

export const currentSchema = safetySettings.shape.max_current_a.unwrap();
export const holdSchema = plainSettings.shape.manual_hold_s;

export interface SafetyDraft {
  limits: Record<MovingLimit, Limit>;
  max_current_a: Limit;
  manual_hold_s: number | null;
}

/** The safety settings as one object. */
type SafetyWire = Record<MovingLimit, number | null> & { max_current_a: number | null; manual_hold_s: number };

export function safetyDraftOf({ alarm_limits, safety, manual_hold_s }: Settings): SafetyDraft {
  return {
    limits: each(movingLimits, (name) => limitOf(alarm_limits[name])),
    max_current_a: limitOf(safety.max_current_a),
    manual_hold_s,
  };
}

/** The wire form of the entries; an invalid hold is NaN, which every schema rejects. */
export function safetyWire({ limits, max_current_a, manual_hold_s }: SafetyDraft): SafetyWire {
  return {
    ...each(movingLimits, (name) => settledLimit(limits[name])),
    max_current_a: settledLimit(max_current_a),
    manual_hold_s: manual_hold_s ?? Number.NaN,
  };
}

/** Each changed member under its setting. */
export function safetyPatch({ max_current_a, manual_hold_s, ...limits }: Partial<SafetyWire>): SettingsPatch {
  return {
    ...(Object.keys(limits).length > 0 && { alarm_limits: limits }),
    ...(max_current_a !== undefined && { safety: { max_current_a } }),
    ...(manual_hold_s !== undefined && { manual_hold_s }),
  };
}

export function isSafetyValid({ limits, max_current_a, manual_hold_s }: SafetyDraft): boolean {
  return (
    movingLimits.every((name) => isGoodLimit(limits[name], alarmLimits.shape[name].unwrap())) &&
    !isContradictory(limits) &&
    isGoodLimit(max_current_a, currentSchema) &&
    holdSchema.safeParse(manual_hold_s).success
  );
}
