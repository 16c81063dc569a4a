// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Line } from '../../../../renderer/chart/lines.ts';
import { joined, makePlot, resize } from '../../../../renderer/chart/plot.ts';
import { recordCanvases } from '../../../support/recorded-canvas.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

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

it('draws a year of eight channels in eight lanes, each a mean within its band', async () => {
  vi.stubGlobal('matchMedia', () => new EventTarget());
  const drawn = recordCanvases();
  const days = Array.from({ length: 365 }, (_, day) => day);
  const wave = (about: number) => days.map((day) => about + Math.sin(day / 58));
  const lines = days.slice(0, 8).map((at): Line => ({
    key: `channel ${at}`,
    unit: `unit ${at}`,
    look: at,
    times: days.map((day) => day * 86_400_000),
    values: wave(100 * at),
    band: { least: wave(100 * at - 3), most: wave(100 * at + 4) },
  }));
  const target = document.createElement('div');
  vi.spyOn(target, 'clientWidth', 'get').mockReturnValue(800);
  vi.spyOn(target, 'clientHeight', 'get').mockReturnValue(816);
  const looks = { isDark: false, ink: 'ink', grid: 'grid', night: 'night', ground: 'ground', font: '12px sans' };
  const plot = makePlot(target, lines, {
    looks,
    place: null,
    timeZone: 'UTC',
    language: 'en',
    pointer: undefined,
    chosen: vi.fn<() => void>(),
    pointed: vi.fn<() => void>(),
    drawn: vi.fn<() => void>(),
  });
  await Promise.resolve(); // when the plot is drawn
  const titles = drawn.filter(({ name, args }) => name === 'fillText' && String(args[0]).startsWith('unit'));
  expect(new Set(titles.map(({ args }) => args[0])).size).toBe(8);
  const bands = drawn.filter(({ name, fill }) => name === 'fill' && String(fill).endsWith('40'));
  expect(bands).toHaveLength(8);
  const lane_px = plot.bbox.height / 8;
  for (const [at, { unit, values, band }] of lines.entries()) {
    const top = (value: number | null | undefined): number => plot.valToPos(value ?? NaN, unit, true) - plot.bbox.top;
    for (const day of days) {
      const [most, mean, least] = [top(band?.most[day]), top(values[day]), top(band?.least[day])];
      expect(most).toBeGreaterThan(at * lane_px + 20); // below the title
      expect(mean - most).toBeGreaterThan(5);
      expect(least - mean).toBeGreaterThan(5);
      expect(least).toBeLessThan((at + 1) * lane_px);
    }
  }
  resize(plot, { width: 800, height: 560 }); // the title takes more of a lower lane
  await Promise.resolve();
  for (const [at, { unit, band }] of lines.entries()) {
    const tops = days.map((day) => plot.valToPos(band?.most[day] ?? NaN, unit, true) - plot.bbox.top);
    expect(Math.min(...tops)).toBeGreaterThan((at * plot.bbox.height) / 8 + 20);
  }
  plot.destroy();
});
