import type { AlarmCondition } from '../../contract/alarm.ts';
import type { alarmMethods } from '../../contract/remote/alarm.ts';
import { RemoteFailure } from '../../contract/remote/failure.ts';
import type { RemoteCall } from '../../remote/method.ts';
import type { Alarms } from '../alarms/alarms.ts';
import { actorOf, isServer } from './access.ts';
import type { HandlersOf } from './handlers.ts';

/** Reported by programs other than the service; neither clears what the other reported. */
function isCustom({ code }: AlarmCondition): boolean {
  return code === 'custom';
}

/** Worked out by the service from a facility; the daemon knows by itself when outputs are held. */
function isOfService({ code }: AlarmCondition): boolean {
  return code !== 'custom' && code !== 'safety_gate';
}

/** The actor, as far as the caller may name one, and the note. */
function told({ actor, note }: { actor: string | null; note: string | null }, call: RemoteCall) {
  return { actor: actorOf(call, actor), note };
}

export function alarmHandlers(alarms: Alarms): HandlersOf<typeof alarmMethods> {
  return {
    alarm_acknowledge: ({ alarm_id, ...by }, call) => alarms.acknowledge(alarm_id, told(by, call)),
    alarm_shelve: ({ alarm_id, duration_s, ...by }, call) => alarms.shelve(alarm_id, duration_s, told(by, call)),
    alarm_unshelve: ({ alarm_id, ...by }, call) => alarms.unshelve(alarm_id, told(by, call)),
    alarm_remove_from_service: ({ alarm_id, ...by }, call) => alarms.removeFromService(alarm_id, told(by, call)),
    alarm_return_to_service: ({ alarm_id, ...by }, call) => alarms.returnToService(alarm_id, told(by, call)),
    alarm_report: ({ source_id, conditions }, call) => {
      const isService = isServer(call);
      if (!isService && !conditions.every(isCustom)) {
        throw new RemoteFailure('invalid_argument', 'conditions: programs report conditions of the code custom');
      }
      alarms.report(
        source_id,
        conditions.filter((condition) => condition.source_id === source_id),
        isService ? isOfService : isCustom,
      );
      return 'success';
    },
  };
}
