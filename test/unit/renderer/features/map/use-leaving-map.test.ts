// @vitest-environment happy-dom
import { flushPromises } from '@vue/test-utils';
import { expect, it, vi } from 'vitest';
import { useLeavingMap } from '../../../../../renderer/features/map/use-leaving-map.ts';
import { useOpenMap } from '../../../../../renderer/stores/map.ts';
import { mounted } from '../../ui/mounted.ts';

const guards = vi.hoisted((): (() => Promise<boolean>)[] => []);
vi.mock('vue-router', async (original) => ({
  ...(await original<object>()),
  onBeforeRouteLeave: (guard: () => Promise<boolean>) => guards.push(guard),
  onBeforeRouteUpdate: (guard: () => Promise<boolean>) => guards.push(guard),
}));

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
