import { expect, it } from 'vitest';
import { Patience } from '../../../../renderer/map/patience.ts';
import { portionBytes } from '../../../../renderer/map/portion.ts';

/** Calls of so many bytes that are never answered; returns how long each was waited for, ms. */
async function waitedFor(...sizes: number[]): Promise<number[]> {
  const waits: number[] = [];
  const patience = new Patience((run, ms) => {
    waits.push(ms);
    queueMicrotask(run);
    return () => undefined;
  });
  for (const bytes of sizes) {
    const call = patience.during(() => new Promise(() => undefined), bytes);
    await expect(call).rejects.toMatchObject({ code: 'network' });
  }
  return waits;
}

it('waits half a minute for little, and twice as long after each silence, up to eight minutes', async () => {
  const waits = [30_000, 60_000, 120_000, 240_000, 480_000, 480_000];
  expect(await waitedFor(...waits.map(() => 1_000))).toEqual(waits);
});

it('waits for a portion for as long as a quarter of a megabit a second takes', async () => {
  const needs_ms = (portionBytes * 8) / 256; // bits by bits in a ms
  const [first = 0, second] = await waitedFor(portionBytes, portionBytes);
  expect(first).toBeGreaterThanOrEqual(needs_ms);
  expect(second).toBe(2 * first);
});

it('begins with little patience again once something was answered', async () => {
  const waits: number[] = [];
  let isSilent = true;
  const patience = new Patience((run, ms) => {
    waits.push(ms);
    if (isSilent) queueMicrotask(run);
    return () => undefined;
  });
  await expect(patience.during(() => new Promise(() => undefined))).rejects.toMatchObject({ code: 'network' });
  isSilent = false;
  await patience.during(() => Promise.resolve());
  await patience.during(() => Promise.resolve());
  expect(waits).toEqual([30_000, 60_000, 30_000]);
});
