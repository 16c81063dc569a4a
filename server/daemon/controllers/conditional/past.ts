import type { ExportRequest, MeasurementReader } from '../../../measurement/reader.ts';
import type { Clock } from '../../clock.ts';

/** The newest readings of a longer time are enough for any rule, and are all that is read. */
const most = 20_000;

interface Past {
  clock: Clock;
  reader: Pick<MeasurementReader, 'exportPage'>;
}

/** Reads what a series was in the last so many seconds; null where nobody knows it. */
export function pastReader({ clock, reader }: Past) {
  return async (series: ExportRequest['series'][number], over_s: number): Promise<[number, number][] | null> => {
    const { signal } = new AbortController();
    const toMs = clock.now() + 1;
    const readings: [number, number][] = [];
    let fromMs: number | null = toMs - 1 - over_s * 1000;
    while (fromMs !== null) {
      const page = await reader.exportPage({ series: [series], from_ms: fromMs, to_ms: toMs }, signal);
      const [values = []] = page.values;
      page.times.forEach((time, index) => {
        const value = values[index] ?? null;
        if (value !== null) readings.push([time, value]);
      });
      fromMs = page.next_ms;
    }
    return readings.slice(-most);
  };
}
