import type { Series } from '../../domain/commissioning/series.ts';
import type { Conditioning } from './conditioning.ts';
import type { QueuedRound } from './round-queue.ts';
import { roundLength_s, type SwitchingRound } from './switching-round.ts';

/** Bringing everything back after a round, and judging it, s. */
const ending_s = 12;

interface Ahead {
  /** Until the sensors were watched long enough, s; 0 where they were. */
  watching_s: number;
  round: Pick<SwitchingRound, 'left_s'> | undefined;
  waiting: readonly QueuedRound[];
  conditioning: Pick<Conditioning, 'left_s' | 'pauseBefore_s'>;
  series: readonly Series[];
}

/** Until all that is planned is tested, s. */
export function left_s({ watching_s, round, waiting, conditioning, series }: Ahead): number {
  const now_s = round === undefined ? conditioning.left_s : round.left_s + ending_s;
  const later_s = waiting.map((one) => conditioning.pauseBefore_s(one.kind) + roundLength_s(one, series) + ending_s);
  return Math.max(0, watching_s) + later_s.reduce((sum, one) => sum + one, now_s);
}
