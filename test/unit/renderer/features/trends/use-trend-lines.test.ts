// @vitest-environment happy-dom
import { createPinia } from 'pinia';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createApp, effectScope, ref } from 'vue';
import { ApiClient, clientKey } from '../../../../../renderer/client/client.ts';
import { useComparedLines, useTrendLines } from '../../../../../renderer/features/trends/use-trend-lines.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const span = { from_ms: 10 * dayMs, to_ms: 10 * dayMs + hourMs };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** One reading at the beginning of what is asked for; nothing is answered while `isSlow`. */
function setUp<Use>(use: () => Use) {
  const server = { isSlow: false };
  const client = new ApiClient(async (address) => {
    if (server.isSlow) return new Promise(() => undefined);
    const from =
      new URL(typeof address === 'string' ? address : '', 'http://orangery.test').searchParams.get('from') ?? '';
    const series = { device_id: 'house', measurement_id: 'air', unit: 'C', times: [Date.parse(from)], values: [20] };
    return Response.json({ series: [series] });
  });
  const app = createApp({}).use(createPinia()).provide(clientKey, client);
  const used = app.runWithContext(() => effectScope().run(use));
  if (used === undefined) throw new Error('no scope');
  return { used, server };
}

it('lays an earlier time where it was asked for until another one is read', async () => {
  const beforeMs = ref<number | null>(dayMs);
  const { used, server } = setUp(() =>
    useComparedLines(() => ({ keys: ['house/air'], span, before_ms: beforeMs.value })),
  );
  await vi.advanceTimersByTimeAsync(1_000);
  expect(used.compared.value).toMatchObject([{ times: [span.from_ms] }]);

  server.isSlow = true;
  beforeMs.value = 7 * dayMs;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(used.compared.value).toMatchObject([{ times: [span.from_ms] }]);
});

it('reads nothing any more once all channels are taken away', async () => {
  const keys = ref(['house/air']);
  const { used, server } = setUp(() => useTrendLines(() => ({ keys: keys.value, span, follow: null })));
  server.isSlow = true;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(used.isLoading.value).toBe(true);

  keys.value = [];
  await vi.advanceTimersByTimeAsync(1_000);
  expect(used.isLoading.value).toBe(false);
});
