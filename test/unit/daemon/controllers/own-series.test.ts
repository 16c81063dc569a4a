import { expect, it } from 'vitest';
import { OwnSeries, type OwnSeriesHost } from '../../../../server/daemon/controllers/own-series.ts';

/** The times between stored values of a controller that ticks so often, s, however long each tick works before. */
function gapsOf({ least_s, tick_s }: { least_s: number; tick_s: number }): number[] {
  let elapsed = 0;
  const kept: number[] = [];
  const series = new OwnSeries(
    'a',
    {
      clock: { elapsed: () => elapsed, now: () => elapsed } as OwnSeriesHost['clock'],
      writer: { write: async () => undefined },
      live: { record: () => undefined, keep: ({ time_ms }) => void kept.push(time_ms), forget: () => undefined },
      channels: () => [{ measurement_id: 'b', channel: 0, name: 'Aim', measurement: 'temperature', unit: 'C' }],
    },
    { least_s, isTold: false },
  );
  for (let tick = 0; tick < 200; tick += 1) {
    elapsed = tick * tick_s * 1000 + ((tick * 7) % 20); // ms of work
    series.keep(() => 18);
  }
  return kept.slice(1).map((at, index) => Math.round((at - (kept[index] ?? 0)) / 1000));
}

it.each([
  { least_s: 60, tick_s: 30, gap_s: 60 },
  { least_s: 5, tick_s: 1, gap_s: 5 },
  { least_s: 5, tick_s: 2, gap_s: 6 },
])('stores once in $gap_s s what ticks every $tick_s s and is kept every $least_s s', ({ gap_s, ...series }) => {
  expect(new Set(gapsOf(series))).toEqual(new Set([gap_s]));
});
