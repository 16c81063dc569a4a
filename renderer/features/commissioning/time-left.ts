import { exchangeRoles } from '../../../server/contract/facility-binding.ts';
import type { CheckPlan, CommissioningCheck } from '../../../server/contract/commissioning.ts';

type Timed = Pick<CommissioningCheck, 'status' | 'started_at' | 'expected_end_at'> & {
  items: readonly Pick<CommissioningCheck['items'][number], 'retests'>[];
};

/** How far a running check or test again is. */
export interface CheckTime {
  left_min: number;
  /** Of its whole time, 0 to 1. */
  share: number;
}

/** By what the daemon has planned; null where nothing runs or nothing is planned yet. */
export function checkTime({ status, started_at, expected_end_at, items }: Timed, nowMs: number): CheckTime | null {
  if (status !== 'running' || expected_end_at === undefined) return null;
  const begunMs = Math.max(
    ...[started_at, ...items.flatMap(({ retests }) => retests?.at(-1)?.at ?? [])].map(Date.parse),
  );
  const [leftMs, passedMs] = [Date.parse(expected_end_at) - nowMs, nowMs - begunMs];
  const share = passedMs / Math.max(1, passedMs + Math.max(0, leftMs));
  return { left_min: Math.max(1, Math.ceil(leftMs / 60_000)), share: Math.min(1, Math.max(0, share)) };
}

/** Minutes that a whole check takes. */
export function minutesOf({ takes_s }: CheckPlan): number {
  return Math.ceil(takes_s / 60);
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
