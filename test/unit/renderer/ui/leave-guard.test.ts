// @vitest-environment happy-dom
import { flushPromises, mount } from '@vue/test-utils';
import { beforeEach, describe, expect, it } from 'vitest';
import { defineComponent, h } from 'vue';
import { createMemoryHistory, createRouter, RouterView, type Router } from 'vue-router';
import { useLeaveGuard, type LeaveGuard } from '../../../../renderer/ui/leave-guard.ts';

describe('a screen with unsaved changes', () => {
  let router: Router;
  let guard: LeaveGuard;
  let isDirty: boolean;

  beforeEach(async () => {
    isDirty = true;
    const screen = defineComponent({
      setup() {
        guard = useLeaveGuard(() => isDirty);
        return () => h('p');
      },
    });
    const routes = [
      { path: '/boards/:id', component: screen },
      { path: '/', component: { render: () => h('p') } },
    ];
    router = createRouter({ history: createMemoryHistory(), routes });
    await router.push('/boards/a');
    mount(RouterView, { global: { plugins: [router] } });
    await flushPromises();
  });

  it.each(['/', '/boards/b', '/boards/a?wall=1'])('asks before %s', async (to) => {
    const going = router.push(to);
    await flushPromises();
    expect(guard.isAsking.value).toBe(true);
    expect(router.currentRoute.value.fullPath).toBe('/boards/a');
    guard.leave();
    await going;
    expect(router.currentRoute.value.fullPath).toBe(to);
  });

  it('asks nothing while the screen stays, or nothing was changed', async () => {
    await router.push('/boards/a?step=2');
    expect(router.currentRoute.value.fullPath).toBe('/boards/a?step=2');
    isDirty = false;
    await router.push('/boards/b');
    expect(router.currentRoute.value.fullPath).toBe('/boards/b');
  });

  it('stays where the question is closed', async () => {
    const going = router.push('/boards/b');
    await flushPromises();
    guard.isAsking.value = false;
    await going;
    expect(router.currentRoute.value.fullPath).toBe('/boards/a');
  });
});
