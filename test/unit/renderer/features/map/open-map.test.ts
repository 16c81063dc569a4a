// @vitest-environment happy-dom
import { flushPromises, mount } from '@vue/test-utils';
import { createPinia } from 'pinia';
import { expect, it } from 'vitest';
import { defineComponent, h } from 'vue';
import { isAborted } from '../../../../../renderer/client/api-error.ts';
import { ApiClient, clientKey } from '../../../../../renderer/client/client.ts';
import { en } from '../../../../../renderer/i18n/en/index.ts';
import { createTranslations } from '../../../../../renderer/i18n/index.ts';
import { useOpenMap } from '../../../../../renderer/stores/map.ts';
import type { Design } from '../../../../../server/contract/design.ts';

const [slow, quick] = ['6f2b8a54-6d43-4f07-9f6e-0c2f3b1d5a10', '6f2b8a54-6d43-4f07-9f6e-0c2f3b1d5a11'];
const at = '2026-03-01T06:00:00.000Z';

function state(map_uuid: string): Design {
  const place = { name: map_uuid, lat: 37, lng: 127, zoom: 18, layers: {} };
  const features = { type: 'FeatureCollection' as const, map_uuid, revision: 1, features: [] };
  return { map_uuid, ...place, features, revision: 1, created_at: at, updated_at: at };
}

it.each([
  ['which the server answers all the same', false],
  ['which is called off', true],
])('of two openings the later one stays, although the earlier one, %s, is answered last', async (_how, hears) => {
  const { promise: late, resolve: answerSlow } = Promise.withResolvers<void>();
  const server: typeof fetch = async (address, init) => {
    if (typeof address !== 'string') throw new Error('the client asks by path');
    const map_uuid = address.split('/').at(-1) ?? '';
    if (map_uuid === slow) await late;
    if (hears) init?.signal?.throwIfAborted();
    return Response.json(state(map_uuid));
  };
  const provide = { [clientKey as symbol]: new ApiClient(server) }; // an injection key is a symbol
  const made: { store?: ReturnType<typeof useOpenMap> } = {};
  const host = defineComponent({
    setup() {
      made.store = useOpenMap();
      return () => h('div');
    },
  });
  mount(host, { global: { plugins: [createPinia(), createTranslations(en)], provide } });
  const { store } = made;
  const first = store?.open(slow).catch((error: unknown) => error);
  expect((await store?.open(quick))?.map_uuid).toBe(quick);
  answerSlow();
  expect(isAborted(await first)).toBe(true);
  await flushPromises();
  expect(store?.design?.map_uuid).toBe(quick);
});
