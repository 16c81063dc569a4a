// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import type { Line } from '../../../../renderer/chart/lines.ts';
import { joined } from '../../../../renderer/chart/plot.ts';

const line = (unit: string, values: (number | null)[]): Line => ({
  key: unit,
  unit,
  look: 0,
  times: values.map((_, index) => index * 60_000),
  values,
});

describe('lines on one axis of times', () => {
  it('breaks a direction half-way where it passes north, either way round', () => {
    const [times, values] = joined([line('deg', [350, 359, 1, 10, 355])]);
    expect(times).toEqual([0, 60, 90, 120, 180, 210, 240]);
    expect(values).toEqual([350, 359, null, 1, 10, null, 355]);
  });

  it('draws a direction through where it turns less than half a circle', () => {
    expect(joined([line('deg', [10, 170, 350, null, 5])])[1]).toEqual([10, 170, 350, null, 5]);
  });

  it('leaves other lines whole, also beside a direction', () => {
    const [times, degrees, warmth] = joined([line('deg', [359, 1]), line('C', [300, 1])]);
    expect(times).toEqual([0, 30, 60]);
    expect([degrees?.[1], warmth?.[1]]).toEqual([null, undefined]); // undefined is drawn through
    expect([warmth?.[0], warmth?.[2]]).toEqual([300, 1]);
  });
});
