import { z } from 'zod';
import { alarm, alarmCondition, longestShelf_s } from '../alarm.ts';
import { optional, remoteMethod, required } from './method.ts';
import { byActor, id, success } from './parameters.ts';

const alarmId = required('alarm_id', id);
/** The reason, for the journal. */
const note = optional('note', z.string().max(500).nullable(), null);
const deed = { access: 'network', parameters: [alarmId, byActor, note], answer: alarm, actsOn: 'alarm_id' } as const;

/** What people do to alarms (failures: `not_found`, `conflict`), and the faults that the server finds in facilities. */
export const alarmMethods = {
  alarm_acknowledge: remoteMethod({ ...deed, does: 'say that an alarm was seen' }),
  alarm_shelve: remoteMethod({
    ...deed,
    does: 'silence an alarm for 60 to 604800 s; then it comes back by itself',
    parameters: [alarmId, required('duration_s', z.number().min(60).max(longestShelf_s)), byActor, note],
  }),
  alarm_unshelve: remoteMethod({ ...deed, does: 'end that silence' }),
  alarm_remove_from_service: remoteMethod({ ...deed, does: 'take an alarm out of service' }),
  alarm_return_to_service: remoteMethod({ ...deed, does: 'put an alarm back into service' }),
  alarm_report: remoteMethod({
    does: 'tell all that is wrong with a source now; what is not named is no longer so',
    access: 'loopback',
    parameters: [required('source_id', id), required('conditions', z.array(alarmCondition).max(1_000).readonly())],
    answer: success,
  }),
};
