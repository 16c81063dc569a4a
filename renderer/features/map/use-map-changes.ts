import { nextTick, type Ref } from 'vue';
import type { Device } from '../../../server/contract/device.ts';
import { longestName } from '../../../server/contract/identifier.ts';
import type { Feature, FeatureType, Geometry } from '../../../server/contract/overlay.ts';
import { useText } from '../../i18n/index.ts';
import { idOf } from '../../map/edit-buffer.ts';
import type { RefusedShape } from '../../map/refused-shape.ts';
import type { Covered } from '../../map/sight.ts';
import { useOpenMap } from '../../stores/map.ts';
import { useNotice } from '../../stores/notice.ts';
import type { MapDesk } from './map-desk.ts';

type NewProperties = Omit<Feature['properties'], 'unique_id'> & { name: string; type: FeatureType };

interface ChangeOptions {
  isReadOnly: Readonly<Ref<boolean>>;
  /** Shapes on the map by the id of the device that they place, in lower case. */
  placed: Readonly<Ref<ReadonlyMap<string, string>>>;
  /** Whether a house occupies a shape. */
  holdsHouse: (id: string) => boolean;
  /** How much of the map lies under its tools and the open form. */
  covered: () => Covered;
  select: (id: string | null) => void;
  selectAll: (ids: readonly string[]) => void;
}

/** Those that are undefined are taken away. */
function withProperties(before: Feature['properties'], changed: Record<string, unknown>): Feature['properties'] {
  const after = { ...before, ...changed };
  for (const key of Object.keys(changed)) if (after[key] === undefined) Reflect.deleteProperty(after, key);
  return after;
}

/** Changes of the open map: adding, moving, naming and removing. */
export function useMapChanges(
  { map, selection, types }: MapDesk,
  { isReadOnly, placed, holdsHouse, covered, select, selectAll }: ChangeOptions,
) {
  const { t } = useText();
  const store = useOpenMap();
  const notice = useNotice();

  function isRefused(refused: RefusedShape | null): boolean {
    if (refused !== null) notice.problem(t(`map.faults.${refused.kind}`));
    return refused !== null;
  }

  function add(properties: NewProperties, geometry: Geometry): void {
    const id = crypto.randomUUID();
    if (isRefused(store.put([{ type: 'Feature', geometry, properties: { ...properties, unique_id: id } }]))) return;
    // After a site its houses are drawn.
    if (properties.type === 'site') types.outline = 'facility';
    select(id);
    map.value?.keepShown(id);
    void nextTick(() => map.value?.bringIntoSight(id, covered()));
  }

  function place(device: Device, geometry: Geometry): void {
    if (!placed.value.has(device.unique_id)) {
      add({ type: 'device', name: device.name, device_id: device.unique_id }, geometry);
    }
  }

  function reshape(id: string, geometry: Geometry): boolean {
    const feature = store.find(id);
    if (feature === undefined || isReadOnly.value) return false;
    return !isRefused(store.put([{ ...feature, geometry }]));
  }

  function rename(id: string, name: string): void {
    const feature = store.find(id);
    if (feature !== undefined) store.put([{ ...feature, properties: { ...feature.properties, name } }], `name:${id}`);
  }

  /** Changes what else is known of a feature; undefined takes it away. */
  function describe(id: string, properties: Record<string, unknown>): void {
    describeAll([id], properties);
  }

  function removeSelected(): void {
    const ids = selection.value;
    if (ids.length === 0 || isReadOnly.value) return;
    // The server would refuse the whole save, including later drawings.
    if (ids.some(holdsHouse)) return notice.problem(t('errors.shape_in_use'));
    select(null);
    store.remove(ids);
  }

  /** Names all that is selected by a pattern, in which `{n}` counts on from a number. One undo step. */
  function renameAll(pattern: string, first: number): void {
    const shapes = selection.value.flatMap((id) => store.find(id) ?? []);
    store.put(
      shapes.map((feature, at) => {
        const name = pattern.replaceAll('{n}', String(first + at));
        return { ...feature, properties: { ...feature.properties, name: name.slice(0, longestName) } };
      }),
    );
  }

  /** The same of each of these. One undo step, however many keys a number takes. */
  function describeAll(ids: readonly string[], properties: Record<string, unknown>): void {
    const shapes = ids.flatMap((id) => store.find(id) ?? []);
    if (isReadOnly.value) return;
    const described = shapes.map((one) => ({ ...one, properties: withProperties(one.properties, properties) }));
    const keys = Object.entries(properties).map(([key, value]) => (value === undefined ? `no ${key}` : key));
    store.put(described, `${keys.join()}:${ids.join()}`);
  }

  /** A shape of another type gets another id, as the type of an id is fixed. One undo step. */
  function retypeAll(ids: readonly string[], type: FeatureType): void {
    if (isReadOnly.value) return;
    const shapes = ids.flatMap((id) => store.find(id) ?? []);
    const isKept = ({ properties }: Feature): boolean => properties.type === type;
    const before = shapes.filter((one) => !isKept(one));
    const remove = before.map(idOf);
    if (remove.some(holdsHouse)) return notice.problem(t('errors.shape_in_use'));
    const put = before.map((shape) => ({
      ...shape,
      properties: { ...shape.properties, type, unique_id: crypto.randomUUID() },
    }));
    if (!isRefused(store.change({ put, remove }))) selectAll([...shapes.filter(isKept), ...put].map(idOf));
  }

  return { add, place, reshape, rename, renameAll, describe, describeAll, retypeAll, removeSelected };
}
