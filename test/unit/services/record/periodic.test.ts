import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { periodically } from '../../../../server/services/record/periodic.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('works now, after its time, and soon again where it failed, until it is ended', async () => {
  const faults: unknown[] = [];
  let done = 0;
  let isBusy = true;
  const work = (): Promise<void> => {
    done += 1;
    return isBusy ? Promise.reject(new Error('busy')) : Promise.resolve();
  };
  const end = periodically(work, { everyMs: 3_600_000, onFault: (error) => faults.push(error) });
  await vi.advanceTimersByTimeAsync(60_000);
  expect([done, faults.length]).toEqual([2, 2]);
  isBusy = false;
  await vi.advanceTimersByTimeAsync(60_000);
  expect([done, faults.length]).toEqual([3, 2]);
  await vi.advanceTimersByTimeAsync(3_599_999);
  expect(done).toBe(3);
  await vi.advanceTimersByTimeAsync(1);
  expect(done).toBe(4);
  end();
  await vi.advanceTimersByTimeAsync(7_200_000);
  expect(done).toBe(4);
});
