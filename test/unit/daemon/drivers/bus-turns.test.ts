import { describe, expect, it } from 'vitest';
import { DeadManFeed } from '../../../../server/daemon/controllers/output/dead-man-feed.ts';
import { DriverError, longestRequestMs } from '../../../../server/daemon/drivers/driver.ts';
import { BusTurns, type Urgency } from '../../../../server/daemon/drivers/modbus/bus-turns.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const silence = new DriverError('timed_out', 'no answer');

/** A line on the test's clock whose units answer after a while, or let their time-out pass. */
function line() {
  const clock = new ManualClock();
  const turns = new BusTurns();
  const asked: string[] = [];
  const begun = clock.elapsed();
  const ask = (unit_id: number, urgency: Urgency, { takesMs = 10, fails = false } = {}): Promise<void> =>
    turns.take(unit_id, urgency, async () => {
      asked.push(`${clock.elapsed() - begun} ${urgency} ${unit_id}`);
      await new Promise<void>((resolve) => void clock.after(takesMs, resolve));
      if (fails) throw silence;
    });
  const silent = (unit_id: number, urgency: Urgency, takesMs: number): Promise<void> =>
    ask(unit_id, urgency, { takesMs, fails: true }).catch(() => undefined);
  return { ask, asked, clock, silent };
}

describe('on a line', () => {
  it('feeds go before commands, commands before polls, and each kind by its age', async () => {
    const { ask, asked, clock } = line();
    void ask(1, 'poll');
    void ask(2, 'poll');
    void ask(3, 'command');
    void ask(4, 'feed');
    void ask(5, 'command');
    void ask(6, 'feed');
    await clock.advance(100);
    expect(asked).toEqual(['0 poll 1', '10 feed 4', '20 feed 6', '30 command 3', '40 command 5', '50 poll 2']);
  });

  it('a request that fails lets the next begin', async () => {
    const { ask, asked, clock, silent } = line();
    void silent(1, 'command', 500);
    const next = ask(2, 'poll');
    await clock.advance(510);
    await next;
    expect(asked).toEqual(['0 command 1', '500 poll 2']);
  });

  it('a unit that stays silent does not go before others with its feeds, until it answers', async () => {
    const { ask, asked, clock, silent } = line();
    for (const urgency of ['feed', 'feed'] as const) void silent(1, urgency, 300);
    await clock.advance(600);
    void ask(2, 'command');
    void ask(3, 'poll');
    void ask(1, 'feed');
    await clock.advance(100);
    void ask(2, 'command');
    void ask(3, 'poll');
    void ask(1, 'feed');
    await clock.advance(100);
    expect(asked.slice(2)).toEqual([
      '600 command 2',
      '610 poll 3',
      '620 feed 1',
      '700 command 2',
      '710 feed 1',
      '720 poll 3',
    ]);
  });

  it('many commands to a unit that is dead leave the others their turn', async () => {
    const { ask, asked, clock, silent } = line();
    const tryAgain = (): void => void silent(1, 'command', 1_000).then(() => clock.after(20_000, tryAgain));
    for (let channel = 0; channel < 32; channel += 1) tryAgain();
    await clock.advance(100_000);
    void ask(2, 'poll');
    await clock.advance(32_000);
    expect(asked.filter((one) => one.endsWith('poll 2'))).toHaveLength(1);
  });

  it.each([1, 2])('a timer of %s s never runs out, however many other units are silent', async (dead_man_s) => {
    const { ask, clock, silent } = line();
    const timeoutMs = longestRequestMs({ dead_man_s, feed: async () => undefined });
    let lapses = 0;
    let fedAt = clock.elapsed();
    const longest = { ms: 0 };
    const feed = async (): Promise<void> => {
      await ask(9, 'feed');
      longest.ms = Math.max(longest.ms, clock.elapsed() - fedAt);
      fedAt = clock.elapsed();
    };
    const fed = (failure: string | null): void => expect(failure).toBeNull();
    const timer = { dead_man_s, feed };
    new DeadManFeed({ clock, dead_man: timer, fed, lapsed: () => (lapses += 1), resumed: () => undefined }).start();
    for (const unit of [1, 2, 3, 4]) {
      const dead = async (): Promise<void> => silent(unit, unit < 3 ? 'feed' : 'poll', timeoutMs);
      const readOn = (): void => void dead().then(() => clock.after(1, readOn));
      clock.after(5_000 * unit, readOn);
    }
    await clock.advance(60_000);
    expect(lapses).toBe(0);
    expect(longest.ms).toBeLessThan(dead_man_s * 1000);
  });
});
