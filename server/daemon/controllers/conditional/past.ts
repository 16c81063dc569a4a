import type { ExportRequest, MeasurementReader } from '../../../measurement/reader.ts';
import type { Clock } from '../../clock.ts';

/** The newest readings that are read for a condition; enough for any rule. */
const most = 20_000;

interface Past {
  clock: Clock;
  reader: Pick<MeasurementReader, 'exportPage'>;
}

/** Reads a series over the last `over_s` seconds; null when it is unknown. */
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
