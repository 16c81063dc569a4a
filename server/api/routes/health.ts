import { Refusal } from '../../contract/errors.ts';
import { healthEndpoints } from '../../contract/health.ts';
import { defineRoute, type Route } from '../route.ts';

/** `isUp`: requests are served and the daemon answers. */
export function healthRoutes(isUp: () => boolean): Route[] {
  return [
    defineRoute(healthEndpoints.health, () => {
      if (isUp()) return { status: 'up' as const };
      throw new Refusal('not_available', 'the control daemon does not answer', { headers: { 'Retry-After': '1' } });
    }),
  ];
}
