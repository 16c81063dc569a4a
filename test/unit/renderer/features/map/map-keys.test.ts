// @vitest-environment happy-dom
import { mount } from '@vue/test-utils';
import { createPinia } from 'pinia';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { computed, defineComponent, h, ref } from 'vue';
import { ApiClient, clientKey } from '../../../../../renderer/client/client.ts';
import { useMapEditor } from '../../../../../renderer/features/map/map-editor.ts';
import { useMapKeys } from '../../../../../renderer/features/map/use-map-keys.ts';
import { en } from '../../../../../renderer/i18n/en/index.ts';
import { createTranslations } from '../../../../../renderer/i18n/index.ts';
import { typeLayersOf } from '../../../../../renderer/map/layer-settings.ts';
import { SiteMap } from '../../../../../renderer/map/site-map.ts';
import { useOpenMap } from '../../../../../renderer/stores/map.ts';
import { useNotice } from '../../../../../renderer/stores/notice.ts';
import type { Feature } from '../../../../../server/contract/overlay.ts';
import { square } from '../../map/features.ts';
import { eventually } from '../../../../support/eventually.ts';

/** What a browser without threads lacks. */
class Painter extends EventTarget {
  postMessage(): void {}
  terminate(): void {}
}

beforeEach(() => void vi.stubGlobal('Worker', Painter));
afterEach(() => void vi.unstubAllGlobals());

const [house, other] = [square(1), square(2)];
const label: Feature = {
  type: 'Feature',
  geometry: { type: 'Point', coordinates: [3, 3] },
  properties: { type: 'label', name: 'Well', unique_id: '00000000-0000-4000-8000-00000000000e' },
};

/** The open map with its keys, and a button beside it. */
async function setUp(holdsHouse = (_id: string): boolean => false) {
  const made: { page?: ReturnType<typeof parts> } = {};
  const canvas = ref<HTMLElement | null>(null);
  function parts() {
    const isReadOnly = ref(false);
    const editor = useMapEditor(canvas, {
      isReadOnly,
      earlier: ref(null),
      holdsHouse,
      covered: () => ({ right: 0, bottom: 0 }),
      clicked: () => false,
    });
    const hasCorners = computed(() => editor.tool.value === 'polygon');
    const act: Parameters<typeof useMapKeys>[1]['act'] = (action) => {
      if (action !== 'history') editor.act(action);
    };
    useMapKeys(editor, { isReadOnly, hasCorners, act, leave: () => false });
    return { editor, store: useOpenMap() };
  }
  const host = defineComponent({
    setup() {
      made.page = parts();
      return () => h('main', [h('div', { ref: canvas, id: 'map', tabindex: 0 }), h('button')]);
    },
  });
  const client = new ApiClient(() => new Promise(() => undefined));
  const provide = { [clientKey as symbol]: client }; // an injection key is a symbol
  const plugins = [createPinia(), createTranslations(en)];
  const wrapper = mount(host, { attachTo: document.body, global: { plugins, provide } });
  if (made.page === undefined || canvas.value === null) throw new Error('not mounted');
  const { editor, store } = made.page;
  const appearance = { isDark: false, unit_m: 1, attribution: '', label: '' };
  const map = new SiteMap(canvas.value, { lat: 0, lng: 0, zoom: 15 }, { appearance, listener: {} });
  vi.spyOn(map, 'showPreview').mockImplementation(() => undefined); // there is no canvas to draw on
  editor.map.value = map;
  store.put([house, other, label]);
  const press = async (selector: string, key: string, ctrlKey = false): Promise<void> => {
    wrapper.get(selector).element.dispatchEvent(new KeyboardEvent('keydown', { key, ctrlKey, bubbles: true }));
    await vi.dynamicImportSettled();
  };
  return { editor, store, map, press, leave: () => wrapper.unmount() };
}

it('selects all that is seen: not what is hidden, nor what a search leaves out', async () => {
  const { editor, map, press, leave } = await setUp();
  await press('#map', 'a', true);
  expect(editor.selection.value).toHaveLength(3);
  editor.select(null);
  map.setLayers(typeLayersOf().map((layer) => ({ ...layer, isVisible: layer.type !== 'label' })));
  map.showOnly(new Set([house, label].map(({ properties }) => properties.unique_id)));
  await press('#map', 'a', true);
  expect(editor.selection.value).toEqual([house.properties.unique_id]);
  leave();
});

it('applies a tool by Enter on the map, and leaves Enter on a button to the button', async () => {
  const { editor, store, press, leave } = await setUp();
  editor.select(house.properties.unique_id);
  editor.act('move');
  editor.shapeValues['east_m'] = 10;
  await press('button', 'Enter');
  expect([editor.tool.value, store.find(house.properties.unique_id)]).toEqual(['shape', house]);
  await press('#map', 'Enter');
  await eventually(() => expect(editor.tool.value).toBe('select'));
  expect(store.find(house.properties.unique_id)?.geometry).not.toEqual(house.geometry);
  leave();
});

it.each([
  ['z', 'drawn'],
  ['y', 'restored'],
])('keeps by Ctrl+%s a shape that was %s and has got a house since', async (key) => {
  const houses = new Set<string>();
  const { store, press, leave } = await setUp((id) => houses.has(id));
  if (key === 'y') {
    store.remove([house.properties.unique_id]);
    store.undo();
  }
  houses.add(house.properties.unique_id);
  await press('#map', key, true);
  expect(store.find(house.properties.unique_id)).toEqual(house);
  expect(useNotice().shown?.text).toBe(en.errors.shape_in_use);
  houses.clear();
  await press('#map', key, true);
  expect(store.find(house.properties.unique_id)).toBeUndefined();
  leave();
});

/** Has the map begin to move a little: for a quarter of a second, of a clock that stands until it is real again. */
function startMoving(map: SiteMap): void {
  vi.useFakeTimers({ toFake: ['Date'] });
  const canvas = document.querySelector('#map');
  for (const size of ['clientWidth', 'clientHeight']) Object.defineProperty(canvas, size, { value: 600 });
  map.resized();
  map.setView({ lat: 0, lng: 0.001, zoom: 15 });
}

it('takes back by Ctrl+Z the corner that waits for the map to rest, not the one before it', async () => {
  const { editor, map, press, leave } = await setUp();
  const done: string[] = [];
  vi.spyOn(map.hand, 'corners', 'get').mockReturnValue([[0, 0]]); // there is no canvas to draw them on
  vi.spyOn(map.hand, 'addCorner').mockImplementation(() => void done.push('set'));
  vi.spyOn(map.hand, 'removeLastCorner').mockImplementation(() => void done.push('taken back'));
  editor.tool.value = 'polygon';
  startMoving(map);
  await press('#map', ' ');
  await press('#map', 'z', true);
  expect(done).toEqual([]);
  vi.useRealTimers();
  await eventually(() => expect(done).toEqual(['set', 'taken back']));
  leave();
});

it('sets one point by Enter pressed twice while the map moves, and selects nothing after Escape', async () => {
  const { editor, store, map, press, leave } = await setUp();
  const { length } = store.features;
  editor.setTool('marker');
  startMoving(map);
  for (const key of ['Enter', 'Enter', 'Escape']) await press('#map', key);
  expect([editor.tool.value, store.features.length]).toEqual(['marker', length]);
  vi.useRealTimers();
  await eventually(() => expect(map.hasWaiting).toBe(false));
  expect([editor.tool.value, store.features.length]).toEqual(['select', length + 1]);
  expect(editor.selection.value).toEqual([]);
  leave();
});
