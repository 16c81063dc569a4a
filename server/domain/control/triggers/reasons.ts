import { amount, type Reason } from '../../../contract/reason.ts';
import type { TriggerOf } from '../../../contract/trigger.ts';
import type { Side } from './crossing.ts';

/** The triggers that a clock drives. */
export type ScheduledTrigger = TriggerOf<'sunrise_sunset' | 'time_point' | 'time_span' | 'interval'>;

/** Why a schedule acts at a due moment. */
export function scheduleReason(trigger: ScheduledTrigger, momentMs: number): Reason {
  const at = { at: new Date(momentMs).toISOString() };
  switch (trigger.kind) {
    case 'time_point':
      return { code: 'time_point', facts: { at } };
    case 'sunrise_sunset': {
      const { event, offset_min = 0 } = trigger;
      const facts = {
        event: { word: event },
        at,
        ...(offset_min !== 0 && { offset: amount(Math.abs(offset_min), 'min') }),
      };
      return { code: offset_min === 0 ? 'sun' : offset_min > 0 ? 'sun_after' : 'sun_before', facts };
    }
    case 'time_span':
    case 'interval':
      return { code: trigger.kind, facts: { period: amount(trigger.period_s, 's'), at } };
  }
}

/** A value that is now on this side of a level. */
export function crossingReason(
  side: Side,
  { value, level, unit }: { value: number; level: number; unit: string },
): Reason {
  const code = side === 'above' ? 'crossed_above' : 'crossed_below';
  return { code, facts: { value: amount(value, unit), level: amount(level, unit) } };
}

/** An output that is on or off, for a given time if there is one. */
export function lastingReason({ state, for_s = 0 }: Pick<TriggerOf<'output'>, 'state' | 'for_s'>): Reason {
  const word: Reason['facts'] = { state: { word: state } };
  return for_s === 0
    ? { code: 'output_is', facts: word }
    : { code: 'output_is_for', facts: { ...word, time: amount(for_s, 's') } };
}

/** The duty cycle by a method, limited to 0 to 100 %. */
export function dutyOfMethod(duty: number, method: string): { duty_pct: number; reason: Reason } {
  const duty_pct = Math.min(100, Math.max(0, duty));
  return { duty_pct, reason: { code: 'method_duty', facts: { method: { text: method }, duty: amount(duty, '%') } } };
}
