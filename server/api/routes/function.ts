import { functionEndpoints } from '../../contract/function.ts';
import type { FunctionService } from '../../services/device/function.ts';
import { defineRoute, type Route } from '../route.ts';

/** What functions have beside their settings. */
export function functionRoutes(functions: FunctionService): Route[] {
  return [
    defineRoute(functionEndpoints.kinds, () => ({ kinds: functions.kinds() })),
    defineRoute(functionEndpoints.listLive, () => ({ functions: functions.list() })),
    defineRoute(functionEndpoints.command, ({ params, body, actor }) =>
      functions.command(actor, params.function_id, body),
    ),
  ];
}
