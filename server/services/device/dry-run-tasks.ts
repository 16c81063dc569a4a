import {
  conditionalDryRun,
  type ConditionalDryRunAsked,
  type ConditionalDryRunFound,
} from '../../domain/control/dry-runs/conditional.ts';
import {
  functionDryRun,
  type FunctionDryRunAsked,
  type FunctionDryRunFound,
} from '../../domain/control/dry-runs/function.ts';
import {
  triggerDryRun,
  type TriggerDryRunAsked,
  type TriggerDryRunFound,
} from '../../domain/control/dry-runs/trigger.ts';

export const dryRunTasks = {
  conditional: (_own: null, asked: ConditionalDryRunAsked): ConditionalDryRunFound => conditionalDryRun(asked),
  trigger: (_own: null, asked: TriggerDryRunAsked): TriggerDryRunFound => triggerDryRun(asked),
  function: (_own: null, asked: FunctionDryRunAsked): Promise<FunctionDryRunFound> => functionDryRun(asked),
};
export type DryRunTasks = typeof dryRunTasks;
