// @vitest-environment happy-dom
import { flushPromises } from '@vue/test-utils';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Band } from '../../../../../renderer/features/house/bands.ts';
import type { Aimed } from '../../../../../renderer/features/house/trend.ts';
import TrendLine from '../../../../../renderer/features/house/TrendLine.vue';
import { mounted } from '../../ui/mounted.ts';

const nowMs = Date.parse('2026-03-01T06:00:00.000Z');
const at = (before_s: number, value: number | null) => ({ time_ms: nowMs - before_s * 1_000, value });
const usual: Band = { scale: [0, 45], usual: [15, 30] };

/** Everything is 100 px wide. */
class Observer {
  readonly #seen: (entries: object[]) => void;

  constructor(seen: (entries: object[]) => void) {
    this.#seen = seen;
  }

  observe(): void {
    this.#seen([{ contentRect: { width: 100, height: 36 } }]);
  }

  disconnect = (): void => undefined;
}

beforeEach(() => {
  vi.useFakeTimers({ now: nowMs });
  vi.stubGlobal('ResizeObserver', Observer);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** The shaded part behind a line from 10 to 20 C over ten minutes. */
async function shaded(band: Band, aimed: Aimed | null) {
  const samples = [at(600, 10), at(0, 20)];
  const line = mounted(TrendLine, { props: { samples, name: 'Temperature', unit: 'C', leastSpan: 1, band, aimed } });
  await flushPromises();
  expect(line.findAll('.trend__line')).toHaveLength(1);
  return { path: line.find('path.trend__range'), area: line.find('rect.trend__range') };
}

it('shades the setpoints of each time in steps, and nothing where there were none', async () => {
  const aimed = {
    low: [at(600, 12), at(300, 14), at(120, null)],
    high: [at(600, 16), at(300, 18), at(120, null)],
  };
  const { path, area } = await shaded({ ...usual, isSet: true }, aimed);
  expect(path.attributes('d')).toBe('M0.0 24.0V12.0H50.0V6.0H80.0V18.0H50.0V24.0H0.0Z');
  expect(area.exists()).toBe(false);
});

it('shades the usual range over the whole day where nothing was aimed at', async () => {
  const never = { low: [at(600, null)], high: [at(600, null)] };
  for (const aimed of [null, never]) {
    const { path, area } = await shaded(usual, aimed);
    expect(path.exists()).toBe(false);
    expect(area.attributes()).toMatchObject({ x: '0', y: '0', width: '100', height: '15' });
  }
});
