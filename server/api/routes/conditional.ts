import { conditionalEndpoints } from '../../contract/conditional.ts';
import { statementFaults } from '../../services/device/control-judges.ts';
import type { RuleService } from '../../services/device/rule.ts';
import { defineRoute, type Route } from '../route.ts';

/** What conditional functions have beside their settings. */
export function conditionalRoutes(rules: Pick<RuleService, 'conditionals' | 'language'>): Route[] {
  return [
    defineRoute(conditionalEndpoints.listLive, () => ({ conditionals: rules.conditionals() })),
    defineRoute(conditionalEndpoints.language, () => rules.language()),
    defineRoute(conditionalEndpoints.check, ({ body }) => ({ errors: statementFaults(body) })),
  ];
}
