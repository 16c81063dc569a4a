import { z } from 'zod';
import { alarmCondition, longestShelf_s, type AlarmCondition } from '../../contract/alarm.ts';
import type { RemoteCall, RemoteMethod } from '../../remote/method.ts';
import type { Alarms } from '../alarms/alarms.ts';
import { actorOf, isServer } from './access.ts';
import { id, method } from './arguments.ts';
import { RemoteFailure } from './failure.ts';

const deed = {
  actor: z.string().max(200).nullable(),
  note: z.string().max(500).nullable(),
};
const one = z.object({ alarm_id: id, ...deed });
const parameters = ['alarm_id', { name: 'actor', default: 'pyro' }, { name: 'note', default: null }];
const duration_s = z.number().min(60).max(longestShelf_s);

/** What other programs than the service find wrong; neither takes back what the other told. */
function isCustom({ code }: AlarmCondition): boolean {
  return code === 'custom';
}

/** What the service works out of a facility; that its outputs are held the daemon knows itself. */
function isOfService({ code }: AlarmCondition): boolean {
  return code !== 'custom' && code !== 'safety_gate';
}

/** Who did it, as far as the caller may say. */
function told({ actor, note }: z.output<z.ZodObject<typeof deed>>, call: RemoteCall) {
  return { actor: actorOf(call, actor), note };
}

/** What people do to alarms, and what the server finds wrong with facilities. */
export function alarmMethods(alarms: Alarms): Record<string, RemoteMethod> {
  return {
    alarm_acknowledge: method({
      parameters,
      schema: one,
      run: ({ alarm_id, ...by }, call) => alarms.acknowledge(alarm_id, told(by, call)),
    }),
    alarm_shelve: method({
      parameters: ['alarm_id', 'duration_s', ...parameters.slice(1)],
      schema: one.extend({ duration_s }),
      run: ({ alarm_id, duration_s: seconds, ...by }, call) => alarms.shelve(alarm_id, seconds, told(by, call)),
    }),
    alarm_unshelve: method({
      parameters,
      schema: one,
      run: ({ alarm_id, ...by }, call) => alarms.unshelve(alarm_id, told(by, call)),
    }),
    alarm_remove_from_service: method({
      parameters,
      schema: one,
      run: ({ alarm_id, ...by }, call) => alarms.removeFromService(alarm_id, told(by, call)),
    }),
    alarm_return_to_service: method({
      parameters,
      schema: one,
      run: ({ alarm_id, ...by }, call) => alarms.returnToService(alarm_id, told(by, call)),
    }),
    alarm_report: method({
      parameters: ['source_id', 'conditions'],
      schema: z.object({ source_id: id, conditions: z.array(alarmCondition).max(1_000) }),
      run: async ({ source_id, conditions }, call) => {
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
    }),
  };
}
