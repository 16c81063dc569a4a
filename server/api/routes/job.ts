import { jobEndpoints } from '../../contract/job.ts';
import type { JobRunner } from '../../services/record/job.ts';
import { defineRoute, type Route } from '../route.ts';

export function jobRoutes(jobs: JobRunner): Route[] {
  return [
    defineRoute(jobEndpoints.list, ({ actor }) => ({ jobs: jobs.list(actor) })),
    defineRoute(jobEndpoints.get, ({ params, actor }) => jobs.get(actor, params.job_id)),
    defineRoute(jobEndpoints.remove, ({ params, actor }) => jobs.remove(actor, params.job_id)),
  ];
}
