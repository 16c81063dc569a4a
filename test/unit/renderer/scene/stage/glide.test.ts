import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Glide } from '../../../../../renderer/scene/stage/glide.ts';
import { Pace } from '../../../../../renderer/scene/stage/pace.ts';

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => Number(setTimeout(run, 16)));
  vi.stubGlobal('cancelAnimationFrame', (step: number) => clearTimeout(step));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function setUp() {
  const ratios: number[] = [];
  const pace = new Pace({ setRatio: (ratio) => ratios.push(ratio), draw: () => undefined, isDrawing: () => false });
  const shares: number[] = [];
  const glide = new Glide(pace);
  /** As a slow machine draws the frames of it. */
  const frames = (count: number): void => {
    for (let at = 1; at <= count; at += 1) pace.drawn(at * 100);
  };
  return { ratios, shares, frames, glide, go: (atOnce: boolean) => glide.begin((share) => shares.push(share), atOnce) };
}

it('goes all the way, slowly at both ends', () => {
  const { shares, go } = setUp();
  go(false);
  vi.advanceTimersByTime(1_000);
  expect([shares[0], shares.at(-1)]).toEqual([0, 1]);
  expect(shares).toEqual([...shares].sort((a, b) => a - b));
});

it('leaves a fine picture where it is cut short by one that is there at once', () => {
  const { ratios, shares, frames, go } = setUp();
  go(false);
  frames(20);
  expect(ratios.at(-1)).toBe(0.4);
  go(true);
  vi.advanceTimersByTime(1_000);
  expect([shares.at(-1), ratios.at(-1)]).toEqual([1, 1]);
});
