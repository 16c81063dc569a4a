import { dashboardEndpoints } from '../../contract/dashboard.ts';
import type { DashboardService } from '../../services/record/dashboard.ts';
import { pageOf } from '../page.ts';
import { defineRoute, Reply, type Route } from '../route.ts';

export function dashboardRoutes(dashboards: DashboardService): Route[] {
  return [
    defineRoute(dashboardEndpoints.list, ({ query, actor }) => {
      const { page, next_cursor } = pageOf(dashboards.list(actor), query, ({ unique_id }) => unique_id);
      return { dashboards: page, next_cursor };
    }),
    defineRoute(dashboardEndpoints.create, ({ body, actor }) => {
      const dashboard = dashboards.create(actor, body);
      return new Reply(201, dashboard, { Location: `/api/settings/dashboards/${dashboard.unique_id}` });
    }),
    defineRoute(dashboardEndpoints.get, ({ params, actor }) => dashboards.get(actor, params.dashboard_id)),
    defineRoute(dashboardEndpoints.change, ({ params, body, actor }) =>
      dashboards.change(actor, params.dashboard_id, body),
    ),
    defineRoute(dashboardEndpoints.remove, ({ params, actor }) => {
      dashboards.remove(actor, params.dashboard_id);
      return { unique_id: params.dashboard_id, deleted: true as const };
    }),
  ];
}
