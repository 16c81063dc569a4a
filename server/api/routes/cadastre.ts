import { cadastreEndpoints } from '../../contract/cadastre.ts';
import type { CadastreService } from '../../services/parcel/cadastre.ts';
import type { JobRunner } from '../../services/record/job.ts';
import { defineFileRoute, defineRoute, Reply, type Route } from '../route.ts';

export interface CadastreServices {
  cadastres: CadastreService;
  jobs: JobRunner;
}

export function cadastreRoutes({ cadastres, jobs }: CadastreServices): Route[] {
  return [
    defineRoute(cadastreEndpoints.list, async () => ({ cadastres: await cadastres.list() })),
    defineFileRoute(cadastreEndpoints.create, async ({ query, body, actor }) => {
      const importing = await cadastres.importing(body.file, query, actor);
      const job_id = jobs.begin(actor, { kind: 'cadastre.import', ...importing });
      return new Reply(201, { job_id }, { Location: `/api/jobs/${job_id}` });
    }),
    defineRoute(cadastreEndpoints.remove, ({ params, actor }) => cadastres.remove(params.cadastre_id, actor)),
  ];
}
