import { alarmEndpoints } from '../../contract/alarm.ts';
import type { AlarmService } from '../../services/alarm/alarm.ts';
import { pageOf } from '../page.ts';
import { defineRoute, type Route } from '../route.ts';

export function alarmRoutes(alarms: AlarmService): Route[] {
  return [
    defineRoute(alarmEndpoints.list, ({ query }) => {
      const { page, next_cursor } = pageOf(alarms.list(query), query, ({ alarm_id }) => alarm_id);
      return { alarms: page, next_cursor };
    }),
    defineRoute(alarmEndpoints.journal, ({ query }) => alarms.journal(query)),
    defineRoute(alarmEndpoints.acknowledgeMany, ({ body, actor }) => alarms.acknowledgeMany(actor, body)),
    defineRoute(alarmEndpoints.acknowledge, ({ params, body, actor }) =>
      alarms.change('acknowledge', actor, { ...params, ...body }),
    ),
    defineRoute(alarmEndpoints.shelve, ({ params, body, actor }) => alarms.shelve(actor, params.alarm_id, body)),
    defineRoute(alarmEndpoints.unshelve, ({ params, body, actor }) =>
      alarms.change('unshelve', actor, { ...params, ...body }),
    ),
    defineRoute(alarmEndpoints.removeFromService, ({ params, body, actor }) =>
      alarms.change('remove_from_service', actor, { ...params, ...body }),
    ),
    defineRoute(alarmEndpoints.returnToService, ({ params, body, actor }) =>
      alarms.change('return_to_service', actor, { ...params, ...body }),
    ),
  ];
}
