// @vitest-environment happy-dom
import { flushPromises } from '@vue/test-utils';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useLeavingMap } from '../../../../../renderer/features/map/use-leaving-map.ts';
import { en } from '../../../../../renderer/i18n/en/index.ts';
import { useOpenMap } from '../../../../../renderer/stores/map.ts';
import { mounted } from '../../ui/mounted.ts';

const guards = vi.hoisted((): (() => Promise<boolean>)[] => []);
vi.mock('vue-router', async (original) => ({
  ...(await original<object>()),
  onBeforeRouteLeave: (guard: () => Promise<boolean>) => guards.push(guard),
  onBeforeRouteUpdate: (guard: () => Promise<boolean>) => guards.push(guard),
}));

beforeEach(() => void (guards.length = 0));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('leaves the map, for another too, only when what holds it open has ended', async () => {
  mounted({ setup: () => (useLeavingMap(), () => null) }, {});
  const work = Promise.withResolvers<void>();
  void useOpenMap().whileOpen(work.promise);
  const answers: boolean[] = [];
  for (const mayLeave of guards) void mayLeave().then((isAllowed) => answers.push(isAllowed));
  await flushPromises();
  const closing = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(closing);
  expect([answers, closing.defaultPrevented]).toEqual([[], true]);
  work.resolve();
  await flushPromises();
  expect(answers).toEqual([true, true]);
});

it.each([true, false])(
  'asks after a moment whether to leave while something still holds the map: %s',
  async (wants) => {
    mounted({ setup: () => (useLeavingMap(), () => null) }, {});
    vi.useFakeTimers();
    const asked = vi.fn(() => wants);
    vi.stubGlobal('confirm', asked);
    void useOpenMap().whileOpen(new Promise(() => undefined));
    const [mayLeave] = guards;
    const answer = mayLeave?.();
    await vi.advanceTimersByTimeAsync(4_000);
    expect(asked).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await answer).toBe(wants);
    expect(asked).toHaveBeenCalledExactlyOnceWith(en.map.leave);
  },
);
