import { expect, it } from 'vitest';
import { shallowRef } from 'vue';
import { useReadMoment } from '../../../../../renderer/features/trends/use-read-moment.ts';

it('reads at a mark of the keys while the pointer rests on the chart, and at the pointer once it moves', () => {
  const { pointedMs, markedMs, readMs } = useReadMoment(shallowRef({ from_ms: 0, to_ms: 100 }));
  expect(readMs.value).toBeNull();
  pointedMs.value = 20;
  expect(readMs.value).toBe(20);
  markedMs.value = 50;
  expect(readMs.value).toBe(50);
  pointedMs.value = 21;
  expect(readMs.value).toBe(21);
  pointedMs.value = null;
  expect(readMs.value).toBe(50);
  markedMs.value = null;
  expect(readMs.value).toBeNull();
});

it('keeps no mark that a span has left behind', () => {
  const span = shallowRef({ from_ms: 0, to_ms: 100 });
  const { markedMs, readMs } = useReadMoment(span);
  markedMs.value = 50;
  span.value = { from_ms: 60, to_ms: 160 };
  expect(readMs.value).toBeNull();
});
