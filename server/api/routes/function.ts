import { dryRunEndpoints } from '../../contract/dry-run.ts';
import { functionEndpoints } from '../../contract/function.ts';
import type { DryRunService } from '../../services/device/dry-run.ts';
import type { FunctionService } from '../../services/device/function.ts';
import { defineRoute, type Route } from '../route.ts';

interface FunctionServices {
  functions: FunctionService;
  dryRuns: Pick<DryRunService, 'function'>;
}

/** The calls of functions beside their settings. */
export function functionRoutes({ functions, dryRuns }: FunctionServices): Route[] {
  return [
    defineRoute(functionEndpoints.kinds, () => ({ kinds: functions.kinds() })),
    defineRoute(functionEndpoints.listLive, () => ({ functions: functions.list() })),
    defineRoute(functionEndpoints.command, ({ params, body, actor }) =>
      functions.command(actor, params.function_id, body),
    ),
    defineRoute(dryRunEndpoints.function, ({ body, signal }) => dryRuns.function(body, signal)),
  ];
}
