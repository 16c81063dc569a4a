import { expect, it } from 'vitest';
import type { StateMark } from '../../../server/measurement/store.ts';
import { WriteQueue, type Waiting } from '../../../server/measurement/sqlite/write-queue.ts';

/** A write of so many states, whose content nobody looks at. */
function write(count: number): Waiting {
  const state = {} as StateMark; // only counted
  return { samples: [], states: Array.from({ length: count }, () => state), resolve: () => {}, reject: () => {} };
}

function queueOf(...counts: number[]): WriteQueue {
  const queue = new WriteQueue();
  for (const count of counts) queue.add(write(count));
  return queue;
}

const sizes = (writes: Waiting[]): number[] => writes.map(({ states }) => states.length);

it.each([
  ['what fits', [3, 4, 3, 1], [3, 4, 3], 1],
  ['all', [1, 2], [1, 2], 0],
  ['a write that alone is too large', [12, 1], [12], 1],
  ['nothing of an empty queue', [], [], 0],
])('takes %s, the oldest first', (_what, waiting, taken, left) => {
  const queue = queueOf(...waiting);
  expect(sizes(queue.take(10))).toEqual(taken);
  expect(queue.count).toBe(left);
});

it('has what is put back before the rest', () => {
  const queue = queueOf(3, 4, 5);
  queue.putBack(queue.take(7));
  expect(queue.count).toBe(12);
  expect(sizes(queue.take(100))).toEqual([3, 4, 5]);
});

it('drops no more of the oldest than it must, and says how much is lost', () => {
  const queue = queueOf(3, 4, 5);
  expect([queue.dropBeyond(12), queue.dropBeyond(8), queue.count]).toEqual([0, 7, 5]);
});
