import { array, assert, integer, property, record } from 'fast-check';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { runInSlices, sortedInSlices } from '../../../../renderer/map/slices.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Each step takes 5 ms; `steps` counts those that were done. */
function* slow(count: number, steps: number[]): Generator<void, string> {
  for (let at = 0; at < count; at += 1) {
    vi.setSystemTime(Date.now() + 5);
    vi.advanceTimersByTime(0);
    steps.push(at);
    yield;
  }
  return 'done';
}

it('rests between slices, and ends with the result', () => {
  vi.spyOn(performance, 'now').mockImplementation(() => Date.now());
  const [steps, results]: [number[], string[]] = [[], []];
  runInSlices(slow(10, steps), (result) => results.push(result));
  expect(steps.length).toBeLessThan(4);
  vi.runAllTimers();
  expect([steps.length, results]).toEqual([10, ['done']]);
});

it('does the rest at once where that is wanted, and its end once', () => {
  vi.spyOn(performance, 'now').mockImplementation(() => Date.now());
  const [steps, results]: [number[], string[]] = [[], []];
  const work = runInSlices(slow(10, steps), (result) => results.push(result));
  work.finish();
  work.finish();
  vi.runAllTimers();
  expect([steps.length, results]).toEqual([10, ['done']]);
});

it('goes no further once it is called off', () => {
  vi.spyOn(performance, 'now').mockImplementation(() => Date.now());
  const [steps, results]: [number[], string[]] = [[], []];
  const work = runInSlices(slow(10, steps), (result) => results.push(result));
  const { length } = steps;
  work.stop();
  work.finish();
  vi.runAllTimers();
  expect([steps.length, results]).toEqual([length, []]);
});

it('rests nowhere while the page is hidden, where timers come seldom', () => {
  vi.spyOn(performance, 'now').mockImplementation(() => Date.now());
  vi.stubGlobal('document', { visibilityState: 'hidden' });
  const [steps, results]: [number[], string[]] = [[], []];
  runInSlices(slow(10, steps), (result) => results.push(result));
  expect([steps.length, results]).toEqual([10, ['done']]);
});

it('sorts as the whole is sorted, what is equal in its order', () => {
  const items = array(record({ key: integer({ min: 0, max: 50 }), at: integer() }), { maxLength: 5_000, size: 'max' });
  assert(
    property(items, (all) => {
      const compare = (a: { key: number }, b: { key: number }): number => a.key - b.key;
      let sorted: unknown;
      runInSlices(sortedInSlices(all, compare), (found) => (sorted = found)).finish();
      expect(sorted).toEqual(all.toSorted(compare));
    }),
    { numRuns: 20 },
  );
});
