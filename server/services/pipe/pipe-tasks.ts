import { PlanError, planPipes, type PipeLayout, type PlanTask } from '../../domain/pipes/plan.ts';
import { throwIfCancelled, type CancelFlag } from '../../worker/cancelling.ts';

/** Counts how many thousandths of the work are done, on shared memory. */
export type Progress = Int32Array<SharedArrayBuffer>;

/** What came of it; devices that cannot be joined are named, which an error that crosses threads could not do. */
export type PlanOutcome = { layout: PipeLayout } | Pick<PlanError, 'code' | 'message' | 'device_ids'>;

export const pipeTasks = {
  plan: (_own: null, task: PlanTask, progress: Progress, cancelled?: CancelFlag): PlanOutcome => {
    let done = 0;
    const step = (more = 0): void => {
      done += more;
      Atomics.store(progress, 0, Math.min(1000, Math.floor((1000 * done) / task.stations.length)));
      throwIfCancelled(cancelled);
    };
    try {
      return { layout: planPipes(task, step) };
    } catch (error) {
      if (!(error instanceof PlanError)) throw error;
      const { code, message, device_ids } = error;
      return { code, message, device_ids };
    }
  },
};
export type PipeTasks = typeof pipeTasks;
