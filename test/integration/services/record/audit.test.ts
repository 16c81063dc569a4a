import { dirname } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { AuditLog } from '../../../../server/auth/audit.ts';
import { AuditRepository } from '../../../../server/db/repositories/audit.ts';
import { auditCsv } from '../../../../server/services/record/audit-csv.ts';
import { AuditService } from '../../../../server/services/record/audit.ts';
import { actor, codeOf, start, testAccounts, type TestAccounts } from '../../../support/accounts.ts';

const minuteMs = 60_000; // ten records a minute, from the first minute on
let test: TestAccounts;

beforeEach(() => {
  test = testAccounts();
  for (let index = 0; index < 250; index += 1) {
    const kind = index % 2 === 0 ? 'design.save' : 'facility.save';
    if (index % 10 === 0) test.clock.forward(minuteMs);
    test.audit.record({ kind, actor: actor({ username: index % 5 === 0 ? 'Kim' : 'lee' }), target: `${index}` });
  }
});

function targetsByPage(query: Omit<Parameters<TestAccounts['audits']['list']>[0], 'cursor'>): string[][] {
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const page = test.audits.list({ ...query, cursor });
    pages.push(page.audit.map((record) => record.target ?? ''));
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return pages;
}

const expectedTargets = Array.from({ length: 250 }, (_, index) => `${249 - index}`);

function minute(count: number): string {
  return new Date(start + count * minuteMs).toISOString();
}

it('pages newest first, 100 a page, without a gap or a repeat', () => {
  const pages = targetsByPage({});
  expect(pages.map((page) => page.length)).toEqual([100, 100, 50]);
  expect(pages.flat()).toEqual(expectedTargets);
});

it('ends with a full last page', () => {
  expect(targetsByPage({ limit: 125 }).map((page) => page.length)).toEqual([125, 125]);
});

it.each([
  [{ kind: 'design.save' }, (index: number) => index % 2 === 0],
  [{ user: 'kim' }, (index: number) => index % 5 === 0],
  [{ kind: 'facility.save', user: 'LEE' }, (index: number) => index % 2 === 1 && index % 5 !== 0],
  [{ kind: 'unheard.of' }, () => false],
  [{ from: minute(5) }, (index: number) => index >= 40],
  [{ from: minute(5), to: minute(7) }, (index: number) => index >= 40 && index < 60],
  [{ to: '2026-03-01T15:03:00.001+09:00' }, (index: number) => index < 30],
  [{ user: 'kim', kind: 'design.save', to: minute(9) }, (index: number) => index % 10 === 0 && index < 80],
])('filters by %j, page after page', (query, belongs) => {
  expect(targetsByPage({ ...query, limit: 7 }).flat()).toEqual(
    expectedTargets.filter((target) => belongs(Number(target))),
  );
});

it('goes on where it was when records are added between two pages', () => {
  const first = test.audits.list({ limit: 2 });
  test.audit.record({ kind: 'design.save', actor: actor() });
  const second = test.audits.list({ limit: 2, cursor: first.next_cursor ?? undefined });
  expect(second.audit.map((record) => record.target)).toEqual(['247', '246']);
});

it.each(['', 'abc', '-1', '17', '2026-03-01T06:00:00.000Z', '2026-03-01~1'])(
  'refuses the cursor %j: invalid_field',
  (cursor) => {
    expect(codeOf(() => test.audits.list({ cursor }))).toBe('invalid_field');
  },
);

it.each([
  [minute(2), minute(2)],
  [minute(2), minute(1)],
])('refuses the time from %s to %s: invalid_field', (from, to) => {
  expect(codeOf(() => test.audits.list({ from, to }))).toBe('invalid_field');
  expect(codeOf(() => test.audits.export({ from, to }))).toBe('invalid_field');
});

it('keeps the order of time where the clock was set back', () => {
  test.clock.forward(-30 * minuteMs);
  test.audit.record({ kind: 'design.save', actor: actor(), target: 'earlier' });
  expect(targetsByPage({ limit: 50 }).flat().at(-1)).toBe('earlier');
});

it.each<[string, object, string]>([
  ['nothing', {}, 'audit_by_time'],
  ['kind', { kind: 'a.b' }, 'audit_by_kind '],
  ['user', { username: 'kim' }, 'audit_by_username '],
  ['kind and user', { kind: 'a.b', username: 'kim' }, 'audit_by_kind_and_username'],
  ['time', { from: minute(1), to: minute(2) }, 'audit_by_time'],
  ['kind and target', { kind: 'a.b', target: 'c' }, 'audit_by_kind '],
  [
    'kind, user and time, a later page',
    { kind: 'a.b', username: 'kim', from: minute(1), before: { at: minute(2), id: 1 } },
    'audit_by_kind_and_username',
  ],
])('asked by %s, reads one index in its order and sorts nothing', (_, filter, index) => {
  const plan = new AuditRepository(test.db).planOf({ ...filter, limit: 100 }).join();
  expect(`${plan} `).toContain(index);
  expect(plan).not.toMatch(/TEMP B-TREE|SCAN audit(?! USING INDEX)/);
});

describe('export', () => {
  async function rowsOf(query: Parameters<TestAccounts['audits']['export']>[0]): Promise<string[][]> {
    const chunks: string[] = [];
    for await (const chunk of auditCsv(test.audits.export(query))) chunks.push(chunk);
    const text = chunks.join('');
    expect(text.startsWith('\uFEFFid,at,kind,')).toBe(true);
    expect(text.endsWith('\r\n')).toBe(true);
    return text
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(','));
  }

  it('holds every record that fits, over many pages, newest first', async () => {
    for (let index = 250; index < 1200; index += 1) {
      test.audit.record({ kind: 'design.save', actor: actor(), target: `${index}` });
    }
    const targets = (await rowsOf({})).map((row) => row[7]);
    expect(targets).toEqual(Array.from({ length: 1200 }, (_, index) => `${1199 - index}`));
    expect(await rowsOf({ kind: 'facility.save' })).toHaveLength(125);
  });

  it('gives the head line alone for nothing', async () => {
    expect(await rowsOf({ kind: 'unheard.of' })).toEqual([]);
  });

  it.each(['=1+1', '+1', '-1', '@sum', '\t=1', '\r=1', '＝1', '=cmd|"/c calc"!A1'])(
    'writes %j so that no spreadsheet runs it',
    async (typed) => {
      test.audit.record({ kind: 'note.create', actor: actor({ username: typed }), target: typed, after: typed });
      const chunks: string[] = [];
      for await (const chunk of auditCsv(test.audits.export({ kind: 'note.create' }))) chunks.push(chunk);
      const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
      const line = chunks.join('').split('\n').slice(1).join('\n');
      expect(line).toContain(`,note.create,${quoted(`'${typed}`)},`);
      expect(line).toContain(`,${quoted(`'${typed}`)},,`); // target, and no state before
      expect(line).toContain(quoted(JSON.stringify(typed))); // JSON of a text begins with a quotation mark
    },
  );
});

describe('tidy', () => {
  it('gives up what is older than 400 days, slice by slice, and what is left is whole', async () => {
    test.clock.forward(400 * 24 * 60 * minuteMs - 9 * minuteMs);
    expect(await test.audits.tidy()).toBe(150);
    expect(targetsByPage({}).flat()).toHaveLength(100);
    expect(await test.audits.tidy()).toBe(0);
  });

  it('gives up nothing by the word of the clock alone', async () => {
    const trusted = test.clock.ms;
    const rows = new AuditRepository(test.db);
    const directory = dirname(test.db.name);
    const log = new AuditLog({ rows, transact: test.transact, now: test.clock.now, directory });
    test.clock.forward(800 * 24 * 60 * minuteMs);
    expect(await new AuditService(log, () => trusted).tidy()).toBe(0);
    expect(targetsByPage({}).flat()).toHaveLength(250);
  });
});
