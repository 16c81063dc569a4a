// @vitest-environment happy-dom
import { flushPromises, mount } from '@vue/test-utils';
import { createPinia } from 'pinia';
import { expect, it } from 'vitest';
import { defineComponent, h, ref } from 'vue';
import { ApiClient, clientKey } from '../../../../../renderer/client/client.ts';
import { useMapHistory } from '../../../../../renderer/features/map/use-map-history.ts';
import { en } from '../../../../../renderer/i18n/en/index.ts';
import { createTranslations } from '../../../../../renderer/i18n/index.ts';
import { useOpenMap } from '../../../../../renderer/stores/map.ts';
import { useNotice } from '../../../../../renderer/stores/notice.ts';
import type { Design, MapRevision } from '../../../../../server/contract/design.ts';

const map_uuid = '6f2b8a54-6d43-4f07-9f6e-0c2f3b1d5a10';
const at = '2026-03-01T06:00:00.000Z';

function state(revision: number): Design {
  const place = { name: 'Farm', lat: 37, lng: 127, zoom: 18, layers: {} };
  const features = { type: 'FeatureCollection' as const, map_uuid, revision, features: [] };
  return { map_uuid, ...place, features, revision, created_at: at, updated_at: at };
}

function save(revision: number): MapRevision {
  return { revision, kind: 'delta', user_id: null, username: 'ann', at, added: 1, modified: 0, deleted: 0 };
}

/** A map of three saves. Reads of revision 1 wait until `late` is called. */
async function setUp() {
  let newest = 3;
  let late: () => void = () => undefined;
  const asked: string[] = [];
  const server: typeof fetch = async (address, init) => {
    if (typeof address !== 'string') throw new Error('the client asks by path');
    const path = address.replace(`/api/geo/designs/${map_uuid}`, '');
    asked.push(`${init?.method} ${path}`);
    const of = Number(/\d+/.exec(path)?.[0]);
    if (path.endsWith('/restore')) return Response.json(state((newest += 1)));
    if (path === '/history/1') await new Promise<void>((resolve) => (late = resolve));
    if (/^\/history\/\d+$/.test(path)) return Response.json(state(of));
    const history = Array.from({ length: newest }, (_, index) => save(newest - index));
    return Response.json(path === '' ? state(newest) : { history, next_cursor: null });
  };
  const made: { history?: ReturnType<typeof useMapHistory> } = {};
  const host = defineComponent({
    setup() {
      made.history = useMapHistory(ref(map_uuid));
      return () => h('div');
    },
  });
  const pinia = createPinia();
  const provide = { [clientKey as symbol]: new ApiClient(server) }; // an injection key is a symbol
  mount(host, { global: { plugins: [pinia, createTranslations(en)], provide } });
  if (made.history === undefined) throw new Error('not mounted');
  await useOpenMap().open(map_uuid);
  await made.history.open();
  return { history: made.history, asked, late: () => late() };
}

it('shows what was asked for last, whatever comes late', async () => {
  const { history, late } = await setUp();
  const slow = history.look(1);
  await history.look(2);
  expect(history.earlier.value?.revision).toBe(2);
  late();
  await slow;
  expect(history.earlier.value?.revision).toBe(2);
});

it('goes back to now by the newest save, by leaving, and when it is closed', async () => {
  const { history } = await setUp();
  await history.look(2);
  await history.look(3);
  expect(history.earlier.value).toBeNull();
  await history.look(2);
  history.leave();
  expect([history.earlier.value, history.isOpen.value]).toEqual([null, true]);
  history.leave();
  expect(history.isOpen.value).toBe(false);
});

it('brings a state back as a new revision, and undo brings back what was before', async () => {
  const { history, asked } = await setUp();
  await history.look(2);
  await history.restore(2);
  expect([history.earlier.value, history.newest.value]).toEqual([null, 4]);
  useNotice().shown?.action?.run();
  await flushPromises();
  expect(asked.filter((one) => one.startsWith('POST'))).toEqual(['POST /history/2/restore', 'POST /history/3/restore']);
});
