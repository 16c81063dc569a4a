// @vitest-environment happy-dom
import { mount } from '@vue/test-utils';
import fc from 'fast-check';
import { createPinia } from 'pinia';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { computed, defineComponent, h, ref, shallowRef } from 'vue';
import { isApiError } from '../../../../../renderer/client/api-error.ts';
import { ApiClient, clientKey } from '../../../../../renderer/client/client.ts';
import { mapDesk } from '../../../../../renderer/features/map/map-desk.ts';
import { useMapChanges } from '../../../../../renderer/features/map/use-map-changes.ts';
import { followOthers } from '../../../../../renderer/features/map/use-others-saves.ts';
import { useShapeClipboard } from '../../../../../renderer/features/map/use-shape-clipboard.ts';
import { en } from '../../../../../renderer/i18n/en/index.ts';
import { createTranslations } from '../../../../../renderer/i18n/index.ts';
import { idOf } from '../../../../../renderer/map/edit-buffer.ts';
import { pathsOf, withPath } from '../../../../../renderer/map/geometry.ts';
import { useOpenMap } from '../../../../../renderer/stores/map.ts';
import type { Feature, Geometry } from '../../../../../server/contract/overlay.ts';
import { testMaps } from '../../../../support/maps.ts';
import { TroubledMaps, type Fate } from '../../../../support/troubled-maps.ts';

const runs = process.env.TEST_SCALE === 'long' ? 2_000 : 60;

type Corners = [number, number][];
const ring = (...corners: Corners): Corners => [...corners, corners[0] ?? [0, 0]];
const field = ring([0, 0], [1, 0], [1, 1], [0, 1]);
const pond = ring([0.4, 0.4], [0.4, 0.6], [0.6, 0.6], [0.6, 0.4]);
/** Some of them no service takes. */
const geometries: Geometry[] = [
  { type: 'Polygon', coordinates: [field, pond] },
  { type: 'Polygon', coordinates: [ring([0, 0], [1, 1], [1, 0], [0, 1])] },
  { type: 'Polygon', coordinates: [ring([0, 0], [1, 0], [1, 95])] },
  { type: 'LineString', coordinates: [[2, 2], [3, 3], [2, 3]] }, // prettier-ignore
  { type: 'Point', coordinates: [4, 4] },
];

function shape(geometry: Geometry, name = 'Shape'): Feature {
  return { type: 'Feature', geometry, properties: { type: 'reference', name, unique_id: crypto.randomUUID() } };
}

const kinds = [
  'drag',
  'drag',
  'paste',
  'import',
  'rename',
  'describe',
  'retype',
  'remove',
  'undo',
  'undo',
  'redo',
  'save',
  'save',
  'merge',
  'merge',
  'other',
  'other',
  'other name',
  'doubt',
  'resolve',
  'follow',
  'follow',
] as const;
const step = fc.record({
  kind: fc.constantFrom(...kinds),
  pick: fc.nat(),
  by: fc.tuple(fc.double({ min: -1, max: 1, noNaN: true }), fc.double({ min: -1, max: 1, noNaN: true })),
  fates: fc.array(fc.constantFrom<Fate>('answered', 'answered', 'lost', 'away', 'busy'), { maxLength: 3 }),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

beforeEach(() => void vi.useFakeTimers()); // nothing is saved but when the monkey says so
afterEach(() => void vi.useRealTimers());

function setUp(server: TroubledMaps) {
  const made: { page?: ReturnType<typeof parts> } = {};
  function parts() {
    const isReadOnly = ref(false);
    const placed = shallowRef<ReadonlyMap<string, string>>(new Map());
    const options = { isReadOnly, placed, holdsHouse: () => false, covered: () => ({ right: 0, bottom: 0 }) };
    const selecting = { select: () => undefined, selectAll: () => undefined };
    const changes = useMapChanges(mapDesk(), { ...options, ...selecting });
    const editor = { selectAll: () => undefined, removeSelected: () => undefined };
    const selectedFeatures = computed<Feature[]>(() => []);
    const bringIntoSight = (): void => undefined;
    const clipboard = useShapeClipboard({ ...options, selectedFeatures, editor, bringIntoSight });
    return { store: useOpenMap(), changes, clipboard };
  }
  const host = defineComponent({
    setup() {
      made.page = parts();
      return () => h('div');
    },
  });
  const client = new ApiClient(server.fetch);
  client.goLive();
  const provide = { [clientKey as symbol]: client }; // an injection key is a symbol
  const wrapper = mount(host, { global: { plugins: [createPinia(), createTranslations(en)], provide } });
  if (made.page === undefined) throw new Error('not mounted');
  return { ...made.page, wrapper, call: client.call };
}

type Page = ReturnType<typeof setUp>;

async function take(page: Page, server: TroubledMaps, one: Step): Promise<void> {
  const { store, changes, clipboard } = page;
  const all = store.features;
  const feature = all[one.pick % Math.max(1, all.length)];
  const id = feature === undefined ? '' : idOf(feature);
  const geometry = geometries[one.pick % geometries.length] ?? { type: 'Point', coordinates: [0, 0] };
  const [dx, dy] = one.by;
  server.fates = [...one.fates];
  switch (one.kind) {
    case 'drag': {
      const paths = feature === undefined ? [] : pathsOf(feature.geometry);
      const index = one.pick % Math.max(1, paths.length);
      const positions = paths[index]?.positions ?? [];
      const at = one.pick % Math.max(1, positions.length);
      const [x = 0, y = 0] = positions[at] ?? [];
      if (feature !== undefined)
        changes.reshape(id, withPath(feature.geometry, index, positions.with(at, [x + dx, y + dy])));
      break;
    }
    case 'paste': {
      const features = [shape(geometry)];
      localStorage.setItem('orangery.map-clipboard', JSON.stringify({ type: 'FeatureCollection', features }));
      await clipboard.paste();
      break;
    }
    case 'import':
      await store.add([shape(geometries[0] ?? geometry)], crypto.randomUUID()).catch((error: unknown) => {
        if (!isApiError(error)) throw error;
      });
      break;
    case 'rename':
      changes.rename(id, String(dx));
      break;
    case 'describe':
      changes.describe(id, { crop: dx > 0 ? dx : undefined });
      break;
    case 'retype':
      changes.retypeAll([id], dx > 0 ? 'site' : 'infrastructure');
      break;
    case 'merge': {
      const other = all[(one.pick + 1) % Math.max(1, all.length)];
      if (feature === undefined || other === undefined || other === feature) break;
      const merged = { ...feature, properties: { ...feature.properties, holds: idOf(other) } };
      store.change({ put: [merged], remove: [idOf(other)] });
      break;
    }
    case 'remove':
      store.remove([id]);
      break;
    case 'undo':
      store.undo();
      break;
    case 'redo':
      store.redo();
      break;
    case 'save':
      await store.flush();
      break;
    case 'other': {
      const present = await server.features();
      const theirs = present[one.pick % Math.max(1, present.length)];
      if (theirs === undefined || dx > 0.5) await server.change({ added: [shape(geometries[4] ?? geometry)] });
      else if (dx < -0.5) await server.change({ deleted: [idOf(theirs)] });
      else
        await server.change({ modified: [{ ...theirs, properties: { ...theirs.properties, name: `theirs ${dx}` } }] });
      break;
    }
    case 'other name':
      await server.rename();
      break;
    case 'doubt':
      store.doubt();
      break;
    case 'resolve':
      store.resolve(
        store.conflicts.map((conflict) => conflict.id),
        dx > 0 ? 'mine' : 'theirs',
      );
      break;
    case 'follow':
      await follow(page, server);
      break;
  }
}

async function follow({ call, store }: Page, { map_uuid }: TroubledMaps): Promise<void> {
  const mayFollow = (): boolean => !store.isUnsaved();
  if (mayFollow()) await followOthers({ call, store, mapUuid: () => map_uuid, mayFollow });
}

const textOf = (features: readonly Feature[]): string[] =>
  features.map(({ geometry, properties }) => JSON.stringify([geometry, Object.entries(properties).sort()])).sort();

/** Shapes that lie beneath the one into which they were merged. */
function beneath({ store }: Page): string[] {
  return store.features.flatMap(({ properties: { holds } }) =>
    typeof holds === 'string' && store.find(holds) !== undefined ? [holds] : [],
  );
}

it(
  'whatever a monkey does and however its calls fail, no save is refused, undo brings back no half of an edit, nobody overwrites what he has not seen, and both sides end alike',
  async () => {
    const done = new Set<string>();
    let wholes = 0;
    const maps = testMaps();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
        const server = await TroubledMaps.begin(maps);
        const first = [0, 3, 4].flatMap((at) => geometries[at] ?? []).map((geometry) => shape(geometry, 'First'));
        await server.change({ added: first });
        const page = setUp(server);
        const { store } = page;
        await store.open(server.map_uuid);
        let isChosen = false;
        for (const one of steps) {
          const before = JSON.stringify(textOf(store.features));
          // To take theirs may well leave a shape beneath another, and redo then does so again.
          isChosen ||= one.kind === 'resolve' && store.conflicts.length > 0;
          await take(page, server, one);
          if ((one.kind === 'undo' || one.kind === 'redo') && !isChosen) expect(beneath(page), one.kind).toEqual([]);
          if (JSON.stringify(textOf(store.features)) !== before) done.add(one.kind);
          expect(store.saveState, one.kind).not.toBe('rejected');
        }
        server.fates = [];
        for (let tries = 0; tries < 10 && store.isUnsaved(); tries += 1) {
          store.resolve(store.conflicts.map(({ id }) => id), 'mine'); // prettier-ignore
          await store.flush();
          expect(store.saveState).not.toBe('rejected');
        }
        await follow(page, server);
        expect(store.isUnsaved()).toBe(false);
        expect(server.overwritten).toEqual([]);
        expect(textOf(store.features)).toEqual(textOf(await server.features()));
        wholes += server.wholes - 1; // the first opens it
        store.close();
        page.wrapper.unmount();
      }),
      { numRuns: runs },
    );
    expect(wholes).toBeGreaterThan(0);
    // The others change something only after certain steps, which not every series has.
    expect([...done]).toEqual(
      expect.arrayContaining(['drag', 'paste', 'import', 'rename', 'describe', 'retype', 'remove', 'undo']),
    );
  },
  10 * 60_000,
);
