// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest';
import { defineComponent, h } from 'vue';
import type { OutputOrigin } from '../../../../server/contract/output.ts';
import { useOriginText } from '../../../../renderer/ui/origin-text.ts';
import { mounted } from './mounted.ts';

const nowMs = Date.parse('2026-06-01T12:00:00Z');
afterEach(() => vi.useRealTimers());

it.each([
  { at: new Date(nowMs - 10_000).toISOString(), said: 'Automatic · Climate program “Tomato” · 18.8 °C, below 19 °C' },
  {
    at: new Date(nowMs - 1_800_000).toISOString(),
    said: /^Automatic · Climate program “Tomato” · 18.8 °C, below 19 °C \(as of \d\d:30:00\)$/,
  },
  { at: undefined, said: 'Automatic · Climate program “Tomato” · 18.8 °C, below 19 °C' },
])('says of which time the numbers of a cause are, once they are past: $at', ({ at, said }) => {
  vi.useFakeTimers({ now: nowMs });
  const cause = { kind: 'climate', unique_id: '', name: 'Tomato', because: '18.8 °C, below 19 °C', at };
  const origin: OutputOrigin = { source: 'automatic', actor: 'Tomato', reason: '', rule: null, cause };
  const line = mounted(
    defineComponent(() => {
      const originText = useOriginText();
      return () => h('p', originText(origin));
    }),
    {},
  );
  if (typeof said === 'string') expect(line.text()).toBe(said);
  else expect(line.text()).toMatch(said);
});
