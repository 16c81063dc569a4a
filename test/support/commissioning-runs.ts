import type { CheckItem, CommissioningCheck } from '../../server/contract/commissioning.ts';
import { commissioningBench, type Place } from './commissioning-bench.ts';
import { faultyDevices, type HouseFault } from './commissioning-faults.ts';

/** One check of a simulated house at a moment, with noise of its own. */
export interface RunPlan {
  fault: HouseFault | null;
  now: number;
  seed: number;
  period_s: number;
  place?: Place;
}

export interface RunResult extends RunPlan {
  check: CommissioningCheck;
  /** From begin to the last result, s. */
  length_s: number;
}

export async function runCheck(plan: RunPlan): Promise<RunResult> {
  const bench = commissioningBench({
    ...faultyDevices(plan.fault, plan),
    now: plan.now,
    ...(plan.place && { place: plan.place }),
  });
  await bench.start();
  const begun = bench.clock.elapsed();
  const check = structuredClone(await bench.run());
  const length_s = (bench.clock.elapsed() - begun) / 1000;
  await bench.stop();
  return { ...plan, check, length_s };
}

/** found: not approved by any faulty item; missed: approved. */
export type Outcome = 'found' | 'undecidable' | 'missed';

const said = new Set(['fail', 'warn', 'timeout', 'error']);
const left = new Set(['inconclusive', 'skipped']);

/** What became of the fault: found where any of its items is named, missed where all are passed. */
export function outcomeOf({ fault, check }: RunResult): Outcome | null {
  if (fault === null) return null;
  const results = check.items.filter(({ name }) => fault.faulty.includes(name)).map(({ result }) => result);
  if (results.some((one) => said.has(one))) return 'found';
  return results.some((one) => left.has(one)) ? 'undecidable' : 'missed';
}

/** Items without a fault that were failed, and those that were merely doubted. */
export function wrongedOf({ fault, check }: RunResult): { failed: CheckItem[]; doubted: CheckItem[] } {
  const sound = check.items.filter(({ name }) => !(fault?.faulty.includes(name) ?? false));
  const failed = sound.filter(({ result }) => result === 'fail' || result === 'timeout' || result === 'error');
  return { failed, doubted: sound.filter(({ result }) => result === 'warn') };
}

const hourMs = 3_600_000;
/** The middle of winter, spring, summer and autumn. */
const seasons = [Date.UTC(2026, 0, 15), Date.UTC(2026, 3, 15), Date.UTC(2026, 6, 15), Date.UTC(2026, 9, 15)] as const;

/** The n-th moment: seasons in turn, each time some other day and hour. */
export function momentOf(index: number): number {
  const season = seasons[index % seasons.length] ?? seasons[0];
  const round = Math.floor(index / seasons.length);
  return season + round * 24 * hourMs + ((index * 7 + round * 5) % 24) * hourMs;
}
