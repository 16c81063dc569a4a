import { Refusal } from '../../contract/errors.ts';
import { type Health, healthEndpoints } from '../../contract/health.ts';
import type { StorageService } from '../../services/record/storage.ts';
import { defineRoute, type Route } from '../route.ts';

/** `isUp`: requests are served and the daemon answers. */
export function healthRoutes(isUp: () => boolean, storage: Pick<StorageService, 'problems'>): Route[] {
  return [
    defineRoute(healthEndpoints.health, (): Health => {
      if (!isUp()) {
        throw new Refusal('not_available', 'the control daemon does not answer', { headers: { 'Retry-After': '1' } });
      }
      const problems = storage.problems();
      return problems.length === 0 ? { status: 'up' } : { status: 'degraded', problems };
    }),
  ];
}
