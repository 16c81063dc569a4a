// @vitest-environment happy-dom
import { mount } from '@vue/test-utils';
import { createPinia } from 'pinia';
import { expect, it } from 'vitest';
import { defineComponent, h, ref, shallowRef } from 'vue';
import { ApiClient, clientKey } from '../../../../../renderer/client/client.ts';
import { useMapDrop } from '../../../../../renderer/features/map/use-map-drop.ts';
import { en } from '../../../../../renderer/i18n/en/index.ts';
import { createTranslations } from '../../../../../renderer/i18n/index.ts';
import { useNotice } from '../../../../../renderer/stores/notice.ts';

/** The page with its map and a bar beside it. */
function setUp(isReadOnly: boolean) {
  const canvas = shallowRef<HTMLElement | null>(null);
  const made: { drops?: ReturnType<typeof useMapDrop>; notice?: ReturnType<typeof useNotice> } = {};
  const page = defineComponent({
    setup() {
      made.drops = useMapDrop({
        canvas,
        isReadOnly: ref(isReadOnly),
        map: shallowRef(null),
        placeDevice: () => undefined,
      });
      made.notice = useNotice();
      return () => h('main', [h('div', { ref: canvas, id: 'map' }), h('nav')]);
    },
  });
  const client = new ApiClient(() => new Promise(() => undefined));
  const provide = { [clientKey as symbol]: client }; // an injection key is a symbol
  const plugins = [createPinia(), createTranslations(en)];
  const wrapper = mount(page, { attachTo: document.body, global: { plugins, provide } });
  const { drops, notice } = made;
  if (drops === undefined || notice === undefined) throw new Error('not mounted');
  /**
   * Returns whether the browser would open the file in place of the page, while it is over it and when it is dropped.
   */
  const drop = (selector: string): boolean[] => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['{}'], 'farm.geojson'));
    return ['dragover', 'drop'].map((type) => {
      const event = new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true });
      Object.defineProperty(event, 'dataTransfer', { value: { types: ['Files'], files: dataTransfer.files } });
      return wrapper.get(selector).element.dispatchEvent(event);
    });
  };
  return { drops, notice, drop, leave: () => wrapper.unmount() };
}

it.each(['#map', 'nav'])('takes a file that is dropped on %s', (place) => {
  const { drops, drop, leave } = setUp(false);
  expect(drop(place)).toEqual([false, false]);
  expect(drops.isImporting.value).toBe(true);
  expect(drops.dropped.value.map(({ name }) => name)).toEqual(['farm.geojson']);
  leave();
});

it('says so where the map cannot be edited, and opens the file no more than elsewhere', () => {
  const { drops, notice, drop, leave } = setUp(true);
  expect(drop('#map')).toEqual([false, false]);
  expect(drops.isImporting.value).toBe(false);
  expect(notice.shown).toMatchObject({ kind: 'problem', text: en.map.file.readOnly });
  leave();
});
