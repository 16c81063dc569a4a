import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { yOf } from '../../../../../renderer/features/control/daily-points.ts';
import {
  continued,
  marksOf,
  spanMoved,
  spanPath,
  spanPoints,
  stepOf,
  stretchOf,
  timeAtX,
  xAtTime,
} from '../../../../../renderer/features/control/span-points.ts';
import type { Timeline } from '../../../../../renderer/features/control/timeline.ts';

const hourMs = 3_600_000;
const timeline: Timeline = {
  least_ms: 0,
  timeOf: ({ after_s }) => (typeof after_s === 'number' ? after_s * 1_000 : null),
  fieldsAt: (atMs) => ({ after_s: atMs / 1_000 }),
  snapped: (atMs, stepMs) => Math.round(atMs / stepMs) * stepMs,
  text: String,
  mark: String,
};
const run = [
  { after_s: 0, value: 30 },
  { value: 40 },
  { after_s: 12 * 3_600, value: 45 },
  { after_s: 24 * 3_600, value: 35 },
];

describe('the points of a curve over time', () => {
  it('are those that have a time and a value, and know their entry', () => {
    expect(spanPoints(run, timeline).map(({ index }) => index)).toEqual([0, 2, 3]);
  });

  it('are found where they are drawn', () => {
    const stretch = { from_ms: 0, to_ms: 27 * hourMs };
    fc.assert(
      fc.property(fc.integer({ min: 0, max: stretch.to_ms }), (atMs) => {
        expect(timeAtX(xAtTime(atMs, stretch), stretch)).toBeCloseTo(atMs, 3);
      }),
    );
    expect([timeAtX(-500, stretch), timeAtX(5_000, stretch)]).toEqual([0, stretch.to_ms]);
  });

  it('have room behind the last, and none before the start', () => {
    const stretch = stretchOf(spanPoints(run, timeline), timeline);
    expect(stretch.from_ms).toBe(0);
    expect(stretch.to_ms).toBeGreaterThan(24 * hourMs);
    expect(stepOf(stretch)).toBe(5 * 60_000);
    expect([stepOf({ from_ms: 0, to_ms: 240 * hourMs }), stepOf({ from_ms: 0, to_ms: 4_800 * hourMs })]).toEqual([
      hourMs,
      24 * hourMs,
    ]);
  });

  it('stay in their order wherever one is dragged', () => {
    const stepMs = hourMs;
    fc.assert(
      fc.property(fc.integer({ min: -50, max: 50 }), fc.constantFrom(0, 2, 3), (hours, index) => {
        const moved = spanMoved(run, { index, at_ms: hours * hourMs, value: 20 }, { timeline, step_ms: stepMs });
        const times = spanPoints(moved, timeline).map(({ at_ms }) => at_ms);
        expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
        expect(Math.min(...times)).toBeGreaterThanOrEqual(0);
        expect(moved[index]).toMatchObject({ value: 20 });
      }),
    );
  });

  it('move in height alone where the ones beside leave no room', () => {
    const close = [0, 60, 120].map((after_s) => ({ after_s, value: 1 }));
    expect(spanMoved(close, { index: 1, at_ms: 0, value: 5 }, { timeline, step_ms: hourMs })[1]).toEqual({
      after_s: 60,
      value: 5,
    });
  });

  it('go on behind the last where one is added, and stay where one is emptied', () => {
    expect(continued([...run, {}], timeline).at(-1)).toEqual({ after_s: 36 * 3_600, value: 35 });
    expect(continued([{ after_s: 0, value: 3 }, {}], timeline).at(-1)).toEqual({ after_s: 86_400, value: 3 });
    expect(continued(run, timeline)).toEqual(run);
  });

  it('are joined by lines or steps, and the last one holds', () => {
    const [stretch, range] = [
      { from_ms: 0, to_ms: 30 * hourMs },
      { least: 0, most: 50 },
    ];
    const points = spanPoints(run, timeline);
    const heights = spanPath(points, stretch, range, 'step').match(/(?<=[V,])[\d.]+/g);
    expect(heights).toEqual([30, 45, 35].map((value) => yOf(value, range).toFixed(1)));
    expect(spanPath(points, stretch, range, 'linear').match(/L/g)).toHaveLength(2);
    expect(spanPath(points, stretch, range, 'linear')).toMatch(/H460\.0$/);
    expect(spanPath([], stretch, range, 'linear')).toBe('');
  });

  it('stand above an axis of a few marks within it, whatever its length', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20_000 }), (hours) => {
        const { at_ms } = marksOf({ from_ms: 0, to_ms: hours * hourMs }, timeline);
        expect(at_ms.length).toBeGreaterThan(1);
        expect(at_ms.length).toBeLessThan(8);
        expect(at_ms.every((at) => at >= 0 && at <= hours * hourMs)).toBe(true);
      }),
    );
  });
});
