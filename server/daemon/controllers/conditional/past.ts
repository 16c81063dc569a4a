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
    const to_ms = clock.now() + 1;
    const readings: [number, number][] = [];
    let from_ms: number | null = to_ms - 1 - over_s * 1000;
    while (from_ms !== null) {
      const page = await reader.exportPage({ series: [series], from_ms, to_ms }, signal);
      const [values = []] = page.values;
      page.times.forEach((time, index) => {
        const value = values[index] ?? null;
        if (value !== null) readings.push([time, value]);
      });
      from_ms = page.next_ms;
    }
    return readings.slice(-most);
  };
}
