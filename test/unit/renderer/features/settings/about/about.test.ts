import { describe, expect, it } from 'vitest';
import { readBill } from '../../../../../../renderer/features/settings/about/bill.ts';
import {
  logText,
  supportText,
  type SupportPart,
} from '../../../../../../renderer/features/settings/about/support-parts.ts';

describe('readBill', () => {
  const bill = {
    metadata: { component: { version: '1.2.3' } },
    components: [
      { name: 'b', version: '2.0.0', licenses: [{ license: { id: 'MIT' } }, { license: { name: 'Own' } }] },
      { name: 'a', version: '1.0.0', licenses: [{ expression: 'MIT OR Apache-2.0' }] },
      { name: 'c', version: '1.0.0' },
    ],
  };

  it('lists the packages by name, with their licences', () => {
    expect(readBill(bill)).toEqual({
      version: '1.2.3',
      parts: [
        { name: 'a', version: '1.0.0', licence: 'MIT OR Apache-2.0' },
        { name: 'b', version: '2.0.0', licence: 'MIT, Own' },
        { name: 'c', version: '1.0.0', licence: '' },
      ],
    });
  });

  it('throws for what is no bill', () => expect(() => readBill({ components: [] })).toThrow());
});

describe('the support file', () => {
  const part = (name: SupportPart['name'], rest: Partial<SupportPart>): SupportPart => ({
    name,
    text: 'text',
    reason: '',
    isIn: true,
    ...rest,
  });

  it('holds what was left in, and why a part is missing', () => {
    const parts = [
      part('program', {}),
      part('log', { isIn: false }),
      part('daemon', { text: null, reason: 'forbidden' }),
    ];
    expect(supportText(parts)).toBe('===== program =====\ntext\n\n===== daemon =====\n(forbidden)\n');
  });

  it('has the log oldest first, a line each', () => {
    const line = { source: 'service', level: 'warn', message: 'm' } as const;
    const logs = [
      { ...line, at: '2026-01-02T00:00:00.000Z', detail: { port: 1 } },
      { ...line, at: '2026-01-01T00:00:00.000Z', detail: {} },
    ];
    expect(logText({ logs })).toBe(
      '2026-01-01T00:00:00.000Z service WARN m\n2026-01-02T00:00:00.000Z service WARN m  {"port":1}',
    );
  });
});
