import { describe, expect, it } from 'vitest';
import type { Aggregated } from '../../../../../server/contract/measurement-query.ts';
import { mostPoints } from '../../../../../server/contract/measurement-query.ts';
import { meanOf, sumOf } from '../../../../../renderer/features/trends/legend.ts';
import { presets } from '../../../../../renderer/features/trends/span.ts';
import { bucketFor, seriesOf } from '../../../../../renderer/features/trends/trend-series.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const lengthsMs = {
  minute: minuteMs,
  quarter: 15 * minuteMs,
  hour: hourMs,
  day: 24 * hourMs,
  week: 168 * hourMs,
};

function answered(unit: string, mean: (number | null)[]): Aggregated {
  const edge = (by: number) => mean.map((value) => (value === null ? null : value + by));
  const series = { device_id: 'a', measurement_id: 'b', channel: 0, unit, mean, min: edge(-1), max: edge(1) };
  return { bucket: 'minute', time_zone: 'UTC', times: mean.map((_, at) => at * minuteMs), series: [series] };
}

describe('a span in buckets', () => {
  it('has no more of them than a series may have points', () => {
    for (const { past_s } of presets) {
      const { bucket, width_ms } = bucketFor({ from_ms: 0, to_ms: past_s * 1000 });
      if (bucket === null || bucket === 'month') continue;
      expect(width_ms).toBe(lengthsMs[bucket]);
      expect((past_s * 1000) / lengthsMs[bucket]).toBeLessThan(mostPoints);
    }
    expect(bucketFor({ from_ms: 0, to_ms: hourMs }).bucket).toBeNull();
  });

  it('is drawn through where the sensor is slower than a bucket, and broken by a silence', () => {
    const slow = seriesOf(answered('C', [1, null, null, 2, null, null, 3]));
    expect(slow[0]?.values).toEqual([1, 2, 3]);
    const silent = seriesOf(answered('C', [1, 2, null, null, null, null, 3, 4]));
    expect(silent[0]).toMatchObject({
      times: [0, 1, 2, 6, 7].map((at) => at * minuteMs),
      values: [1, 2, null, 3, 4],
      band: { least: [0, 1, null, 2, 3], most: [2, 3, null, 4, 5] },
    });
  });

  it('has no band of directions', () => {
    expect(seriesOf(answered('deg', [350, 10]))[0]).not.toHaveProperty('band');
  });
});

describe('what a span comes to', () => {
  const flat = (value: number | null) => ({ times: [0, hourMs, 2 * hourMs], values: [value, value, value] });

  it.each([
    ['W/m2', 500, { value: 360, unit: 'J/cm2' }], // 500 W/m2 for 2 h are 3.6 MJ/m2
    ['umol/m2/s', 1000, { value: 7.2, unit: 'mol/m2' }],
    ['mm/h', 3, { value: 6, unit: 'mm' }],
    ['ppm', 800, null],
  ])('of %s at %d', (unit, value, sum) => {
    const read = sumOf({ ...flat(value), unit }, 6 * hourMs);
    if (sum === null) expect(read).toBeNull();
    else expect(read).toEqual({ value: expect.closeTo(sum.value, 9) as number, unit: sum.unit, covered: 0.5 });
  });

  it('counts no time that was not measured', () => {
    const line = { times: [0, hourMs, 2 * hourMs, 3 * hourMs], values: [10, 20, null, 90], unit: '%' };
    expect(meanOf(line)).toBe(15);
    expect(meanOf({ ...flat(null), unit: '%' })).toBeNull();
    expect(meanOf({ ...flat(90), unit: '°' })).toBeNull();
  });
});
