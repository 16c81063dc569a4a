import { expect, it } from 'vitest';
import { Pace } from '../../../server/api/pace.ts';

function paced() {
  let now = 1_000_000;
  const pace = new Pace({ perSecond: 10, atOnce: 3, longestMs: 500, now_ms: () => now });
  return { pace, pass: (ms: number) => (now += ms) };
}

it('lets so many through at once, then so many a second, each name for itself', () => {
  const { pace, pass } = paced();
  const take = (count: number, name = 'a') => Array.from({ length: count }, () => pace.take(name));
  expect(take(5)).toEqual([0, 0, 0, 100, 200]);
  expect(take(1, 'b')).toEqual([0]);
  pass(300);
  expect(take(2)).toEqual([0, 100]);
  pass(10_000);
  expect(take(4)).toEqual([0, 0, 0, 100]);
});

it('has nobody wait longer than the longest, however many ask', () => {
  const { pace, pass } = paced();
  for (let i = 0; i < 1_000; i += 1) expect(pace.take('a')).toBeLessThanOrEqual(500);
  pass(500 + 300);
  expect(pace.take('a')).toBe(0);
});

it('forgets names that were quiet, and none that still has to wait', () => {
  const { pace, pass } = paced();
  for (let i = 0; i < 10_000; i += 1) pace.take(`quiet ${i}`);
  pass(2_000);
  for (let i = 0; i < 5; i += 1) pace.take('busy');
  expect(pace.size).toBe(1);
  expect(pace.take('busy')).toBe(300);
});
