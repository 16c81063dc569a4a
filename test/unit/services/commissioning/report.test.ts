import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../../server/contract/commissioning-finding.ts';
import { language } from '../../../../server/contract/language.ts';
import type { CheckItem, CommissioningCheck, ItemResult } from '../../../../server/contract/commissioning.ts';
import { reportPage } from '../../../../server/services/commissioning/report.ts';
import { sampleCheck } from '../../../support/commissioning-check.ts';

const facts = { siteName: 'Hill & dale', timeZone: 'Asia/Seoul', sha256: 'ab'.repeat(32) };

function printed(check: CommissioningCheck): string {
  return reportPage(check, { ...facts, language: 'en' }).replaceAll('\u202f', ' ');
}

/** The sample with an item of each result. */
function checkOf(changes: Partial<CheckItem>[]): CommissioningCheck {
  const check = sampleCheck('00000000-0000-4000-8000-0000000000f1');
  const [first] = check.items as [CheckItem]; // the sample has items
  return { ...check, items: changes.map((change, at) => ({ ...first, name: `No. ${at}`, ...change })) };
}

describe('the printed report', () => {
  it('says where, when and who, by the clock of the site', () => {
    const page = printed(sampleCheck('00000000-0000-4000-8000-0000000000f1', { started_by: 'kim by key tablet' }));
    for (const part of ['Hill &amp; dale – House &amp; garden', '15 Jan 2026, 13:00 (Asia/Seoul)', 'kim · tablet'])
      expect(page).toContain(part);
  });

  it('begins with what is at fault, the worst first, and lists all', () => {
    const results = ['ok', 'warn', 'inconclusive', 'fail'] as const;
    const page = printed(checkOf(results.map((result: ItemResult) => ({ result }))));
    const places = ['No. 3, Heater', 'No. 1, Heater', '<strong>No. 2:', 'All devices', '>No. 0<'];
    const found = places.map((part) => page.indexOf(part));
    expect(found).toEqual(found.toSorted((one, other) => one - other));
    expect(found[0]).toBeGreaterThan(0);
  });

  it('says once why several are undecided', () => {
    const findings: Finding[] = [{ code: 'too_uncertain', name: 'North', value: 3, unit: 'C' }];
    const one = { result: 'inconclusive', findings } as const;
    expect(printed(checkOf([one, one, one]))).toContain('<strong>No. 0, No. 1, No. 2: </strong>');
  });

  it('lists and joins as its language does', () => {
    const findings: Finding[] = [{ code: 'too_uncertain', name: 'North', value: 3, unit: 'C' }];
    const one = { result: 'inconclusive', findings } as const;
    const two: Partial<CheckItem> = { result: 'fail', findings: [...findings, ...findings] };
    const page = reportPage(checkOf([one, one, two]), { ...facts, language: 'ja' });
    expect(page).not.toContain('。 ');
    for (const part of ['<strong>No. 0、No. 1：</strong>', 'No. 2、暖房機：<span', '（Asia/Seoul）'])
      expect(page).toContain(part);
  });

  it('says of each test whether it was passed, below a heading in every column', () => {
    const range = { code: 'range', passed: null, measured: 280, expected: '0..360', unit: 'deg' } as const;
    const page = printed(checkOf([{ result: 'fail', checks: [range] }]));
    expect(page).toMatch(/Passed<\/th>.*280°<\/td><td>0 … 360°<\/td><td>\?</);
    expect(page).not.toContain('<th scope="col"></th>');
  });

  it('has no raw figure', () => {
    const checks = [{ code: 'response', passed: false, measured: 5.41e-7, expected: '0.378', unit: 'C/min' }] as const;
    const page = printed(checkOf([{ result: 'fail', checks: [...checks] }]));
    expect(page).not.toContain('e-7');
    for (const part of ['&lt; 0.01 K/min', '0.38 K/min']) expect(page).toContain(part);
  });

  it('says why each was held, also before, or that no reason was given', () => {
    const [by, at] = ['kim', '2026-01-15T04:00:00.000Z'];
    const was = { verdict: 'held', reason: 'sensor', note: 'Drips', by, at } as const;
    const page = printed(
      checkOf([
        { verdict: 'held', verdict_reason: 'device', note: 'Loose' },
        { verdict: 'held', verdict_reason: null },
        { verdict: 'approved', verdict_reason: null, history: [was] },
      ]),
    );
    for (const part of [
      '<td>Held: The device<div',
      '<td>Held: Not given<div',
      '<td>Approved<div',
      '<dd>Loose</dd>',
      '<dd>Earlier verdict: Held: A sensor, kim, 15 Jan 2026, 13:00 · Drips</dd>',
    ])
      expect(page).toContain(part);
  });

  it.each(language.options)('has a word for each of its parts in %s', (one) => {
    const note = { result: 'fail', note: 'Loose', verdict_reason: 'device' } as const;
    const page = reportPage(checkOf([note, { result: 'skipped' }]), { ...facts, language: one });
    expect(page).not.toContain('undefined');
    expect(page).toContain('Loose');
  });
});
