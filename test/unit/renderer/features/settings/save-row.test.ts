// @vitest-environment happy-dom
import { flushPromises } from '@vue/test-utils';
import { expect, it, vi } from 'vitest';
import { defineComponent, h, shallowRef } from 'vue';
import { RouterView, useRouter, type Router } from 'vue-router';
import SaveRow from '../../../../../renderer/features/settings/SaveRow.vue';
import ConfirmDialog from '../../../../../renderer/ui/ConfirmDialog.vue';
import { mounted } from '../../ui/mounted.ts';

// Dialogs measure it, and happy-dom has none.
vi.stubGlobal('visualViewport', Object.assign(new EventTarget(), { width: 1280, height: 800 }));

/** A settings page with changes, and the rest of the site. */
async function openAt(path: string, { mayEdit = true } = {}) {
  const isChanged = shallowRef(true);
  const form = {
    isChanged,
    canSave: shallowRef(true),
    mayEdit: shallowRef(mayEdit),
    submission: { isBusy: shallowRef(false), error: shallowRef<unknown>(null) },
    reset: () => void (isChanged.value = false),
  };
  const routers: Router[] = [];
  const app = defineComponent(() => {
    routers.push(useRouter());
    return () => h(RouterView);
  });
  const page = mounted(app, {
    routes: [
      { path: '/settings/safety', component: () => Promise.resolve({ render: () => h(SaveRow, { form }) }) },
      { path: '/alarms', component: { render: () => null } },
    ],
  });
  const [router] = routers;
  if (router === undefined) throw new Error('no router');
  await router.push(path);
  await flushPromises();
  return { page, router, isChanged };
}

it('asks before limits that were typed and not saved are left', async () => {
  const { page, router } = await openAt('/settings/safety');
  const going = router.push('/alarms');
  await flushPromises();
  expect(router.currentRoute.value.path).toBe('/settings/safety');
  page.getComponent(ConfirmDialog).vm.$emit('confirm');
  await going;
  expect(router.currentRoute.value.path).toBe('/alarms');
});

it.each([
  ['what was discarded', {}, true],
  ['whoever may not change it', { mayEdit: false }, false],
])('does not ask about %s', async (_, given, isDiscarded) => {
  const { router, isChanged } = await openAt('/settings/safety', given);
  if (isDiscarded) isChanged.value = false;
  await router.push('/alarms');
  expect(router.currentRoute.value.path).toBe('/alarms');
});
