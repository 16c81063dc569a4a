import type { CommissioningCheck } from '../../../server/contract/commissioning.ts';

/** Until the sensors alone have been heard long enough, s. */
const baseline_s = 30;
/** What an actuator takes as a rule, s; houses with much to settle take more. */
const usual_s = 45;
/** Fewer that are tested say nothing of the pace of this house. */
const enoughTested = 2;

type Timed = Pick<CommissioningCheck, 'status' | 'phase' | 'started_at'> & {
  items: readonly Pick<CommissioningCheck['items'][number], 'kind' | 'result'>[];
};

/** Minutes that a running check will take still, by its own pace so far; null where it does not run or nothing is left to drive. */
export function minutesLeft({ status, phase, started_at, items }: Timed, nowMs: number): number | null {
  const actuators = items.filter(({ kind }) => kind === 'actuator');
  const left = actuators.filter(({ result }) => result === 'pending' || result === 'running').length;
  if (status !== 'running' || left === 0) return null;
  const tested = actuators.length - left;
  const driven_s = (nowMs - Date.parse(started_at)) / 1000 - baseline_s;
  const each_s = tested >= enoughTested && driven_s > 0 ? driven_s / tested : usual_s;
  const left_s = left * each_s + (phase === 'sensors' ? baseline_s : 0);
  return Math.max(1, Math.ceil(left_s / 60));
}
