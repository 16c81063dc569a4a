import { z } from 'zod';
import type { FunctionOptions } from '../../../../contract/function.ts';
import { statisticsOf, withReading, type Part } from '../statistics.ts';
import { missing, type Law, type LawSite } from './law.ts';

const part = z.object({
  start_ms: z.number(),
  count: z.number(),
  mean: z.number(),
  squares: z.number(),
  least: z.number(),
  most: z.number(),
});
const kept = z.object({ of: z.string(), window: z.array(part) });

/**
 * Mean, minimum, maximum and deviation over a window that outlives a restart; another series or window starts afresh.
 */
export function statisticsLaw(site: LawSite): Law<FunctionOptions<'statistics'>> {
  let { of, window }: { of: string; window: Part[] } = kept.safeParse(site.kept).data ?? { of: '', window: [] };
  return {
    look: ({ measurement, window_s, period_s }, { read }) => {
      const { device_id, measurement_id } = measurement;
      const asked = `${device_id}/${measurement_id}/${window_s}`;
      if (asked !== of) [of, window] = [asked, []];
      const seen = read(measurement);
      if (seen === null) return { values: [], failure: missing };
      window = withReading(window, { at_ms: site.now(), value: seen.value, window_ms: window_s * 1000 });
      const found = statisticsOf(window);
      if (found === null) return { values: [], failure: missing };
      const { unit } = seen;
      const levels = [found.mean, found.least, found.most].map((value) => ({ value, unit }));
      const deviation = found.deviation === null ? null : { value: found.deviation, unit: unit === 'C' ? 'K' : unit };
      const sinceMs = window[0]?.start_ms ?? site.now();
      const untilMs = sinceMs + window_s * 1000;
      const isFull = untilMs - site.now() <= 2000 * period_s + window_s * 10; // its oldest part ends within two looks
      const progress = isFull ? null : ({ what: 'window', since_ms: sinceMs, until_ms: untilMs } as const);
      return { values: [...levels, deviation], progress, failure: null };
    },
    state: () => ({ of, window }),
    reset: () => void (window = []),
  };
}
