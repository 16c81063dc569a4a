// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import LogLine from '../../../../../renderer/features/logs/LogLine.vue';
import type { LogEntry } from '../../../../../server/contract/log.ts';
import { mounted } from '../../ui/mounted.ts';

const entry: LogEntry = {
  at: '2026-11-27T08:00:00Z',
  level: 'error',
  source: 'service',
  message: 'the query failed',
  detail: {},
};

const shown = (detail: LogEntry['detail'], message = entry.message) =>
  mounted(LogLine, { props: { entry: { ...entry, detail, message } } });

it('says what belongs to a line in words with units, and leaves out what is not known', () => {
  const asked = { method: 'POST', path: '/api/notes', status: 201, ms: 1234.5, user: 'kim', key_id: null };
  const line = shown({ ...asked, queue: { isFull: true }, headers: {} }, '');
  expect(line.text()).toContain('POST /api/notes 201');
  const facts = line.findAll('[data-fact]').map((one) => one.text());
  expect(facts).toEqual(['Duration: 1,234.5\u202fms', 'User: kim', 'queue.isFull: Yes']);
  expect(shown({}).findAll('[data-fact]')).toEqual([]);
  expect(line.get('[data-fact="queue.isFull"] span').attributes('lang')).toBe('en');
});

it('groups the digits of an amount, not of what is a name', () => {
  const line = shown({ count: 12_345, lost: 1_000, port: 8443, pid: 41_207, err: { code: 1_500 } });
  const facts = line.findAll('[data-fact]').map((one) => one.text());
  expect(facts.map((text) => text.replace(/^.*: /, ''))).toEqual(['12,345', '1,000', '8443', '41207', '1500']);
});

it('folds what is long, such as where an error came from, under its name', () => {
  const line = shown({ err: { type: 'Error', message: 'EBUSY', stack: 'Error: EBUSY\n  at open (file.ts:1)' } });
  expect(line.findAll('[data-fact]').map((one) => one.element.tagName)).toEqual(['SPAN', 'SPAN', 'DETAILS']);
  expect(line.get('summary').text()).toBe('Where it failed');
  expect(line.get('pre').text()).toContain('at open (file.ts:1)');
  expect(
    shown({ answer: 'x'.repeat(201) })
      .get('details pre')
      .text(),
  ).toHaveLength(201);
});
