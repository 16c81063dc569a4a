import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DaemonEvent } from '../../../../server/contract/daemon.ts';
import { defaultLogLimits } from '../../../../server/domain/events/event-log.ts';
import { EventRing } from '../../../../server/services/live/event-ring.ts';

const startMs = Date.parse('2026-03-01T06:00:00Z');

function event(number: number, atMs = startMs, boot = 'b1'): DaemonEvent {
  const at = new Date(atMs).toISOString();
  return { id: `${boot}:${number}`, at, kind: 'daemon', state: 'started', message: '' };
}

function reading(number: number, atMs: number): DaemonEvent {
  return {
    id: `b1:${number}`,
    at: new Date(atMs).toISOString(),
    kind: 'measurement',
    time_ms: atMs,
    channel: 0,
    device_id: `device ${number % 50}`,
    measurement_id: 'temperature',
    value: number / 3,
    unit: 'C',
    quality: 'good',
  };
}

function ringOf(numbers: number[], limits = {}): EventRing {
  const ring = new EventRing(limits);
  ring.restart('b1:0');
  for (const number of numbers) ring.push(event(number));
  return ring;
}

const idsAfter = (ring: EventRing, id: string) => ring.after(id)?.map((one) => one.id) ?? null;

describe('EventRing', () => {
  it.each([
    ['everything after the start', 'b1:0', ['b1:1', 'b1:2', 'b1:5']],
    ['what follows an id', 'b1:1', ['b1:2', 'b1:5']],
    ['nothing after the newest', 'b1:5', []],
    ['what follows an id that was never seen', 'b1:3', ['b1:5']],
    ['a reset for an id of the future', 'b1:6', null],
    ['a reset for another start of the daemon', 'b2:1', null],
    ['a reset for what is no id', 'nonsense', null],
    ['a reset for nothing', '', null],
  ])('gives %s', (_, id, expected) => {
    expect(idsAfter(ringOf([1, 2, 5]), id)).toEqual(expected);
  });

  it('ignores repeated and foreign events', () => {
    const ring = ringOf([1, 2]);
    ring.push(event(2));
    ring.push(event(9, startMs, 'b2'));
    expect(idsAfter(ring, 'b1:0')).toEqual(['b1:1', 'b1:2']);
  });

  it('forgets all at a restart and goes on from its cursor', () => {
    const ring = ringOf([1, 2]);
    ring.restart('b2:7');
    expect([idsAfter(ring, 'b1:1'), idsAfter(ring, 'b2:6'), idsAfter(ring, 'b2:7')]).toEqual([null, null, []]);
  });

  it('drops what is older than an hour', () => {
    const ring = new EventRing();
    ring.restart('b1:0');
    ring.push(event(1, startMs));
    ring.push(event(2, startMs + 3_600_001));
    expect([idsAfter(ring, 'b1:0'), idsAfter(ring, 'b1:1')]).toEqual([null, ['b1:2']]);
  });

  it('reaches back an hour at ten events a second, and would at fifty', () => {
    const ring = new EventRing();
    ring.restart('b1:0');
    const perHour = 3_600 * 10;
    for (let number = 1; number <= perHour; number += 1) ring.push(reading(number, startMs + number * 100));
    expect(ring.after('b1:0', 1)).toEqual([reading(1, startMs + 100)]);
    expect(ring.after(`b1:${perHour - 1}`)).toEqual([reading(perHour, startMs + perHour * 100)]);
    expect(defaultLogLimits.count).toBeGreaterThan(3_600 * 50);
  });

  it('never gives a reader a gap that it does not tell of', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 0, max: 60 }), (count, from) => {
        const numbers = Array.from({ length: count }, (_, index) => index + 1);
        const given = idsAfter(ringOf(numbers, { count: 10 }), `b1:${from}`);
        if (given === null) return from > count || from < count - 10;
        return (
          given.join() ===
          numbers
            .filter((number) => number > from)
            .map((number) => `b1:${number}`)
            .join()
        );
      }),
    );
  });
});
