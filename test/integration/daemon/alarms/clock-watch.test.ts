import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AlarmCondition } from '../../../../server/contract/alarm.ts';
import type { AlarmKey } from '../../../../server/daemon/alarms/alarm-key.ts';
import { ClockWatch } from '../../../../server/daemon/alarms/clock-watch.ts';
import { testFolder } from '../../../support/database.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const hour = 3_600_000;
const day = 24 * hour;
const start = Date.UTC(2026, 0, 15, 12);

let file: string;
let raised: Map<string, AlarmCondition>;
let told: string[];

beforeEach(() => {
  file = join(testFolder(), 'daemon.clock');
  raised = new Map();
  told = [];
});

function watchWith(clock: ManualClock): ClockWatch {
  const alarms = {
    raise: (condition: AlarmCondition) => {
      raised.set(condition.name ?? '', condition);
      told.push(`${condition.name} ${condition.value} ${condition.unit}`);
    },
    clear: ({ name }: AlarmKey) => void raised.delete(name ?? ''),
  };
  return new ClockWatch({ clock, alarms, file, log: () => undefined });
}

/** A clock that has proven itself, and what is remembered of it. */
function proven(clock: ManualClock): void {
  const now = clock.now();
  writeFileSync(file, JSON.stringify({ seen_ms: now, trusted_ms: now, steady_ms: 7 * day }));
}

describe('the time of day', () => {
  it('is trusted as it passes, over a restart too', async () => {
    const clock = new ManualClock(start);
    proven(clock);
    const watch = watchWith(clock);
    watch.start();
    await clock.advance(2 * hour);
    expect(watch.trustedMs()).toBe(start + 2 * hour);
    await watch.stop();
    const next = new ManualClock(start + 10 * hour);
    const again = watchWith(next);
    again.start();
    expect(again.trustedMs()).toBe(start + 10 * hour);
    expect(told).toEqual([]);
    await again.stop();
  });

  it('a year ahead and back is told both times, and nothing grows old by it', async () => {
    const clock = new ManualClock(start);
    proven(clock);
    const watch = watchWith(clock);
    watch.start();
    clock.setTimeOfDay(start + 365 * day);
    await clock.advance(hour);
    expect(told).toEqual(['far_ahead 365 d']);
    expect([...raised.keys()]).toEqual(['far_ahead']); // it stands until the clock has proven itself
    expect(raised.get('far_ahead')?.message).toBe('2026-01-15T12:00:10.000Z -> 2027-01-15T12:00:10.000Z');
    expect(watch.trustedMs()).toBe(start + hour);
    clock.setTimeOfDay(start + hour);
    await clock.advance(hour);
    expect(told).toEqual(['far_ahead 365 d', 'back 365 d']);
    expect([...raised.keys()]).toEqual([]);
    expect(watch.trustedMs()).toBe(start + 2 * hour);
    await watch.stop();
  });

  it.each([
    ['400 days ahead', 400 * day, 'far_ahead 400 d', start],
    ['3 days back', -3 * day, 'back 3 d', start - 3 * day],
  ])('%s at a start is told', async (_, by, line, trusted) => {
    const before = new ManualClock(start);
    proven(before);
    const watch = watchWith(new ManualClock(start + by));
    watch.start();
    expect([told, watch.trustedMs()]).toEqual([[line], trusted]);
    await watch.stop();
    const again = watchWith(new ManualClock(start + by));
    again.start();
    expect([told, again.trustedMs()]).toEqual([[line], trusted]);
    await again.stop();
  });

  it('some hours ahead is told once and believed, for a machine may have slept', async () => {
    const clock = new ManualClock(start);
    proven(clock);
    const watch = watchWith(clock);
    watch.start();
    clock.setTimeOfDay(start + 8 * hour);
    await clock.advance(10_000);
    expect([told, [...raised]]).toEqual([['ahead 8 h'], []]);
    expect(watch.trustedMs()).toBe(clock.now());
    await watch.stop();
  });

  it.each(['', '{"seen_ms":"x"}', 'garbage'])(
    'is trusted by nobody where what was known of it is lost (%j)',
    async (text) => {
      writeFileSync(file, text);
      const clock = new ManualClock(start);
      const watch = watchWith(clock);
      watch.start();
      await clock.advance(hour);
      expect([watch.trustedMs(), told]).toEqual([hour, []]);
      await watch.stop();
      expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ seen_ms: clock.now() });
    },
  );

  it('goes on where nothing can be kept', async () => {
    const clock = new ManualClock(start);
    file = join(testFolder(), 'missing', 'daemon.clock');
    const watch = watchWith(clock);
    watch.start();
    await clock.advance(hour);
    await watch.stop();
    expect(existsSync(file)).toBe(false);
  });
});
