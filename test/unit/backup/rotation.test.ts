import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Backup } from '../../../server/contract/backup.ts';
import { surplus } from '../../../server/backup/rotation.ts';

const plan = { keep_days: 7, keep_weeks: 4, keep_months: 6 };
const dayMs = 86_400_000;
/** A Monday. */
const lastMs = Date.parse('2026-11-23T03:00:00Z');

function made(daysAgo: number, more: Partial<Backup> = {}): Backup {
  const created_at = new Date(lastMs - daysAgo * dayMs).toISOString();
  const id = `orangery-${created_at.slice(0, 10).replaceAll('-', '')}t030000z-schedule`;
  return {
    backup_id: id,
    file: `${id}.tar.gz`,
    created_at,
    reason: 'schedule',
    bytes: 1,
    is_encrypted: false,
    installation: null,
    program_version: '0.0.0',
    parts: ['orangery.db'],
    left_out: [],
    check: { at: created_at, fault: null },
    ...more,
  };
}

const dateOf = (created_at: string): string => created_at.slice(0, 10);
const agoOf = ({ created_at }: Backup): number => (lastMs - Date.parse(created_at)) / dayMs;
const limits = fc.record({
  keep_days: fc.integer({ min: 1, max: 60 }),
  keep_weeks: fc.integer({ min: 0, max: 52 }),
  keep_months: fc.integer({ min: 0, max: 60 }),
});
const kept = (all: Backup[]): number[] => {
  const gone = new Set(surplus(all, plan, dateOf));
  return all.filter((one) => !gone.has(one)).map(agoOf);
};

it('keeps the last of seven days, four weeks and six months of a year', () => {
  const year = Array.from({ length: 365 }, (_, ago) => made(ago));
  // Days 0-6; the Sundays 1, 8, 15; the last of October, September, August, July and June.
  expect(kept(year)).toEqual([0, 1, 2, 3, 4, 5, 6, 8, 15, 23, 54, 84, 115, 146]);
});

it('counts days with a backup, so that a summer of standstill deletes nothing', () => {
  expect(kept([made(100), made(101), made(102)])).toEqual([100, 101, 102]);
});

it('leaves what was made by hand, and the last sound one whatever came after it', () => {
  const fault = { code: 'damaged', message: 'x' } as const;
  const spoilt = (ago: number) => made(ago, { check: { at: '2026-11-23T03:00:00.000Z', fault } });
  expect(kept([spoilt(0), spoilt(1), made(400), made(500, { reason: 'hand' })])).toEqual([400, 500]);
});

it('lets no backup made by hand stand for the automatic one of its day', () => {
  const byHand = { reason: 'hand' } as const;
  const cases: { made: Backup[]; kept: number[] }[] = [
    { made: [made(0.125), made(0.0625, byHand)], kept: [0.125, 0.0625] },
    { made: [made(0.0625, byHand), made(0.09375), made(0.125)], kept: [0.0625, 0.09375] },
    { made: [made(0.0625, byHand), made(0.125, byHand), made(400, byHand)], kept: [0.0625, 0.125, 400] },
  ];
  for (const { made: all, kept: left } of cases) expect(kept(all)).toEqual(left);
});

it('deletes the same whatever was made by hand, and nothing of that', () => {
  const days = fc.uniqueArray(fc.integer({ min: 0, max: 400 }), { maxLength: 60 });
  fc.assert(
    fc.property(days, days, limits, (daily, byHand, limit) => {
      const automatic = daily.map((ago) => made(ago));
      const others = byHand.map((ago) => made(ago - 0.0625, { reason: 'hand' }));
      expect(surplus([...automatic, ...others], limit, dateOf)).toEqual(surplus(automatic, limit, dateOf));
    }),
  );
});

it('never gives up the latest sound one, and never more than is there', () => {
  const days = fc.uniqueArray(fc.integer({ min: 0, max: 3_000 }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(days, limits, (agos, limit) => {
      const all = agos.map((ago) => made(ago));
      const gone = surplus(all, limit, dateOf);
      expect(gone.map(agoOf)).not.toContain(Math.min(...agos));
      const left = all.filter((one) => !gone.includes(one));
      expect(left.length).toBeLessThanOrEqual(limit.keep_days + limit.keep_weeks + limit.keep_months);
      expect(surplus(left, limit, dateOf)).toEqual([]);
    }),
  );
});

it('leaves what nobody could check yet, and what a newer program made', () => {
  const fault = { code: 'too_new', message: 'x' } as const;
  const unjudged = [made(300, { check: null }), made(301, { check: { at: '2026-11-23T03:00:00.000Z', fault } })];
  expect(kept([...Array.from({ length: 10 }, (_, ago) => made(ago)), ...unjudged]).slice(-2)).toEqual([300, 301]);
});
