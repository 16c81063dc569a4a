// @vitest-environment happy-dom
import { mount } from '@vue/test-utils';
import { createPinia } from 'pinia';
import { expect, it } from 'vitest';
import { defineComponent, h, markRaw, nextTick, shallowRef } from 'vue';
import { ApiClient, clientKey } from '../../../../../renderer/client/client.ts';
import { mapDesk } from '../../../../../renderer/features/map/map-desk.ts';
import { useShapeTools } from '../../../../../renderer/features/map/use-shape-tools.ts';
import { en } from '../../../../../renderer/i18n/en/index.ts';
import { createTranslations } from '../../../../../renderer/i18n/index.ts';
import type { PreviewLine } from '../../../../../renderer/map/preview-lines.ts';
import type { SiteMap } from '../../../../../renderer/map/site-map.ts';
import { useOpenMap } from '../../../../../renderer/stores/map.ts';
import type { Feature } from '../../../../../server/contract/overlay.ts';
import { eventually } from '../../../../support/eventually.ts';
import { area, box } from '../../../../support/farm.ts';

function house(): Feature {
  const properties = { type: 'facility' as const, name: 'House 1', unique_id: crypto.randomUUID() };
  return { type: 'Feature', geometry: area(box(0, 0, 8, 50)), properties };
}

/** The tools with a house selected, over a map that only takes previews. */
function setUp() {
  const previews: (readonly PreviewLine[])[] = [];
  const hand = { drag: () => undefined, stop: () => undefined };
  const showPreview = (lines: readonly PreviewLine[]): number => previews.push(lines);
  const selected = shallowRef([house()]);
  const made: { tools?: ReturnType<typeof useShapeTools>; store?: ReturnType<typeof useOpenMap> } = {};
  const host = defineComponent({
    setup() {
      const desk = mapDesk();
      desk.map.value = markRaw({ hand, showPreview } as unknown as SiteMap); // all of it that a preview uses
      made.store = useOpenMap();
      made.tools = useShapeTools(desk, {
        holdsHouse: () => false,
        covered: () => ({ right: 0, bottom: 0 }),
        selectedFeatures: selected,
        selectAll: () => undefined,
        setTool: () => undefined,
      });
      return () => h('div');
    },
  });
  const provide = { [clientKey as symbol]: new ApiClient(() => new Promise(() => undefined)) }; // an injection key is a symbol
  mount(host, { global: { plugins: [createPinia(), createTranslations(en)], provide } });
  if (made.tools === undefined || made.store === undefined) throw new Error('not mounted');
  return { tools: made.tools, store: made.store, selected, previews };
}

it('draws the preview once a frame, with what was entered last', async () => {
  const { tools, previews } = setUp();
  tools.beginShapeTool('duplicate');
  await eventually(() => expect(previews).toHaveLength(1));
  for (let count = 2; count <= 30; count += 1) {
    tools.shapeValues['across'] = count;
    await nextTick();
  }
  await eventually(() => expect(previews.at(-1)).toHaveLength(29));
  expect(previews).toHaveLength(2);
});

it('keeps the name that someone else gave the shape while the tool worked', async () => {
  const { tools, store, selected } = setUp();
  const [before] = selected.value;
  if (before === undefined) throw new Error('it is there');
  tools.beginShapeTool('move');
  tools.shapeValues['east_m'] = 10;
  const applied = tools.applyShapeTool();
  const renamed = { ...before, properties: { ...before.properties, name: 'North house' } };
  selected.value = [renamed];
  await applied;
  const after = store.find(before.properties.unique_id);
  expect(after?.properties).toEqual(renamed.properties);
  expect(after?.geometry).not.toEqual(before.geometry);
});
