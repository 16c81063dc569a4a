// @vitest-environment happy-dom
import { flushPromises, mount } from '@vue/test-utils';
import { createPinia } from 'pinia';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { defineComponent, h, ref } from 'vue';
import { ApiClient, clientKey } from '../../../../../renderer/client/client.ts';
import { useOthersSaves } from '../../../../../renderer/features/map/use-others-saves.ts';
import { en } from '../../../../../renderer/i18n/en/index.ts';
import { createTranslations } from '../../../../../renderer/i18n/index.ts';
import { useLive } from '../../../../../renderer/stores/live.ts';
import { useOpenMap } from '../../../../../renderer/stores/map.ts';
import { useNotice } from '../../../../../renderer/stores/notice.ts';
import { useSession } from '../../../../../renderer/stores/session.ts';
import type { Feature } from '../../../../../server/contract/overlay.ts';

const map_uuid = '6f2b8a54-6d43-4f07-9f6e-0c2f3b1d5a10';
const other = '6f2b8a54-6d43-4f07-9f6e-0c2f3b1d5a11';
const at = '2026-03-01T06:00:00.000Z';

function tree(lng: number): Feature {
  const properties = { unique_id: `00000000-0000-4000-8000-00000000000${lng}`, type: 'label' as const, name: 'Tree' };
  return { type: 'Feature', geometry: { type: 'Point', coordinates: [lng, 0] }, properties };
}

const listeners = new Map<string, (event: Event) => void>();

beforeEach(() => {
  // An answer is read in slices of time; on a busy machine its second one would come after the flush of a test.
  vi.spyOn(performance, 'now').mockReturnValue(0);
  vi.stubGlobal(
    'EventSource',
    class {
      readyState = 1;
      addEventListener = (kind: string, listener: (event: Event) => void) => void listeners.set(kind, listener);
      close = () => undefined;
    },
  );
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** A map that has `revision` trees on the server, opened here with one. */
async function setUp() {
  const onServer = { revision: 1, isLong: false, answering: () => undefined as void };
  const asked: string[] = [];
  const isFree = ref(true);
  /** A save of layers is answered with the map as it was at first. */
  const server: typeof fetch = async (address, options) => {
    const path = typeof address === 'string' ? address : '';
    const isSave = path.startsWith('/api/geo/designs?') && options?.method === 'POST';
    const since = new RegExp(`^/api/geo/overlays/changes\\?geo_id=${map_uuid}&since=(\\d)&design=true$`).exec(
      path,
    )?.[1];
    const { revision: now, isLong } = onServer;
    const trees = (count: number) => Array.from({ length: count }, (_, index) => tree(index + 1));
    if (since !== undefined) {
      asked.push(`since ${since}`);
      const features = isLong ? [] : trees(now).slice(Number(since));
      return Response.json({ map_uuid, revision: now, read_whole: isLong, features, deleted: [] });
    }
    if (!isSave && address !== `/api/geo/designs/${map_uuid}`) return new Promise(() => undefined);
    if (!isSave) {
      asked.push('whole');
      onServer.answering();
    }
    const revision = isSave ? 1 : now;
    const features = { type: 'FeatureCollection', map_uuid, revision, features: trees(revision) };
    const place = { name: 'Farm', lat: 0, lng: 0, zoom: 18, layers: {} };
    return Response.json({ map_uuid, ...place, features, revision, created_at: at, updated_at: at });
  };
  const host = defineComponent({
    setup() {
      useOthersSaves(
        () => map_uuid,
        () => isFree.value,
      );
      return () => h('div');
    },
  });
  const provide = { [clientKey as symbol]: new ApiClient(server) }; // an injection key is a symbol
  mount(host, { global: { plugins: [createPinia(), createTranslations(en)], provide } });
  vi.spyOn(useSession(), 'can').mockReturnValue(true);
  const store = useOpenMap();
  await store.open(map_uuid);
  asked.length = 0;
  useLive().start();
  const saved = async (revision: number, of = map_uuid) => {
    onServer.revision = revision;
    const event = { kind: 'map', id: 'b:1', at, state: 'living', revision, map_uuid: of };
    listeners.get('map')?.(new MessageEvent('map', { data: JSON.stringify(event), lastEventId: 'b:1' }));
    await flushPromises();
  };
  return { store, isFree, saved, asked, onServer, shown: () => store.features.length };
}

it('shows what others saved at once where nothing is under work', async () => {
  const { saved, shown } = await setUp();
  await saved(3);
  expect(shown()).toBe(3);
  await saved(4, other);
  expect(shown()).toBe(3);
});

it('asks only for what changed, and for all of it where that is not told', async () => {
  const { saved, shown, asked, onServer } = await setUp();
  await saved(2);
  await saved(4);
  expect([shown(), ...asked]).toEqual([4, 'since 1', 'since 2']);
  onServer.isLong = true;
  await saved(5);
  expect([shown(), ...asked.slice(2)]).toEqual([5, 'since 4', 'whole']);
});

/** The service was away for a while. */
async function restart(): Promise<void> {
  const live = useLive();
  for (const state of ['open', 'lost', 'open'] as const) {
    live.stream = state;
    await flushPromises();
  }
}

it('reads the whole map once after the service was away, which may have come back from a backup', async () => {
  const { saved, shown, asked } = await setUp();
  await restart();
  await saved(2);
  await saved(3);
  expect([shown(), ...asked]).toEqual([3, 'whole', 'since 2']);
});

it('follows a map that a backup put back to an earlier revision', async () => {
  const { saved, shown, asked } = await setUp();
  await saved(5);
  await restart();
  await saved(3);
  await saved(4);
  expect([shown(), ...asked]).toEqual([4, 'since 1', 'whole', 'since 3']);
});

it('reads nothing where the service was away and no save was missed', async () => {
  const { saved, isFree, asked } = await setUp();
  await saved(5);
  await restart();
  isFree.value = false;
  await flushPromises();
  isFree.value = true;
  await flushPromises();
  expect(asked).toEqual(['since 1']);
});

it('reads the whole map again where the service went away while it was read', async () => {
  const { saved, shown, asked, store, onServer } = await setUp();
  store.doubt();
  onServer.answering = store.doubt;
  await saved(2);
  onServer.answering = () => undefined;
  await saved(3);
  await saved(4);
  expect([shown(), ...asked]).toEqual([4, 'whole', 'whole', 'since 3']);
});

it('moves nothing under a tool, and follows when it is laid down', async () => {
  const { saved, shown, isFree } = await setUp();
  isFree.value = false;
  await saved(2);
  expect(shown()).toBe(1);
  isFree.value = true;
  await flushPromises();
  expect(shown()).toBe(2);
});

it('touches nothing that is not saved yet', async () => {
  const { store, saved, shown } = await setUp();
  store.put([tree(9)]);
  await saved(3);
  expect([shown(), store.isUnsaved()]).toEqual([2, true]);
});

it('says what undo leaves once someone else changed its shape', async () => {
  const { store, saved, shown } = await setUp();
  store.put([tree(2)]);
  store.remove([tree(2).properties.unique_id]);
  await saved(2);
  expect([shown(), store.canUndo, useNotice().shown?.text]).toEqual([2, false, en.map.undoForgotten]);
});

it('leaves a message that offers something, such as to take back what was thrown away', async () => {
  const { store, saved } = await setUp();
  store.put([tree(2)]);
  store.remove([tree(2).properties.unique_id]);
  const undo = { label: en.ui.undo, run: () => undefined };
  useNotice().done('Discarded', undo);
  await saved(2);
  expect([store.canUndo, useNotice().shown?.text]).toEqual([false, 'Discarded']);
});

it('keeps what was saved meanwhile when layers are saved', async () => {
  const { store, saved, shown } = await setUp();
  await saved(3);
  await store.saveLayers([]);
  expect([shown(), store.revision()]).toEqual([3, 3]);
});
