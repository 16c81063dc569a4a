import { commissioningEndpoints } from '../../contract/commissioning-endpoints.ts';
import type { CommissioningService } from '../../services/commissioning/commissioning.ts';
import { reportPolicy } from '../../services/commissioning/report.ts';
import { pageOf } from '../page.ts';
import { defineRoute, Reply, type Route } from '../route.ts';

export function commissioningRoutes(commissioning: CommissioningService): Route[] {
  return [
    defineRoute(commissioningEndpoints.start, async ({ params, body, actor }) => {
      const { check_id } = await commissioning.start(actor, params.facility_uuid, body.include);
      const location = `/api/geo/facility/${params.facility_uuid}/commissioning/${check_id}`;
      return new Reply(201, { check_id, status: 'running' as const }, { Location: location });
    }),
    defineRoute(commissioningEndpoints.plan, ({ params }) => commissioning.plan(params.facility_uuid)),
    defineRoute(commissioningEndpoints.list, async ({ params, query }) => {
      const { page, next_cursor } = pageOf(
        await commissioning.list(params.facility_uuid),
        query,
        ({ check_id }) => check_id,
      );
      return { checks: page, next_cursor };
    }),
    defineRoute(commissioningEndpoints.get, ({ params }) => commissioning.get(params)),
    defineRoute(commissioningEndpoints.abort, ({ params, actor }) => commissioning.abort(actor, params)),
    defineRoute(commissioningEndpoints.retest, ({ params, actor }) => commissioning.retest(actor, params)),
    defineRoute(commissioningEndpoints.reopen, ({ params, body, actor }) =>
      commissioning.reopen(actor, params, body.reason),
    ),
    defineRoute(commissioningEndpoints.verdict, ({ params, body, actor }) =>
      commissioning.verdict(actor, params, body),
    ),
    defineRoute(commissioningEndpoints.accuracy, ({ params, body, actor }) =>
      commissioning.holdAgainst(actor, params, body),
    ),
    defineRoute(commissioningEndpoints.report, async ({ params, query }) => {
      const page = await commissioning.report(params, query.language ?? 'en');
      return new Reply(200, page, { 'Content-Security-Policy': reportPolicy });
    }),
    defineRoute(commissioningEndpoints.reportJson, async ({ params }) => {
      const name = `commissioning-${params.check_id}.json`;
      const headers = { 'Content-Disposition': `attachment; filename="${name}"` };
      return new Reply(200, await commissioning.reportJson(params), headers);
    }),
  ];
}
