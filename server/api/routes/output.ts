import { isKept, outputEndpoints } from '../../contract/output.ts';
import type { OutputCommander } from '../../services/device/output-command.ts';
import type { OutputService } from '../../services/device/output.ts';
import { pageOf } from '../page.ts';
import { defineRoute, Reply, type Route } from '../route.ts';

export interface OutputServices {
  outputs: OutputService;
  commander: OutputCommander;
}

export function outputRoutes({ outputs, commander }: OutputServices): Route[] {
  return [
    defineRoute(outputEndpoints.listSettings, ({ query }) => {
      const { page, next_cursor } = pageOf(outputs.list(), query, ({ unique_id }) => unique_id);
      return { outputs: page, next_cursor };
    }),
    defineRoute(outputEndpoints.create, async ({ body, actor }) => {
      const output = await outputs.create(actor, body);
      return new Reply(201, output, { Location: `/api/settings/outputs/${output.unique_id}` });
    }),
    defineRoute(outputEndpoints.getSettings, ({ params }) => outputs.get(params.output_id)),
    defineRoute(outputEndpoints.change, ({ params, body, actor }) => outputs.change(actor, params.output_id, body)),
    defineRoute(outputEndpoints.remove, async ({ params, actor }) => {
      await outputs.remove(actor, params.output_id);
      return { unique_id: params.output_id, deleted: true as const };
    }),
    defineRoute(outputEndpoints.list, () => ({ outputs: outputs.listLive() })),
    defineRoute(outputEndpoints.get, ({ params }) => outputs.getLive(params.output_id)),
    defineRoute(outputEndpoints.command, async ({ params, body, actor }) => {
      const result = await commander.command(actor, outputs.get(params.output_id), body);
      return new Reply(isKept(result) ? 202 : 200, result);
    }),
    defineRoute(outputEndpoints.releaseOverride, ({ params, query, actor }) =>
      commander.release(actor, outputs.get(params.output_id), query.channel),
    ),
  ];
}
