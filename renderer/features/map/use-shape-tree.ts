import { computed, markRaw, onScopeDispose, shallowRef, watch } from 'vue';
import type { Feature, FeatureType } from '../../../server/contract/overlay.ts';
import { useText } from '../../i18n/index.ts';
import { idOf } from '../../map/edit-buffer.ts';
import { rankOf } from '../../map/look.ts';
import { parentsOf, treeRows } from '../../map/shape-tree.ts';
import { runInSlices, sortedInSlices, type SlicedWork } from '../../map/slices.ts';

export interface ShapeItem {
  id: string;
  type: FeatureType;
  typeName: string;
  /** Of the house that stands on it, else its own. */
  name: string;
  ownName: string;
}

/** Beyond it the list waits until the map is drawn and nothing changes, and names are compared as computers do. */
const many = 5_000;
const quietMs = 300;
const restEvery = 1_000;

/** Everything on the map, each beneath what it lies in, found by name or type. */
export function useShapeTree(
  features: () => Feature[],
  { query, houseNames }: { query: () => string; houseNames: () => ReadonlyMap<string, string> },
) {
  const { t, locale } = useText();
  const items = shallowRef<ShapeItem[]>([]);
  const parents = shallowRef<ReadonlyMap<string, string>>(new Map());
  const closed = shallowRef<ReadonlySet<string>>(new Set());
  let sorting: SlicedWork | undefined;
  let nesting: SlicedWork | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Looked up once a type, for 100,000 look-ups of a text take seconds. */
  let typeNames = new Map<FeatureType, string>();

  function typeNameOf(type: FeatureType): string {
    const name = typeNames.get(type) ?? t(`map.types.${type}`);
    typeNames.set(type, name);
    return name;
  }

  function itemOf(feature: Feature): ShapeItem {
    const { type, name } = feature.properties;
    const id = idOf(feature);
    return { id, type, name: houseNames().get(id) ?? name, ownName: name, typeName: typeNameOf(type) };
  }

  function* sorted(all: readonly Feature[]): Generator<void, ShapeItem[]> {
    const byName =
      all.length > many
        ? (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
        : new Intl.Collator(locale.value, { numeric: true }).compare;
    const found: ShapeItem[] = [];
    for (const feature of all) {
      found.push(itemOf(feature));
      if (found.length % restEvery === 0) yield;
    }
    return yield* sortedInSlices(found, (a, b) => rankOf(a.type) - rankOf(b.type) || byName(a.name, b.name));
  }

  function build(): void {
    const all = features();
    stop();
    sorting = runInSlices(sorted(all), (found) => {
      items.value = found;
      nesting = runInSlices(parentsOf(all), (ofAll) => (parents.value = ofAll));
    });
    if (all.length <= many) sorting.finish();
  }

  function stop(): void {
    sorting?.stop();
    nesting?.stop();
  }

  watch(locale, () => (typeNames = new Map()), { flush: 'sync' });
  watch(
    [features, locale, houseNames],
    ([all]) => {
      clearTimeout(timer);
      if (all.length > many) timer = setTimeout(build, quietMs);
      else build();
    },
    { immediate: true },
  );
  onScopeDispose(() => {
    clearTimeout(timer);
    stop();
  });

  const isWanted = computed(() => {
    const wanted = query().trim().toLocaleLowerCase();
    if (wanted === '') return null;
    return ({ name, ownName, typeName }: ShapeItem) =>
      `${name} ${ownName} ${typeName}`.toLocaleLowerCase().includes(wanted);
  });
  // Raw, for the list of the page would look through all of it for what it follows.
  const rows = computed(() =>
    markRaw(treeRows(items.value, { parents: parents.value, closed: closed.value, isWanted: isWanted.value })),
  );
  /** Ids of the matches; null without a search. */
  const matches = computed(() => {
    const fits = isWanted.value;
    return fits === null ? null : new Set(items.value.filter(fits).map(({ id }) => id));
  });

  function setOpen(id: string, isOpen: boolean): void {
    const others = [...closed.value].filter((one) => one !== id);
    closed.value = new Set(isOpen ? others : [...others, id]);
  }

  return { rows, matches, setOpen };
}
