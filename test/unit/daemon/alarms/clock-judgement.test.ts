import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  absenceMs,
  firstMemory,
  lookAtClock,
  proofMs,
  stepMs,
  type ClockMemory,
} from '../../../../server/daemon/alarms/clock-judgement.ts';

const day = 86_400_000;
const now = Date.UTC(2026, 0, 15, 12);
const known: ClockMemory = { seen_ms: now, trusted_ms: now, steady_ms: proofMs };

describe('a look at the clock', () => {
  it.each([
    ['as time passes', { wall_ms: now + 10_000, ran_ms: 10_000, isStart: false }, null, now + 10_000],
    ['kept right by a minute', { wall_ms: now - 50_000, ran_ms: 10_000, isStart: false }, null, now - 50_000],
    ['set ahead by a day', { wall_ms: now + day, ran_ms: 0, isStart: false }, 'ahead', now + day],
    ['after a night switched off', { wall_ms: now + day / 2, ran_ms: 0, isStart: true }, null, now + day / 2],
    ['set ahead by a year', { wall_ms: now + 365 * day, ran_ms: 10_000, isStart: false }, 'far_ahead', now + 10_000],
    ['started a year ahead', { wall_ms: now + 365 * day, ran_ms: 0, isStart: true }, 'far_ahead', now],
    ['set back by a year', { wall_ms: now - 365 * day, ran_ms: 0, isStart: false }, 'back', now - 365 * day],
    ['started a year back', { wall_ms: now - 365 * day, ran_ms: 0, isStart: true }, 'back', now - 365 * day],
  ] as const)('%s', (_, look, kind, trustedMs) => {
    const { memory, step } = lookAtClock(known, look);
    expect([step?.kind ?? null, memory.trusted_ms, memory.seen_ms]).toEqual([kind, trustedMs, look.wall_ms]);
  });

  it('without any memory trusts nothing for a week', () => {
    let memory = firstMemory(now);
    for (let hour = 1; hour <= 24 * 7; hour += 1) {
      expect(memory.trusted_ms).toBeLessThan(8 * day);
      memory = lookAtClock(memory, { wall_ms: now + hour * 3_600_000, ran_ms: 3_600_000, isStart: false }).memory;
    }
    expect(memory.trusted_ms).toBe(now + 7 * day);
  });

  it('believes a clock that is far ahead after a week without another jump', () => {
    let { memory } = lookAtClock(known, { wall_ms: now + 400 * day, ran_ms: 0, isStart: true });
    for (let passed = 1; passed < 7; passed += 1) {
      memory = lookAtClock(memory, { wall_ms: now + (400 + passed) * day, ran_ms: day, isStart: false }).memory;
      expect(memory.trusted_ms).toBe(now + passed * day);
    }
    memory = lookAtClock(memory, { wall_ms: now + 407 * day, ran_ms: day, isStart: false }).memory;
    expect(memory.trusted_ms).toBe(now + 407 * day);
  });

  it('never trusts more than the clock, nor a far jump that is taken back', () => {
    const looks = fc.array(
      fc.record({
        ran_ms: fc.integer({ min: 0, max: day }),
        jump_ms: fc.oneof(
          fc.constant(0),
          fc.integer({ min: absenceMs + stepMs, max: 1000 * day }),
          fc.integer({ min: -1000 * day, max: -2 * stepMs }),
        ),
      }),
      { maxLength: 6 }, // together they run for less than the proof takes
    );
    fc.assert(
      fc.property(looks, (all) => {
        let memory: ClockMemory = { ...known, steady_ms: 0 };
        let passed = now;
        for (const { ran_ms, jump_ms } of all) {
          const wallMs = memory.seen_ms + ran_ms + jump_ms;
          passed += ran_ms;
          ({ memory } = lookAtClock(memory, { wall_ms: wallMs, ran_ms, isStart: false }));
          expect(memory.trusted_ms).toBeLessThanOrEqual(wallMs);
          expect(memory.trusted_ms).toBeLessThanOrEqual(passed);
        }
      }),
    );
  });
});
