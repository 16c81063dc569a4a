import { describe, expect, it } from 'vitest';
import type { CheckReport } from '../../../../server/contract/commissioning-endpoints.ts';
import { accuracyOf } from '../../../../server/domain/commissioning/accuracy.ts';
import { summarise } from '../../../../server/domain/commissioning/summary.ts';
import { chainOf, faultOfReport } from '../../../../server/services/commissioning/chain.ts';
import { sampleCheck } from '../../../support/commissioning-check.ts';

const facility = '00000000-0000-4000-8000-0000000000f1';

function judgedCheck() {
  const check = sampleCheck(facility);
  const [first] = check.items;
  if (first === undefined) throw new Error('the sample has items');
  Object.assign(first, {
    verdict: 'approved',
    verdict_by: 'kim',
    verdict_at: '2026-01-15T05:00:00.000Z',
    note: 'well',
  });
  first.history = [{ verdict: 'held', reason: 'sensor', note: '', by: 'lee', at: '2026-01-15T04:30:00.000Z' }];
  return check;
}

function changed(change: (report: CheckReport) => void): CheckReport {
  const report = structuredClone(chainOf(judgedCheck()));
  change(report);
  return report;
}

describe('a report as a chain', () => {
  it('holds the check, its items and every verdict in the order in which it was given', () => {
    const report = chainOf(judgedCheck());
    expect(report.links.map(({ kind }) => kind)).toEqual(['check', 'item', 'item', 'verdict', 'verdict']);
    expect(report.links.slice(3).map(({ content }) => content['by'])).toEqual(['lee', 'kim']);
    expect(faultOfReport(report)).toBeNull();
  });

  it('holds every reference point with what was known after it', () => {
    const check = judgedCheck();
    const point = {
      reference: 0,
      measured: 0.1,
      error: 0.1,
      allowed: 0.5,
      noise: null,
      count: 1,
      passed: true,
    } as const;
    const given = { instrument: '', by: 'kim' };
    const points = [
      { ...point, ...given, point: 1 as const, at: '2026-01-15T04:45:00.000Z' },
      { ...point, ...given, point: 2 as const, reference: 20, measured: 20.1, at: '2026-01-15T06:00:00.000Z' },
    ];
    Object.assign(check.items[1] ?? {}, { accuracy: accuracyOf('indoor_temp', 'C', points) });
    const report = chainOf(check);
    expect(report.links.slice(3).map(({ kind }) => kind)).toEqual(['verdict', 'accuracy', 'verdict', 'accuracy']);
    expect(report.links.flatMap(({ content, kind }) => (kind === 'accuracy' ? [content['accurate']] : []))).toEqual([
      null,
      true,
    ]);
    expect(faultOfReport(report)).toBeNull();
  });

  it('keeps every seal that was given before as a link', () => {
    const check = sampleCheck(facility);
    const seals = [chainOf(check).sha256];
    const given = [
      { verdict: 'held', verdict_by: 'kim', verdict_at: '2026-01-15T05:00:00.000Z' },
      { verdict: 'approved', verdict_by: 'lee', verdict_at: '2026-01-15T06:00:00.000Z' },
    ] as const;
    for (const [index, verdict] of given.entries()) {
      Object.assign(check.items[index] ?? {}, verdict);
      check.summary = summarise(check.items);
      check.status = check.summary.unjudged === 0 ? 'completed' : 'awaiting_verdict';
      seals.push(chainOf(check).sha256);
    }
    Object.assign(check, { status: 'aborted', reason: 'aborted by kim', ended_at: '2026-01-15T07:00:00.000Z' });
    const report = chainOf(check);
    expect(report.links.slice(2, 5).map(({ sha256 }) => sha256)).toEqual(seals);
    expect(report.links.at(-1)).toMatchObject({ kind: 'end', content: { reason: 'aborted by kim' } });
    expect(faultOfReport(report)).toBeNull();
  });

  it('is whole again after it went through a file whose keys came in another order', () => {
    const reordered = JSON.parse(JSON.stringify(chainOf(judgedCheck())), (_key, value: unknown) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).reverse())
        : value,
    ) as unknown;
    expect(faultOfReport(reordered)).toBeNull();
  });

  it.each<[string, (report: CheckReport) => void]>([
    ['a changed result', ({ links }) => void Object.assign(links[2]?.content ?? {}, { result: 'ok' })],
    ['a changed figure', ({ links }) => void Object.assign(links[1]?.content ?? {}, { name: 'Other' })],
    ['a changed verdict', ({ links }) => void Object.assign(links[4]?.content ?? {}, { by: 'park' })],
    ['a dropped link', ({ links }) => void links.splice(2, 1)],
    ['a dropped end', ({ links }) => void links.pop()],
    ['two links in another order', ({ links }) => void links.splice(1, 2, ...links.slice(1, 3).reverse())],
    ['another seal', (report) => void (report.sha256 = '0'.repeat(64))],
  ])('shows %s', (_name, change) => {
    expect(faultOfReport(changed(change))).not.toBeNull();
  });

  it('is told from anything else', () => {
    for (const other of [null, {}, [], 'x', { format: 'orangery.commissioning.1' }]) {
      expect(faultOfReport(other)).toContain('no report');
    }
  });
});
