import { notificationTargetEndpoints } from '../../contract/notification-target.ts';
import type { NotificationTargetService } from '../../services/notification/target.ts';
import { pageOf } from '../page.ts';
import { defineRoute, Reply, type Route } from '../route.ts';

export function notificationTargetRoutes(targets: NotificationTargetService): Route[] {
  return [
    defineRoute(notificationTargetEndpoints.list, ({ query }) => {
      const { page, next_cursor } = pageOf(targets.list(), query, ({ unique_id }) => unique_id);
      return { notification_targets: page, next_cursor };
    }),
    defineRoute(notificationTargetEndpoints.choices, () => ({ notification_targets: targets.choices() })),
    defineRoute(notificationTargetEndpoints.create, ({ body, actor }) => {
      const target = targets.create(actor, body);
      return new Reply(201, target, { Location: `/api/settings/notification_targets/${target.unique_id}` });
    }),
    defineRoute(notificationTargetEndpoints.get, ({ params }) => targets.get(params.notification_target_id)),
    defineRoute(notificationTargetEndpoints.change, ({ params, body, actor }) =>
      targets.change(actor, params.notification_target_id, body),
    ),
    defineRoute(notificationTargetEndpoints.remove, ({ params, actor }) => {
      targets.remove(actor, params.notification_target_id);
      return { unique_id: params.notification_target_id, deleted: true as const };
    }),
    defineRoute(notificationTargetEndpoints.test, ({ params, actor }) =>
      targets.test(actor, params.notification_target_id),
    ),
  ];
}
