import { conditionalEndpoints } from '../../contract/conditional.ts';
import { statementFaults } from '../../services/device/control-judges.ts';
import { defineRoute, type Route } from '../route.ts';

/** What conditional functions have beside their settings. */
export function conditionalRoutes(): Route[] {
  return [defineRoute(conditionalEndpoints.check, ({ body }) => ({ errors: statementFaults(body) }))];
}
