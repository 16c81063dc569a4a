import { describe, expect, it } from 'vitest';
import { ServerClock } from '../../../../renderer/client/server-clock.ts';

const start = Date.UTC(2026, 5, 1, 12);

/**
 * A device that reads `start` when the server reads `aheadMs` more; asks at moments of the device and hears after
 * `tookMs`.
 */
function device(aheadMs: number): { clock: ServerClock; ask: (atMs: number, tookMs: number) => void } {
  let local = start;
  const clock = new ServerClock(() => local);
  const ask = (atMs: number, tookMs: number): void => {
    const answered = start + atMs + tookMs / 2 + aheadMs;
    local = start + atMs + tookMs;
    clock.hear(new Date(answered).toUTCString(), start + atMs);
  };
  return { clock, ask };
}

describe('the clock of the server', () => {
  it('is that of this device while nothing tells otherwise, and where both agree', () => {
    const { clock, ask } = device(0);
    expect(clock.now()).toBe(start);
    ask(400, 30);
    expect(clock.now()).toBe(start + 430);
  });

  it.each([-3_600_000, -5_000, 5_000, 86_400_000])('is known to a second after one answer: %d ms ahead', (ahead) => {
    const { clock, ask } = device(ahead);
    ask(250, 40);
    expect(Math.abs(clock.now() - (start + 290 + ahead))).toBeLessThanOrEqual(520);
  });

  it('is known better with every answer', () => {
    const { clock, ask } = device(61_400);
    for (let at = 0; at < 10_000; at += 370) ask(at, 20);
    expect(Math.abs(clock.now() - (start + 9_990 + 20 + 61_400))).toBeLessThanOrEqual(60);
  });

  it('follows a clock that is set', () => {
    let local = start;
    const clock = new ServerClock(() => local);
    clock.hear(new Date(start + 60_000).toUTCString(), start - 10);
    local = start - 3_600_000;
    clock.hear(new Date(start + 61_000).toUTCString(), local - 10);
    expect(Math.abs(clock.now() - (start + 61_000))).toBeLessThanOrEqual(1_010);
  });

  it('minds no answer without a date', () => {
    const { clock } = device(5_000);
    clock.hear(null, start);
    clock.hear('yesterday', start);
    expect(clock.now()).toBe(start);
  });
});
