import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { finestRatio, Pace } from '../../../../../renderer/scene/stage/pace.ts';

let now = 0;
let isDrawing = false;
let ratios: number[] = [];
let pace: Pace;

beforeEach(() => {
  vi.useFakeTimers();
  now = 1_000;
  isDrawing = false;
  ratios = [];
  pace = new Pace({
    setRatio: (ratio) => ratios.push(ratio),
    draw: () => undefined,
    isDrawing: () => isDrawing,
  });
});
afterEach(() => {
  pace.stop();
  vi.useRealTimers();
});

/** Frames of a house that is turned by a key which is held. */
function turn(frames: number, tookMs: number): void {
  for (let at = 0; at < frames; at += 1) {
    pace.step();
    isDrawing = true;
    vi.advanceTimersByTime(tookMs);
    now += tookMs;
    isDrawing = false;
    pace.drawn(now);
  }
}

const rest = (): unknown => vi.advanceTimersByTime(200);

it.each([20, 33, 100, 300, 900])('is coarser, as far as it may be, where each frame takes %i ms', (tookMs) => {
  turn(60, tookMs);
  expect(ratios.at(-1)).toBe(0.4);
  expect(ratios).toEqual([...ratios].sort((a, b) => b - a));
});

it('stays fine where frames come with those of the screen, and is fine at rest', () => {
  turn(60, 16);
  expect(ratios).toEqual([]);
  turn(60, 33);
  rest();
  expect(ratios.at(-1)).toBe(1);
});

it('begins a motion a step finer than the one before ended', () => {
  turn(60, 33);
  rest();
  for (const wanted of [0.5, 0.625]) {
    turn(1, 16);
    expect(ratios.at(-1)).toBeCloseTo(wanted);
    rest();
  }
});

it('takes a hand that paused for no slow frame', () => {
  turn(10, 16);
  now += 5_000;
  turn(10, 16);
  expect(ratios).toEqual([]);
});

it('has all its pixels at once where a picture is taken, and goes on as coarse as it was', () => {
  turn(60, 33);
  pace.rest();
  expect(ratios.at(-1)).toBe(1);
  turn(1, 16);
  expect(ratios.at(-1)).toBeCloseTo(0.5);
});

it.each([
  ['a window', 800 * 600, 1, 2],
  ['a window of a fine screen', 800 * 600, 3, 4],
  ['a screen of 4K', 3840 * 2160, 1, 1],
  ['a fine screen of 5K', 2560 * 1440, 2, 2],
])('has in %s no fewer pixels at rest than the screen', (_what, area_px, screenRatio, ratio) => {
  expect(finestRatio(area_px, screenRatio)).toBe(ratio);
});

it('needs few frames to become as coarse as a much slower machine asks', () => {
  pace.setMost(2);
  turn(4, 90);
  expect(ratios.at(-1)).toBe(0.4);
});
