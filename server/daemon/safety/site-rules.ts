import { deviceSays } from '../../contract/device-words.ts';
import { isOn } from '../../contract/output-state.ts';
import type { GateRule } from './gate.ts';
import type { SiteConditions } from './site-conditions.ts';

/** Closes vents in wind, rain and frost, and stops heaters where it is already too hot. */
export function limitRule(conditions: Pick<SiteConditions, 'closing'>): GateRule {
  return ({ output_id, channel, value }) => {
    if (!isOn(value)) return undefined;
    const crossed = conditions.closing(output_id, channel);
    return crossed && { ...crossed, value: 'off' };
  };
}

/**
 * Holds an output safe that a program or controller drives by a sensor which has fallen silent. A person may still
 * command it.
 */
export function staleRule(conditions: Pick<SiteConditions, 'blindness'>): GateRule {
  return ({ output_id, channel, value, source, safe_state }) => {
    if (source !== 'automatic') return undefined;
    const blind = conditions.blindness(output_id, channel);
    if (blind === undefined) return undefined;
    const { name, closes } = blind;
    const safe = closes ? 'off' : safe_state;
    if (value === safe) return undefined;
    return { rule: 'stale', message: deviceSays('not_fresh', { name }), held_by: { name }, value: safe };
  };
}
