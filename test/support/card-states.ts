import { holdingRules, overrideEnds, type OutputChannelState } from '../../server/contract/output.ts';

type State = Partial<OutputChannelState>;

/** All that the card of an actuator can say, by name; with words as long as people and devices write them. */
export function cardStates(nowMs: number): ReadonlyMap<string, State> {
  const at = (after_s: number): string => new Date(nowMs + after_s * 1_000).toISOString();
  const reason = 'the hinge is greased, and the neighbour looks after the boiler until the evening';
  const byHand: State = { source: 'manual', actor: 'grower', reason };
  const kept = { value: 'on', source: 'manual', actor: 'grower', reason, until: at(600) } as const;
  const demand = { ...kept, source: 'automatic', actor: 'Tomato', until: null } as const;
  const ended = { actor: 'grower', released_by: 'kim', value: 'on', override_until: at(-60), reason } as const;
  const override: State = { ...byHand, state: 'on', until: at(3_600), override_until: at(3_600) };
  return new Map<string, State>([
    ['unknown', { state: null, quality: 'unknown' }],
    ['sent', { pending: true, wanted: 'on' }],
    ['set by hand', { ...byHand, state: 'on', changed_at: at(-90) }],
    ['set by hand for a while', { ...byHand, state: 'on', until: at(90), changed_at: at(-90) }],
    ['overridden', override],
    ['overridden against a program', { ...override, wanted: 'off', kept: demand }],
    ['by a commissioning check', { source: 'commissioning', actor: 'grower', state: 'on', kept: demand }],
    ['that cannot answer', { state: 'on', quality: 'commanded' }],
    ['of a motor on its way', { state: 40, moves_to: 80, drift_pct: 4.5, quality: 'commanded' }],
    ['of a duty cycle', { state: 40, contact: 'on', changed_at: at(-90) }],
    ['that rests', { off_until: at(90) }],
    ...holdingRules.map((rule): [string, State] => [
      `held by ${rule}`,
      { source: 'safety', rule, held_by: { name: 'Heater and roof vent of the second bay' }, wanted: 'on', kept },
    ]),
    ...overrideEnds.map((ended_by): [string, State] => [
      `whose override ended: ${ended_by}`,
      { ...byHand, override_ended: { ...ended, ended_by, ended_at: at(-60) } },
    ]),
    ['of which all is told', { ...override, rule: 'stale', wanted: 'on', kept, off_until: at(90) }],
  ]);
}
