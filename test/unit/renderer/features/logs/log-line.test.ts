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

it.each([
  ['stands beside its message', { code: 'EBUSY' }, false],
  ['is folded where it is long', { stack: 'at step '.repeat(60) }, true],
])('what is recorded with a line %s', (_what, detail, isFolded) => {
  const line = mounted(LogLine, { props: { entry: { ...entry, detail } } });
  expect(line.find('details').exists()).toBe(isFolded);
  expect(line.get('code').text()).toContain(Object.values(detail)[0]?.trim());
});
