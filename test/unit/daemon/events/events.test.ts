import { describe, expect, it } from 'vitest';
import { EventRing, type EventLimits } from '../../../../server/daemon/events/events.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const never = new AbortController().signal;

function filledRing(count: number, limits: Partial<EventLimits> = {}) {
  const clock = new ManualClock();
  const ring = new EventRing(clock, limits);
  const push = (n: number): void => ring.push({ kind: 'daemon', state: 'started', message: `event ${n}` });
  for (let n = 1; n <= count; n += 1) push(n);
  return { clock, ring, push };
}

const messages = (events: readonly object[]): unknown[] => events.map((event) => 'message' in event && event.message);

describe('events after a cursor', () => {
  it('come in order, and the next cursor continues them', async () => {
    const { ring, push } = filledRing(3);
    const first = await ring.since(`${ring.boot_id}:1`, 0, never);
    expect(messages(first.events)).toEqual(['event 2', 'event 3']);
    expect(first.events.map(({ id }) => id)).toEqual([`${ring.boot_id}:2`, `${ring.boot_id}:3`]);
    push(4);
    const second = await ring.since(first.cursor, 0, never);
    expect(messages(second.events)).toEqual(['event 4']);
  });

  it.each([
    ['none', ''],
    ['of another start', 'abcdef:1'],
    ['from the future', 'BOOT:4'],
    ['not of the form', 'BOOT:x'],
  ])('are a gap when the cursor is %s', async (_name, cursor) => {
    const { ring } = filledRing(3);
    const answer = await ring.since(cursor.replace('BOOT', ring.boot_id), 0, never);
    expect(answer).toEqual({ cursor: ring.cursor, gap: true, events: [], oldest: `${ring.boot_id}:0` });
  });

  it('are a gap once one of them was dropped for their number', async () => {
    const { ring } = filledRing(5_000, { count: 100 });
    expect((await ring.since(`${ring.boot_id}:4899`, 0, never)).gap).toBe(true);
    expect((await ring.since(`${ring.boot_id}:4900`, 0, never)).events).toHaveLength(100);
  });

  it('are a gap once one of them was dropped for its age', async () => {
    const { clock, ring, push } = filledRing(2);
    await clock.advance(3_600_001);
    push(3);
    expect((await ring.since(`${ring.boot_id}:1`, 0, never)).gap).toBe(true);
    expect(messages((await ring.since(`${ring.boot_id}:2`, 0, never)).events)).toEqual(['event 3']);
  });

  it('come in answers of a bounded size', async () => {
    const { ring } = filledRing(25, { batch: 10 });
    const sizes: number[] = [];
    let cursor = `${ring.boot_id}:0`;
    for (let answer = 0; answer < 4; answer += 1) {
      const { events, cursor: next } = await ring.since(cursor, 0, never);
      sizes.push(events.length);
      cursor = next;
    }
    expect(sizes).toEqual([10, 10, 5, 0]);
  });
});

describe('a reader that has everything', () => {
  it('waits for the next event', async () => {
    const { ring, push } = filledRing(1);
    const waiting = ring.since(ring.cursor, 20, never);
    push(2);
    expect(messages((await waiting).events)).toEqual(['event 2']);
  });

  it('gets an empty answer with its own cursor after the wait', async () => {
    const { clock, ring } = filledRing(1);
    const waiting = ring.since(ring.cursor, 20, never);
    await clock.advance(20_000);
    expect(await waiting).toEqual({ cursor: ring.cursor, gap: false, events: [] });
  });

  it('is let go when its connection ends', async () => {
    const { ring } = filledRing(1);
    const gone = new AbortController();
    const waiting = ring.since(ring.cursor, 20, gone.signal);
    gone.abort();
    expect((await waiting).events).toEqual([]);
    expect((await ring.since(ring.cursor, 20, AbortSignal.abort())).events).toEqual([]);
  });
});

it('an hour of readings is resumed without a gap, and is a gap a moment later', async () => {
  const { clock, ring } = filledRing(0);
  const push = (): void =>
    ring.push({
      kind: 'measurement',
      device_id: 'device',
      measurement_id: 'temperature',
      channel: 0,
      value: 20,
      unit: 'C',
      quality: 'good',
      time_ms: clock.now(),
    });
  push();
  for (let minute = 0; minute < 60; minute += 1) {
    await clock.advance(60_000);
    for (let event = 0; event < 600; event += 1) push();
  }
  const first = await ring.since(`${ring.boot_id}:0`, 0, never);
  expect(first).toMatchObject({ gap: false });
  expect(first.events[0]).toMatchObject({ id: `${ring.boot_id}:1`, kind: 'measurement', value: 20, unit: 'C' });
  await clock.advance(1);
  push();
  expect(await ring.since(`${ring.boot_id}:0`, 0, never)).toMatchObject({ gap: true });
});

describe('what was told last', () => {
  it('is heard when a reader asks for what comes after it, not before', async () => {
    const { ring } = filledRing(3);
    let isHeard = false;
    const heard = ring.heard(500).then(() => (isHeard = true));
    const { cursor } = await ring.since(`${ring.boot_id}:1`, 0, never);
    await Promise.resolve();
    expect(isHeard).toBe(false);
    await ring.since(cursor, 0, never);
    expect(await heard).toBe(true);
  });

  it('is waited for no longer than it says, where nobody asks', async () => {
    const { clock, ring } = filledRing(3);
    let isOver = false;
    const heard = ring.heard(500).then(() => (isOver = true));
    await clock.advance(499);
    expect(isOver).toBe(false);
    await clock.advance(1);
    expect(await heard).toBe(true);
  });
});
