import { expect, it } from 'vitest';
import { trendShown } from '../../../../../server/contract/trend-view.ts';
import { shownAt, shownOf, type Shown } from '../../../../../renderer/features/trends/view.ts';

const hourMs = 3_600_000;
const nowMs = Date.UTC(2026, 2, 1, 6);
const laterMs = nowMs + 48 * hourMs;
const id = (digit: number) => `${digit}`.repeat(8) + '-0000-4000-8000-000000000000';
const [air, damp, heater] = [`${id(1)}/${id(2)}`, `${id(1)}/${id(3)}`, `${id(4)}/0`];
const pastMs = (hours: number) => ({ from_ms: nowMs - hours * hourMs, to_ms: nowMs });
const plain: Shown = {
  series: [air, damp],
  hidden: [],
  outputs: [],
  span: pastMs(24),
  compare: null,
  hasForecast: false,
  base_c: 10,
};

it.each<[string, Partial<Shown>, Shown['span']]>([
  ['the last day goes on with time', {}, { from_ms: laterMs - 24 * hourMs, to_ms: laterMs }],
  [
    'the last day with the forecast reaches as far ahead again',
    { hasForecast: true, span: { from_ms: nowMs - 24 * hourMs, to_ms: nowMs + 24 * hourMs } },
    { from_ms: laterMs - 24 * hourMs, to_ms: laterMs + 24 * hourMs },
  ],
  [
    'an afternoon of the past keeps its dates',
    { span: { from_ms: nowMs - 90 * hourMs, to_ms: nowMs - 86 * hourMs } },
    { from_ms: nowMs - 90 * hourMs, to_ms: nowMs - 86 * hourMs },
  ],
])('opens later as it was saved: %s', (_, more, span) => {
  const shown: Shown = {
    ...plain,
    hidden: [damp],
    outputs: [heater],
    compare: { with: 'house', facility_uuid: id(5) },
    base_c: 4.5,
    ...more,
  };
  const stored = trendShown.parse(JSON.parse(JSON.stringify(shownOf(shown, nowMs))));
  expect(shownAt(stored, laterMs)).toEqual({ ...shown, span });
});

it('saves no hidden line that was taken away', () => {
  expect(shownOf({ ...plain, series: [air], hidden: [damp] }, nowMs).hidden).toEqual([]);
});
