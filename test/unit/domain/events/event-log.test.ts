import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DaemonEvent } from '../../../../server/contract/daemon.ts';
import { EventLog } from '../../../../server/domain/events/event-log.ts';

const startMs = Date.parse('2026-03-01T06:00:00Z');

type Kind = { kind: 'daemon' } | { kind: 'measurement'; device: number; value: number | null; quality: 'good' | 'bad' };

function event(number: number, is: Kind): DaemonEvent {
  const stamp = { id: `b1:${number}`, at: new Date(startMs + number).toISOString() };
  if (is.kind === 'daemon') return { ...stamp, kind: 'daemon', state: 'started', message: `event ${number}` };
  const { device, value, quality } = is;
  const series = { device_id: `device ${device}`, measurement_id: 'temperature', channel: device, unit: 'C' };
  return { ...stamp, kind: 'measurement', ...series, value, quality, time_ms: startMs + number * 7 };
}

const kind: fc.Arbitrary<Kind> = fc.oneof(
  fc.constant<Kind>({ kind: 'daemon' }),
  fc.record({
    kind: fc.constant('measurement' as const),
    device: fc.nat(5),
    value: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }), { nil: null }),
    quality: fc.constantFrom('good' as const, 'bad' as const),
  }),
);

function filled(count: number, limits = {}): EventLog {
  const log = new EventLog(limits);
  log.restart('b1', 0);
  for (let number = 1; number <= count; number += 1) log.push(number, event(number, { kind: 'daemon' }), number);
  return log;
}

describe('an event log', () => {
  it('gives back what it was given, in order, as far as it keeps it', () => {
    fc.assert(
      fc.property(
        fc.array(kind, { maxLength: 40 }),
        fc.nat(45),
        fc.integer({ min: 1, max: 50 }),
        (kinds, from, most) => {
          const log = new EventLog({ count: 25 });
          log.restart('b1', 0);
          const events = kinds.map((is, index) => event(index + 1, is));
          events.forEach((one, index) => log.push(index + 1, one, index));
          const isKept = from <= events.length && from >= events.length - 25;
          expect(log.after(from, most)).toEqual(isKept ? events.slice(from, from + most) : null);
        },
      ),
    );
  });

  it.each([
    [0, 4_500],
    [500, 4_500],
    [501, 4_500],
    [502, 4_499],
    [4_096, 905],
    [4_097, 904],
    [5_000, 1],
    [5_001, 0],
  ])('gives those since %s', (ageMs, count) => {
    const events = filled(5_000, { count: 4_500 }).since(ageMs);
    expect(events).toHaveLength(count);
    if (count > 0) expect([events[0]?.id, events.at(-1)?.id]).toEqual([`b1:${5_001 - count}`, 'b1:5000']);
  });

  it('goes on over the borders of its chunks', () => {
    const log = filled(5_000, { count: 4_500 });
    expect(log.before).toBe(500);
    expect(log.after(499)).toBeNull();
    expect(log.after(500)?.map(({ id }) => id)).toEqual(
      Array.from({ length: 4_500 }, (_, index) => `b1:${index + 501}`),
    );
    expect(log.after(2_046, 4)?.map(({ id }) => id)).toEqual(['b1:2047', 'b1:2048', 'b1:2049', 'b1:2050']);
    expect(log.after(5_000)).toEqual([]);
  });

  it('gives up what is too old, and may then be empty but for the newest', () => {
    const log = filled(3_000, { ageMs: 100 });
    expect(log.before).toBe(2_899);
    log.push(3_001, event(3_001, { kind: 'daemon' }), 1_000_000);
    expect(log.after(3_000)).toHaveLength(1);
    expect(log.after(2_999)).toBeNull();
  });

  it('begins anew at a restart', () => {
    const log = filled(10);
    log.restart('b2', 7);
    expect([log.boot, log.before, log.last, log.after(6), log.after(7)]).toEqual(['b2', 7, 7, null, []]);
  });
});
