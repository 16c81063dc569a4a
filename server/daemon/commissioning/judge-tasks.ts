import { judgeRound, type RoundCase, type RoundJudgement } from '../../domain/commissioning/round-judgement.ts';
import type { Series } from '../../domain/commissioning/series.ts';
import { throwIfCancelled, type CancelFlag } from '../../worker/cancelling.ts';

/** A series for another thread: two arrays of numbers take a hundredth of the time of as many objects. */
export interface PackedSeries extends Omit<Series, 'points'> {
  times_s: Float64Array;
  values: Float64Array;
}

export interface PackedRound extends Omit<RoundCase, 'series'> {
  series: readonly PackedSeries[];
}

/** The findings. Their series come without points: the caller fills in those of its own `series`. */
export interface JudgedRound {
  judged: RoundJudgement;
  series: Series[];
}

export function packed({ points, ...series }: Series): PackedSeries {
  return {
    ...series,
    times_s: Float64Array.from(points, ({ time_s }) => time_s),
    values: Float64Array.from(points, ({ value }) => value),
  };
}

function unpacked({ times_s, values, ...series }: PackedSeries): Series {
  return { ...series, points: Array.from(times_s, (time_s, index) => ({ time_s, value: values[index] ?? NaN })) };
}

export const judgeTasks = {
  judge: (_own: null, round: PackedRound, flag: CancelFlag): JudgedRound => {
    const series = round.series.map(unpacked);
    const judged = judgeRound({ ...round, series }, () => throwIfCancelled(flag));
    for (const one of series) one.points = [];
    return { judged, series };
  },
};
export type JudgeTasks = typeof judgeTasks;
