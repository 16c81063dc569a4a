import type { AlarmCondition } from '../../contract/alarm.ts';
import type { WaitingErrand } from '../../db/repositories/errand.ts';

/** The condition that a message to a target was given up; it lasts until the target takes a message again. */
export function lostCondition(
  { target_id, errand }: WaitingErrand,
  { name, why }: { name: string | null; why: string },
): AlarmCondition {
  return {
    code: 'message_lost',
    severity: 'warning',
    source_kind: 'site',
    source_id: target_id,
    source_name: null,
    channel: null,
    role: null,
    name,
    value: null,
    limit: null,
    unit: null,
    message: `${errand.cause.name}, ${errand.action}: ${why}`.slice(0, 500),
  };
}
