import { isOn } from '../../contract/output-state.ts';
import type { GateRule } from './gate.ts';

/**
 * Keeps a channel off that, with all that is on, would draw more than the site allows. A channel that is already on
 * stays on.
 */
export function currentRule(max_current_a: () => number | null): GateRule {
  return ({ output_id, channel, value, is_on, current_a }, site) => {
    const limit = max_current_a();
    if (limit === null || current_a === null || is_on || !isOn(value)) return undefined;
    const others_a = site.currentBeside(output_id, channel);
    if (others_a + current_a <= limit) return undefined;
    const message = `${amperes(others_a)} are drawn and ${amperes(current_a)} more would pass the limit of ${amperes(limit)}`;
    return { rule: 'current_limit', message, held_by: { limit, unit: 'A' }, value: 'off' };
  };
}

function amperes(current_a: number): string {
  return `${Math.round(current_a * 10) / 10} A`;
}
