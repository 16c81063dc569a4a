import { exchangeRoles } from '../../../server/contract/facility-binding.ts';
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

/** What a test again takes at most, s: sensors and warming, then what is shut at once, and each vent and fan alone. */
const retestBase_s = 240;
const shut_s = 720;
const alone_s = 400;

/** Minutes that a test again of what is undecided takes as a rule. */
export function retestMinutes(
  undecided: readonly Pick<CommissioningCheck['items'][number], 'kind' | 'role'>[],
): number {
  const actuators = undecided.filter(({ kind }) => kind === 'actuator');
  const airing = actuators.filter(({ role }) => exchangeRoles.has(role)).length;
  // A sensor alone is held against two exchanges.
  const exchanges = Math.max(airing, undecided.length > actuators.length ? 2 : 0);
  const total_s = retestBase_s + (actuators.length > airing ? shut_s : 0) + exchanges * alone_s;
  return Math.ceil(total_s / 60);
}
