import type { Condition } from '../../../contract/conditional.ts';
import { takenOf } from '../../../domain/control/conditional.ts';
import type { Value } from '../../../domain/expression/operations.ts';
import { isOn } from '../../../contract/output-state.ts';
import type { LiveValues } from '../../events/live-values.ts';
import type { Outputs } from '../output/outputs.ts';

/** What conditions are read from. */
export interface ConditionSite {
  live: Pick<LiveValues, 'last'>;
  outputs: Pick<Outputs, 'stateOf'>;
  /** Good readings of the last `over_s` seconds, oldest first; null when the series is unknown. */
  past: (
    series: { device_id: string; measurement_id: string },
    over_s: number,
  ) => Promise<[time_ms: number, value: number][] | null>;
  /** Whether a controller runs without a fault; null when its status is unknown. */
  isWell: (controllerId: string) => boolean | null;
}

/** The current value of a condition; null when it is missing. */
export async function conditionValue(one: Condition, site: ConditionSite): Promise<Value> {
  switch (one.kind) {
    case 'measurement': {
      const last = site.live.last(one.device_id, one.measurement_id, one.max_age_s);
      return last?.quality === 'good' ? last.value : null;
    }
    case 'past':
      return takenOf(one.take, (await site.past(one, one.over_s))?.map(([, value]) => value) ?? []);
    case 'dict':
      return (await site.past(one, one.over_s))?.map(([, value]) => value) ?? null;
    case 'controller':
      return site.isWell(one.controller_id);
    default:
      return outputValue(one, site);
  }
}

/** The unit of a condition's number; null when it has none or is not known yet. */
export function conditionUnit(one: Condition, { live }: Pick<ConditionSite, 'live'>): string | null {
  if (one.kind === 'output_duty') return '%';
  if (one.kind === 'output_on_s') return 's';
  const isRead = one.kind === 'measurement' || (one.kind === 'past' && one.take !== 'count');
  if (!isRead) return null;
  return live.last(one.device_id, one.measurement_id)?.unit ?? null;
}

function outputValue(one: Extract<Condition, { output_id: string }>, { outputs }: ConditionSite): Value {
  const state = outputs.stateOf({ output_id: one.output_id, channel: one.channel });
  if (state === undefined || state.state === null) return null;
  if (one.kind === 'output_state') return isOn(state.state);
  if (one.kind === 'output_on_s') return state.on_seconds;
  return typeof state.state === 'number' ? state.state : isOn(state.state) ? 100 : 0;
}
