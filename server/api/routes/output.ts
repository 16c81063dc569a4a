import { isKept, outputEndpoints, outputKind } from '../../contract/output.ts';
import type { OutputCommander } from '../../services/device/output-command.ts';
import type { OutputService } from '../../services/device/output.ts';
import { defineRoute, Reply, type Route } from '../route.ts';
import { settingsRoutes } from './controller-settings.ts';

export interface OutputServices {
  outputs: OutputService;
  commander: OutputCommander;
}

export function outputRoutes({ outputs, commander }: OutputServices): Route[] {
  return [
    ...settingsRoutes(
      {
        ...outputKind,
        endpoints: { ...outputEndpoints, list: outputEndpoints.listSettings, get: outputEndpoints.getSettings },
      },
      () => outputs,
    ),
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
