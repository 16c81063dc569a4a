import { trendViewEndpoints } from '../../contract/trend-view.ts';
import type { TrendViewService } from '../../services/record/trend-view.ts';
import { pageOf } from '../page.ts';
import { defineRoute, Reply, type Route } from '../route.ts';

export function trendViewRoutes(trendViews: TrendViewService): Route[] {
  return [
    defineRoute(trendViewEndpoints.list, ({ query, actor }) => {
      const { page, next_cursor } = pageOf(trendViews.list(actor), query, ({ unique_id }) => unique_id);
      return { trend_views: page, next_cursor };
    }),
    defineRoute(trendViewEndpoints.create, ({ body, actor }) => {
      const view = trendViews.create(actor, body);
      return new Reply(201, view, { Location: `/api/settings/trend_views/${view.unique_id}` });
    }),
    defineRoute(trendViewEndpoints.get, ({ params, actor }) => trendViews.get(actor, params.trend_view_id)),
    defineRoute(trendViewEndpoints.change, ({ params, body, actor }) =>
      trendViews.change(actor, params.trend_view_id, body),
    ),
    defineRoute(trendViewEndpoints.remove, ({ params, actor }) => {
      trendViews.remove(actor, params.trend_view_id);
      return { unique_id: params.trend_view_id, deleted: true as const };
    }),
  ];
}
