import { logEndpoints } from '../../contract/log.ts';
import type { LogService } from '../../services/record/log.ts';
import { defineRoute, type Route } from '../route.ts';

export function logRoutes(logs: LogService): Route[] {
  return [defineRoute(logEndpoints.list, ({ query }) => logs.list(query))];
}
