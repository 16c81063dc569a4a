import { healthEndpoints } from '../../contract/health.ts';
import { defineRoute, type Route } from '../route.ts';

/** `isUp`: requests are served and the daemon answers. */
export function healthRoutes(isUp: () => boolean): Route[] {
  return [defineRoute(healthEndpoints.health, () => ({ status: isUp() ? ('up' as const) : ('starting' as const) }))];
}
