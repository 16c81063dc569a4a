import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Turnstile } from '../../../server/remote/turnstile.ts';

it('lets the first through at once, then one with each turn of the loop, in order', async () => {
  const turns = new Turnstile();
  const passed: number[] = [];
  for (const name of [1, 2, 3]) void turns.pass().then(() => passed.push(name));
  await Promise.resolve();
  expect(passed).toEqual([1]);
  await setImmediate();
  expect(passed).toEqual([1, 2]);
  await setImmediate();
  expect(passed).toEqual([1, 2, 3]);
});

it('is open again when nobody waits', async () => {
  const turns = new Turnstile();
  await turns.pass();
  await setImmediate();
  let isThrough = false;
  void turns.pass().then(() => (isThrough = true));
  await Promise.resolve();
  expect(isThrough).toBe(true);
});
