import { expect, it } from 'vitest';
import { Linger } from '../../../server/daemon/linger.ts';
import { ManualClock } from '../../support/manual-clock.ts';

function lingering(lingerS: number | null) {
  const clock = new ManualClock();
  const ends: number[] = [];
  const start = clock.elapsed();
  const linger = new Linger(clock, lingerS, () => void ends.push(clock.elapsed() - start));
  return { clock, ends, linger };
}

it('ends so long after the server was lost', async () => {
  const { clock, ends, linger } = lingering(30);
  linger.asked();
  await clock.advance(100_000);
  expect(ends).toEqual([]);
  linger.lost();
  await clock.advance(30_000);
  expect(ends).toEqual([130_000]);
});

it('goes on while another server asks', async () => {
  const { clock, ends, linger } = lingering(30);
  linger.lost();
  for (let second = 0; second < 100; second += 1) {
    await clock.advance(1_000);
    linger.asked();
  }
  expect(ends).toEqual([]);
  await clock.advance(30_000);
  expect(ends).toEqual([130_000]);
});

it('never ends when it lingers for ever', async () => {
  const { clock, ends, linger } = lingering(null);
  linger.lost();
  await clock.advance(365 * 86_400_000);
  expect(ends).toEqual([]);
});
