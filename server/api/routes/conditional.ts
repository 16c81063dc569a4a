import { conditionalEndpoints } from '../../contract/conditional.ts';
import { statementFaults } from '../../services/device/control-judges.ts';
import type { DryRunService } from '../../services/device/dry-run.ts';
import type { RuleService } from '../../services/device/rule.ts';
import { defineRoute, type Route } from '../route.ts';

interface RuleServices {
  rules: Pick<RuleService, 'conditionals' | 'language'>;
  dryRuns: Pick<DryRunService, 'conditional'>;
}

/** The calls of conditional functions beside their settings. */
export function conditionalRoutes({ rules, dryRuns }: RuleServices): Route[] {
  return [
    defineRoute(conditionalEndpoints.listLive, () => ({ conditionals: rules.conditionals() })),
    defineRoute(conditionalEndpoints.language, () => rules.language()),
    defineRoute(conditionalEndpoints.dryRun, ({ body, signal }) => dryRuns.conditional(body, signal)),
    defineRoute(conditionalEndpoints.check, ({ body }) => ({ errors: statementFaults(body) })),
  ];
}
