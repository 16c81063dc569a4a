import type { RoundCase, RoundJudgement } from '../../domain/commissioning/round-judgement.ts';
import { workerEntry } from '../../worker-entry.ts';
import { cancelFlag } from '../../worker/cancelling.ts';
import { WorkerClient } from '../../worker/client.ts';
import { packed, type JudgeTasks } from './judge-tasks.ts';

/** Judges the switching and the readings of a round. */
export interface RoundJudge {
  /** Rejects when it cannot be judged, and soon after the signal. */
  judge: (round: RoundCase, signal: AbortSignal) => Promise<RoundJudgement>;
  close: () => Promise<void>;
}

/**
 * A round of 40 devices takes a second, and the rounds of several houses wait for each other; one that takes longer
 * hangs.
 */
const timeoutMs = 60_000;

/** Judges rounds in a worker, one after the other: its regressions would delay commands. */
export class WorkerJudge implements RoundJudge {
  readonly #worker: WorkerClient<null, JudgeTasks>;

  constructor(entry = workerEntry('judge-worker', import.meta.url)) {
    this.#worker = new WorkerClient<null, JudgeTasks>({ entry, data: null, timeoutMs });
  }

  async judge(round: RoundCase, signal: AbortSignal): Promise<RoundJudgement> {
    const given = { ...round, series: round.series.map(packed) };
    const { judged, series } = await this.#worker.run('judge', given, cancelFlag(signal));
    // A series that came back is the same object everywhere in the findings.
    for (const [index, one] of series.entries()) one.points = round.series[index]?.points ?? [];
    return judged;
  }

  close(): Promise<void> {
    return this.#worker.close();
  }
}
