import { dryRunEndpoints } from '../../contract/dry-run.ts';
import { triggerEndpoints } from '../../contract/trigger.ts';
import type { DryRunService } from '../../services/device/dry-run.ts';
import type { RuleService } from '../../services/device/rule.ts';
import { defineRoute, type Route } from '../route.ts';

interface TriggerServices {
  rules: Pick<RuleService, 'triggers'>;
  dryRuns: Pick<DryRunService, 'trigger'>;
}

/** The calls of triggers beside their settings. */
export function triggerRoutes({ rules, dryRuns }: TriggerServices): Route[] {
  return [
    defineRoute(triggerEndpoints.listLive, () => ({ triggers: rules.triggers() })),
    defineRoute(dryRunEndpoints.trigger, ({ body, signal }) => dryRuns.trigger(body, signal)),
  ];
}
