// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createPinia } from 'pinia';
import { createApp, effectScope } from 'vue';
import { createMemoryHistory, createRouter } from 'vue-router';
import { ApiClient, clientKey } from '../../../../../renderer/client/client.ts';
import { useShown } from '../../../../../renderer/features/trends/use-shown.ts';

const hourMs = 3_600_000;
const nowMs = Date.UTC(2026, 5, 1, 12);

beforeEach(() => void vi.useFakeTimers({ now: nowMs }));
afterEach(() => void vi.useRealTimers());

/** The page of trends under an address, and what else the site has. */
async function openAt(address: string, pinia = createPinia()) {
  const routes = ['/trends', '/alarms'].map((path) => ({ path, component: {} }));
  const router = createRouter({ history: createMemoryHistory(), routes });
  await router.push(address);
  const client = new ApiClient(() => Promise.reject(new Error('nothing is asked for')));
  const app = createApp({}).use(router).use(pinia).provide(clientKey, client);
  const scope = effectScope();
  const shown = app.runWithContext(() => scope.run(useShown));
  if (shown === undefined) throw new Error('no scope');
  return { router, shown, scope };
}

const settled = () => vi.advanceTimersByTimeAsync(1);

it('opens another address of the page, and that before by Back', async () => {
  const { router, shown } = await openAt(
    `/trends?series=box/air&outputs=box/1&forecast=on&from=${nowMs}&to=${nowMs + 1}`,
  );
  await router.push('/trends');
  await settled();
  expect([shown.series.value, shown.outputs.value, shown.hasForecast.value]).toEqual([[], [], false]);
  expect(shown.span.value).toEqual({ from_ms: nowMs - 24 * hourMs, to_ms: nowMs });
  router.back();
  await settled();
  expect([shown.series.value, shown.outputs.value, shown.hasForecast.value]).toEqual([['box/air'], ['box/1'], true]);
  expect(shown.span.value).toEqual({ from_ms: nowMs, to_ms: nowMs + 1 });
});

it('keeps what is chosen in quick succession, and the address of the last', async () => {
  const { router, shown } = await openAt('/trends?series=box/air');
  shown.series.value = ['box/air', 'box/soil'];
  await Promise.resolve();
  shown.hidden.value = ['box/air'];
  await Promise.resolve();
  shown.ask({ from_ms: nowMs - 2 * hourMs, to_ms: nowMs - hourMs });
  await settled();
  expect([shown.series.value, shown.hidden.value]).toEqual([['box/air', 'box/soil'], ['box/air']]);
  expect(router.currentRoute.value.query).toEqual({
    series: 'box/air,box/soil',
    hidden: 'box/air',
    from: String(nowMs - 2 * hourMs),
    to: String(nowMs - hourMs),
  });
});

it('does not hold back who leaves for a page that is still being loaded, while the span moves with time', async () => {
  const { router, shown } = await openAt('/trends?series=box/air');
  router.addRoute({ path: '/climate', component: () => new Promise((done) => setTimeout(() => done({}), 50)) });
  const left = router.push('/climate');
  await settled();
  vi.setSystemTime(nowMs + hourMs);
  shown.ask({ from_ms: nowMs - 23 * hourMs, to_ms: nowMs + hourMs });
  await vi.advanceTimersByTimeAsync(100);
  await left;
  expect(router.currentRoute.value.path).toBe('/climate');
});

it('leaves the address of another page alone', async () => {
  const { router, shown, scope } = await openAt('/trends?series=box/air');
  await router.push('/alarms?search=box');
  await settled();
  expect(shown.series.value).toEqual(['box/air']);
  expect(router.currentRoute.value.fullPath).toBe('/alarms?search=box');
  scope.stop();
  await router.push('/trends?series=box/soil');
  expect(shown.series.value).toEqual(['box/air']);
});

it('finds what was shown again where one comes back to the bare address, but not by another one', async () => {
  const pinia = createPinia();
  const first = await openAt('/trends?series=box/air,box/soil&hidden=box/soil&outputs=box/1', pinia);
  first.shown.ask({ from_ms: nowMs - 6 * hourMs, to_ms: nowMs });
  first.scope.stop();
  vi.setSystemTime(nowMs + hourMs);
  const { router, shown, scope } = await openAt('/trends', pinia);
  await settled();
  expect([shown.series.value, shown.hidden.value, shown.outputs.value]).toEqual([
    ['box/air', 'box/soil'],
    ['box/soil'],
    ['box/1'],
  ]);
  expect(shown.span.value).toEqual({ from_ms: nowMs - 5 * hourMs, to_ms: nowMs + hourMs });
  expect(router.currentRoute.value.query).toMatchObject({ series: 'box/air,box/soil' });
  scope.stop();
  const linked = await openAt('/trends?series=box/leaf', pinia);
  expect([linked.shown.series.value, linked.shown.outputs.value]).toEqual([['box/leaf'], []]);
});
