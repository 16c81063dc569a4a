import { refusePlainly } from '../../contract/errors.ts';
import { mostPipeDevicesAtOnce, pipeEndpoints } from '../../contract/pipe.ts';
import { pipeInpEndpoints } from '../../contract/pipe-inp.ts';
import type { PipeService } from '../../services/pipe/pipe.ts';
import type { JobRunner } from '../../services/record/job.ts';
import { checkPermission } from '../checks/permission.ts';
import { defineRoute, Reply, type Route } from '../route.ts';

export interface PipeServices {
  pipes: PipeService;
  jobs: JobRunner;
}

/** Everyone who may see a map may try pipes on it. */
const saving = { ...pipeEndpoints.generate, access: 'edit_settings' } as const;

export function pipeRoutes({ pipes, jobs }: PipeServices): Route[] {
  return [
    defineRoute(pipeEndpoints.generate, async ({ query, body, actor, signal }) => {
      if (body.save === true) checkPermission(saving, actor);
      const total = body.device_ids.length;
      if (query.async !== true) {
        if (total > mostPipeDevicesAtOnce) {
          throw refusePlainly('invalid_field', 'async', `must be true for more than ${mostPipeDevicesAtOnce} devices`);
        }
        return pipes.generate(body, actor, { signal });
      }
      const job_id = jobs.begin(actor, {
        kind: 'pipe.generate',
        total,
        run: (report, cancel) => pipes.generate(body, actor, { report, signal: cancel }),
      });
      return new Reply(201, { job_id }, { Location: `/api/jobs/${job_id}` });
    }),
    defineRoute(pipeInpEndpoints.read, ({ body, signal }) => pipes.read(body, signal)),
  ];
}
