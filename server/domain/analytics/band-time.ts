import { covered_s, type Step } from './step.ts';

/** Seconds below a band, in it (limits included) and above it. */
export interface BandTime {
  below_s: number;
  in_band_s: number;
  above_s: number;
}

export function bandTime(steps: readonly Step[], { low, high }: { low: number; high: number }): BandTime {
  const where = Map.groupBy(steps, ({ value }) => (value < low ? 'below' : value > high ? 'above' : 'in'));
  const seconds = (name: 'below' | 'in' | 'above'): number => covered_s(where.get(name) ?? []);
  return { below_s: seconds('below'), in_band_s: seconds('in'), above_s: seconds('above') };
}
