import { dryRun, type DryRunAsked, type DryRunFound } from '../../domain/control/dry-run.ts';

export const dryRunTasks = { dryRun: (_own: null, asked: DryRunAsked): DryRunFound => dryRun(asked) };
export type DryRunTasks = typeof dryRunTasks;
