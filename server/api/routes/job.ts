import { jobEndpoints } from '../../contract/job.ts';
import type { JobRunner } from '../../services/record/job.ts';
import { pageOf } from '../page.ts';
import { defineRoute, type Route } from '../route.ts';

export function jobRoutes(jobs: JobRunner): Route[] {
  return [
    defineRoute(jobEndpoints.list, ({ query, actor }) => {
      const { page, next_cursor } = pageOf(jobs.list(actor), query, ({ job_id }) => job_id);
      return { jobs: page, next_cursor };
    }),
    defineRoute(jobEndpoints.get, ({ params, actor }) => jobs.get(actor, params.job_id)),
    defineRoute(jobEndpoints.remove, ({ params, actor }) => jobs.remove(actor, params.job_id)),
  ];
}
