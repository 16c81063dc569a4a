import { gapMs, type Sample } from './trend.ts';

/** The readings of one sensor, and its share in the mean of its role. */
export interface WeightedTrend {
  samples: readonly Sample[];
  weight: number;
}

/**
 * What follows from the air at each time at which one of its sensors was read: as on the server from the means of
 * temperature and humidity, in C and %. null where no sensor of a role was heard for as long as breaks a trend.
 */
export function derivedTrend(
  temperatures: readonly WeightedTrend[],
  humidities: readonly WeightedTrend[],
  formula: (temp_c: number, humidity_pct: number) => number | null,
): readonly Sample[] {
  const all = [...temperatures, ...humidities];
  const times = [...new Set(all.flatMap(({ samples }) => samples.map(({ time_ms }) => time_ms)))];
  const temp_c = meansOf(temperatures);
  const humidity_pct = meansOf(humidities);
  return times
    .toSorted((one, other) => one - other)
    .map((time_ms) => {
      const [temp, humidity] = [temp_c(time_ms), humidity_pct(time_ms)];
      return { time_ms, value: temp === null || humidity === null ? null : formula(temp, humidity) };
    });
}

/** Reads the mean of some trends at times that never go back. */
function meansOf(trends: readonly WeightedTrend[]): (time_ms: number) => number | null {
  const cursors = trends.map(({ samples, weight }) => ({ samples, weight, next: 0 }));
  return (time_ms) => {
    let [sum, weights] = [0, 0];
    for (const cursor of cursors) {
      while ((cursor.samples[cursor.next]?.time_ms ?? Infinity) <= time_ms) cursor.next += 1;
      const { value = null, time_ms: read_ms = -Infinity } = cursor.samples[cursor.next - 1] ?? {};
      if (value === null || time_ms - read_ms > gapMs) continue;
      sum += value * cursor.weight;
      weights += cursor.weight;
    }
    return weights === 0 ? null : sum / weights;
  };
}
