// @vitest-environment happy-dom
import { flushPromises } from '@vue/test-utils';
import { expect, it, vi } from 'vitest';
import { defineComponent, h, shallowRef } from 'vue';
import AppShell from '../../../../../renderer/features/shell/AppShell.vue';
import { idOf } from '../../../../../renderer/features/feature.ts';
import { mounted } from '../../ui/mounted.ts';

// Menus measure it, and happy-dom has none.
vi.stubGlobal('visualViewport', Object.assign(new EventTarget(), { width: 1280, height: 800 }));

/** A page that, like those of a house, remembers what it read when it was opened. */
const page = defineComponent(
  (props: { facilityUuid?: string | undefined }) => {
    const read = shallowRef(props.facilityUuid);
    return () => h('p', { id: 'read' }, read.value);
  },
  { props: ['facilityUuid'] },
);

it('shows of a house nothing on the page of another', async () => {
  const shell = mounted(AppShell, {
    routes: [
      {
        path: '/houses/:facility_uuid',
        component: page,
        props: (route) => ({ facilityUuid: idOf(route.params.facility_uuid) }),
      },
    ],
  });
  const router = shell.vm.$router;
  await router.push('/houses/a');
  expect(shell.get('#read').text()).toBe('a');
  await router.push('/houses/b');
  await flushPromises();
  expect(shell.get('#read').text()).toBe('b');
});
