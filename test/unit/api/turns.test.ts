import { expect, it } from 'vitest';
import { Turns } from '../../../server/api/turns.ts';

/** Which of these have their turn now. */
async function begun(...taken: Promise<unknown>[]): Promise<boolean[]> {
  const isBegun = taken.map(() => false);
  taken.forEach((one, at) => void one.then((turn) => (isBegun[at] = turn !== null)));
  await new Promise((resolve) => setImmediate(resolve));
  return isBegun;
}

it('lets so many of one caller run, in their order, and holds up nobody else', async () => {
  const turns = new Turns({ running: 1, waiting: 2 });
  const [first, second, third, tooMany] = [turns.take('a'), turns.take('a'), turns.take('a'), turns.take('a')];
  expect(await begun(first, second, third, turns.take('b'))).toEqual([true, false, false, true]);
  expect(await tooMany).toBeNull();
  const turn = await first;
  turn?.end();
  turn?.end();
  expect(await begun(second, third)).toEqual([true, false]);
  (await second)?.end();
  expect(await begun(third)).toEqual([true]);
});

it('makes no more answers for who does not take them', async () => {
  const turns = new Turns({ running: 10, waiting: 10, bytes: 100 });
  const turn = await turns.take('a');
  turn?.hold(100);
  const next = turns.take('a');
  expect(await begun(next, turns.take('b'))).toEqual([false, true]);
  turn?.end();
  expect(await begun(next)).toEqual([true]);
});

it('where all together hold too much, those wait who hold any', async () => {
  const turns = new Turns({ running: 10, waiting: 10, bytes: 100, allBytes: 100 });
  for (const name of ['a', 'b']) (await turns.take(name))?.hold(60);
  expect(await begun(turns.take('a'), turns.take('b'), turns.take('c'))).toEqual([false, false, true]);
});
