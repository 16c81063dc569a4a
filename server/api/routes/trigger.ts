import { triggerEndpoints } from '../../contract/trigger.ts';
import type { RuleService } from '../../services/device/rule.ts';
import { defineRoute, type Route } from '../route.ts';

/** What triggers have beside their settings. */
export function triggerRoutes(rules: Pick<RuleService, 'triggers'>): Route[] {
  return [defineRoute(triggerEndpoints.listLive, () => ({ triggers: rules.triggers() }))];
}
