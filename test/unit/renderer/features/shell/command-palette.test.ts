// @vitest-environment happy-dom
import { flushPromises } from '@vue/test-utils';
import { expect, it, vi } from 'vitest';
import { useRouter } from 'vue-router';
import { defineComponent, h, ref } from 'vue';
import { features } from '../../../../../renderer/features/features.ts';
import CommandPalette from '../../../../../renderer/features/shell/CommandPalette.vue';
import { useLive } from '../../../../../renderer/stores/live.ts';
import { useSession } from '../../../../../renderer/stores/session.ts';
import { eventually } from '../../../../support/eventually.ts';
import { mounted } from '../../ui/mounted.ts';

vi.stubGlobal('visualViewport', new EventTarget()); // which its dialog follows

const id = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;
const shown = {
  series: [{ device_id: id(5), measurement_id: id(6) }],
  ...{ hidden: [], outputs: [], span_s: 86_400, ends_at: null, compare: null, has_forecast: false, degree_base_c: 10 },
};
const view = { unique_id: id(4), name: 'Night', is_shared: true, is_own: false, author: 'lee', shown };
const program = {
  ...{ unique_id: id(2), facility_uuid: id(1), kind: 'climate' as const, name: 'Tomato', driver: '' },
  ...{ channels: [], is_activated: true, locations: [] },
};
const answers: Record<string, object> = {
  '/api/geo/facility/list': { facilities: [{ unique_id: id(1), name: 'House 1', sensors: [], actuators: [] }] },
  '/api/settings/dashboards': { dashboards: [{ unique_id: id(3), name: 'Morning', widgets: [] }] },
  '/api/settings/trend_views': { trend_views: [view] },
};

/** The palette, opened by someone with these permissions; `asked` are the paths that were read. */
async function opened(permissions: string[]) {
  const asked: string[] = [];
  const isOpen = ref(false);
  let router: ReturnType<typeof useRouter> | undefined;
  mounted(
    defineComponent(() => {
      router = useRouter();
      return () =>
        h(CommandPalette, { modelValue: isOpen.value, 'onUpdate:modelValue': (to: boolean) => (isOpen.value = to) });
    }),
    {
      routes: features.flatMap(({ routes }) => routes.map((one) => ({ ...one, component: {} }) as typeof one)),
      fetch: (address) => {
        const path = new URL(address as string, 'https://here').pathname;
        asked.push(path);
        if (path === '/api/auth/login') {
          return Promise.resolve(Response.json({ user: { username: 'kim' }, permissions, csrf_token: '' }));
        }
        const answer = answers[path];
        // What cannot be read takes nothing else away.
        return answer === undefined
          ? Promise.reject(new TypeError('no server'))
          : Promise.resolve(Response.json(answer));
      },
    },
  );
  useLive().devices = [program];
  await useSession().login({ username: 'kim', password: 'a long password' });
  asked.length = 0;
  isOpen.value = true;
  for (let turn = 0; turn < 20; turn += 1) await flushPromises(); // answers are read in several
  const offered = () => [...document.querySelectorAll<HTMLElement>('.palette__one')];
  async function find(query: string): Promise<string[]> {
    const field = document.querySelector<HTMLInputElement>('.palette input');
    if (field === null) throw new Error('no field');
    field.value = query;
    field.dispatchEvent(new Event('input'));
    await flushPromises();
    return offered().map((one) => [...one.querySelectorAll('span')].map(({ textContent }) => textContent).join(' – '));
  }
  return { asked, find, offered, address: () => router?.currentRoute.value.fullPath };
}

it('finds climate programs by their houses, dashboards and saved views', async () => {
  const { asked, find, offered, address } = await opened(['view_settings', 'view_stats']);
  const read = asked.filter((path) => path.startsWith('/api/settings/'));
  expect(read.toSorted()).toEqual(['/api/settings/dashboards', '/api/settings/trend_views']); // of no controller
  expect(await find('tomato')).toEqual(['House 1 · Tomato – Climate']);
  expect(await find('morning')).toEqual(['Morning – Dashboards']);
  expect(await find('night')).toEqual(['Night – Saved views · Shared by lee']);
  offered()[0]?.click();
  await eventually(() => expect(address()).toBe(`/trends?series=${id(5)}/${id(6)}`));
});

it('reads nothing that a person may not see', async () => {
  const { asked, find } = await opened([]);
  expect(await find('night')).toEqual([]);
  expect(asked.filter((path) => /settings\/(climates|trend_views)/.test(path))).toEqual([]);
  expect(await find('morning')).toEqual(['Morning – Dashboards']);
});
