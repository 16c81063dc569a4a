import type { CheckItem, CommissioningCheck } from '../../server/contract/commissioning.ts';
import { commissioningBench, type Place } from './commissioning-bench.ts';
import { isUndecided } from '../../server/daemon/commissioning/retest.ts';
import { faultyDevices, type HouseFault } from './commissioning-faults.ts';

/** One check of a simulated house at a moment, with its own noise. */
export interface RunPlan {
  fault: HouseFault | null;
  now: number;
  seed: number;
  period_s: number;
  place?: Place;
}

export interface RunResult extends RunPlan {
  check: CommissioningCheck;
  /** From start to the last result, s. */
  length_s: number;
}

/** Results of a check: at first, tested again at once, and tested again at the hours that findings name. */
export interface FollowedRun extends RunResult {
  again: RunResult;
  later: RunResult;
}

const hourMs = 3_600_000;

/** When undecided items are tested again, by the sun of the place: in daylight, and at night. */
const betterHours = [12, 0] as const;

export async function runCheck(plan: RunPlan): Promise<RunResult> {
  const { bench, timed } = benchOf(plan);
  await bench.start();
  const result = await timed(() => bench.run());
  await bench.stop();
  return result;
}

function benchOf(plan: RunPlan) {
  const bench = commissioningBench({
    ...faultyDevices(plan.fault, plan),
    now: plan.now,
    ...(plan.place && { place: plan.place }),
  });
  const timed = async (work: () => Promise<CommissioningCheck>): Promise<RunResult> => {
    const begun = bench.clock.elapsed();
    const check = structuredClone(await work());
    return { ...plan, check, length_s: (bench.clock.elapsed() - begun) / 1000 };
  };
  return { bench, timed };
}

/** Runs a check, and tests its undecided items again. */
export async function followCheck(plan: RunPlan): Promise<FollowedRun> {
  const { bench, timed } = benchOf(plan);
  const retested = async (before: RunResult): Promise<RunResult> => {
    const { check_id } = before.check;
    if (!before.check.items.some(isUndecided)) return { ...before, length_s: 0 };
    return timed(async () => {
      await bench.engine.retest(check_id, 'kim');
      await bench.until(() => bench.engine.get(check_id).status !== 'running');
      return bench.engine.get(check_id);
    });
  };
  await bench.start();
  const first = await timed(() => bench.run());
  const again = await retested(first);
  let later = again;
  for (const time of timesOf(bench.clock.now(), plan.place?.lng ?? 0)) {
    if (outcomeOf(later) !== 'undecidable') break;
    while (bench.clock.now() < time) await bench.clock.advance(Math.min(stepMs, time - bench.clock.now()));
    later = await retested(later);
  }
  await bench.stop();
  return { ...first, again, later };
}

const stepMs = 600_000;

function timesOf(now: number, lng: number): number[] {
  const dayMs = 24 * hourMs;
  return betterHours
    .map((hour) => {
      const time = Math.floor(now / dayMs) * dayMs + ((hour - lng / 15 + 48) % 24) * hourMs;
      return time > now + hourMs / 2 ? time : time + dayMs;
    })
    .toSorted((one, other) => one - other);
}

/** found: a faulty item is named; undecidable: none is, but one is left open; missed: all faulty items pass. */
export type Outcome = 'found' | 'undecidable' | 'missed';

const said = new Set(['fail', 'warn', 'timeout', 'error']);
const left = new Set(['inconclusive', 'skipped']);

/** Result for the fault: found if any of its items is named, missed if all pass. */
export function outcomeOf({ fault, check }: RunResult): Outcome | null {
  if (fault === null) return null;
  const results = check.items.filter(({ name }) => fault.faulty.includes(name)).map(({ result }) => result);
  if (results.some((one) => said.has(one))) return 'found';
  return results.some((one) => left.has(one)) ? 'undecidable' : 'missed';
}

/** Sound items that failed, and those that were only doubted. */
export function wrongedOf({ fault, check }: RunResult): { failed: CheckItem[]; doubted: CheckItem[] } {
  const sound = check.items.filter(({ name }) => !(fault?.faulty.includes(name) ?? false));
  const failed = sound.filter(({ result }) => result === 'fail' || result === 'timeout' || result === 'error');
  return { failed, doubted: sound.filter(({ result }) => result === 'warn') };
}

/** The middle of winter, spring, summer and autumn. */
const seasons = [Date.UTC(2026, 0, 15), Date.UTC(2026, 3, 15), Date.UTC(2026, 6, 15), Date.UTC(2026, 9, 15)] as const;

/** The n-th moment: seasons in turn, each time another day and hour. */
export function momentOf(index: number): number {
  const season = seasons[index % seasons.length] ?? seasons[0];
  const round = Math.floor(index / seasons.length);
  return season + round * 24 * hourMs + ((index * 7 + round * 5) % 24) * hourMs;
}
