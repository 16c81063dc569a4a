import { useEventListener } from '@vueuse/core';
import { nextTick, type Ref } from 'vue';
import type { Feature } from '../../../server/contract/overlay.ts';
import { useText } from '../../i18n/index.ts';
import { FileFault } from '../../map/file-fault.ts';
import { freeNames } from '../../map/free-names.ts';
import { readGeoJson, writeGeoJson, type FoundShapes } from '../../map/geojson.ts';
import { findRefused, type RefusedShape } from '../../map/refused-shape.ts';
import { inSlices } from '../../map/slices.ts';
import { Plane, positionsOf } from '../../map/topology/plane.ts';
import { moved } from '../../map/topology/transform.ts';
import { useLive } from '../../stores/live.ts';
import { useOpenMap } from '../../stores/map.ts';
import { useNotice } from '../../stores/notice.ts';
import { isInFieldOrDialog } from './field-or-dialog.ts';
import { featuresOf, planImport, withoutPlan } from './import-plan.ts';
import { removable } from './removable.ts';
import { geometriesOf } from './shape-tools/geometries.ts';

interface ClipboardOptions {
  selectedFeatures: Readonly<Ref<readonly Feature[]>>;
  placed: Readonly<Ref<ReadonlyMap<string, string>>>;
  /** Whether a house occupies a shape. */
  holdsHouse: (id: string) => boolean;
  isReadOnly: Readonly<Ref<boolean>>;
  editor: { selectAll: (ids: readonly string[]) => void; removeSelected: () => void };
  /** Moves the map to these places where they cannot be seen. */
  bringIntoSight: (places: readonly (readonly number[])[]) => void;
}

interface Pasted {
  text: string;
  map: string;
  times: { steps: number; ids: string[] }[];
}

/** Pasted on what it was copied from, or on what was pasted before, it would not be seen. */
const aside_m = 3;
const key = 'orangery.map-clipboard';

/**
 * Shapes by the clipboard of the machine, as GeoJSON text: from map to map, and to and from other programs. Where the
 * page may not read that, what was copied last in this browser.
 */
export function useShapeClipboard(options: ClipboardOptions) {
  const { selectedFeatures, placed, holdsHouse, isReadOnly, editor, bringIntoSight } = options;
  const { t } = useText();
  const store = useOpenMap();
  const live = useLive();
  const notice = useNotice();
  /** What was pasted last, where, and for each time how far aside and the ids of its shapes. */
  let pasted: Pasted = { text: '', map: '', times: [] };
  let adding: Promise<void> = Promise.resolve();

  const openMapId = (): string => store.design?.map_uuid ?? '';

  function textOfSelection(): string | null {
    const shapes = selectedFeatures.value;
    if (shapes.length === 0) return null;
    const text = writeGeoJson(shapes);
    try {
      localStorage.setItem(key, text);
    } catch {
      // Larger than the browser keeps: the machine's clipboard has it.
    }
    notice.done(t('map.selection.copied', { n: shapes.length }, shapes.length));
    return text;
  }

  async function copy(): Promise<void> {
    const text = textOfSelection();
    if (text === null) return notice.problem(t('map.shape.selectFirst'));
    await navigator.clipboard.writeText(text).catch(() => undefined); // refused without leave; the browser's own copy is there
  }

  async function paste(): Promise<void> {
    await add(await navigator.clipboard.readText().catch(() => ''));
  }

  /** One paste after the other: each looks for what lies there of the one before. */
  function add(read: string): Promise<void> {
    const map = openMapId();
    const run = (): Promise<void> => addTo(map, read);
    return (adding = adding.then(run, run));
  }

  /** Of a clipboard that is empty, or may not be read, what was copied last in this browser. */
  async function addTo(map: string, read: string): Promise<void> {
    const text = read === '' ? (localStorage.getItem(key) ?? '') : read;
    const isOver = (): boolean => isReadOnly.value || openMapId() !== map;
    if (isOver()) return;
    const found = await shapesOf(text);
    if (found === null || found.shapes.length === 0) return notice.problem(t('map.selection.nothing'));
    const canPlace = (id: string): boolean => live.device(id) !== undefined && !placed.value.has(id);
    const plan = await inSlices(planImport(found, { find: () => undefined, canPlace }));
    for (const { name, kind } of plan.refused) if (kind !== 'none') return refuse(name, kind);
    // A copied shape keeps its place, its id and its part in a plan of pipes.
    const shapes = plan.shapes.map((shape) => ({ ...shape, unique_id: undefined, others: withoutPlan(shape.others) }));
    const types = { area: 'reference', line: 'reference', point: 'label' } as const;
    const features = await inSlices(featuresOf(shapes, types, () => crypto.randomUUID()));
    const steps = freeSteps(text, found);
    const placedAside = steps === 0 ? features : besides(features, steps * aside_m);
    const refused = await inSlices(findRefused({ put: placedAside }, store.find));
    if (isOver()) return;
    if (refused !== null) return refuse(refused.shape.properties.name, refused.kind);
    const put = named(placedAside);
    store.put(put);
    const ids = put.map(({ properties }) => properties.unique_id);
    pasted = { text, map: openMapId(), times: [...timesOf(text), { steps, ids }] };
    editor.selectAll(ids);
    // The form of the selection is open by then.
    void nextTick(() => bringIntoSight(put.flatMap(({ geometry }) => positionsOf(geometry))));
    // Whatever was done since stays.
    const run = (): void => store.remove(removable(put, { find: store.find, holdsHouse }));
    notice.done(t('map.selection.pasted', { n: put.length }, put.length), { label: t('ui.undo'), run });
  }

  function refuse(name: string, kind: RefusedShape['kind']): void {
    const reason = t(`map.faults.${kind}`);
    notice.problem(t('map.selection.refused', { name: name || t('map.unnamed'), reason }));
  }

  /** The times that a text was pasted on this map. */
  function timesOf(text: string): Pasted['times'] {
    return text === pasted.text && openMapId() === pasted.map ? pasted.times : [];
  }

  /** So many steps aside is nothing that was copied, nor what was pasted of it and still lies on this map. */
  function freeSteps(text: string, found: FoundShapes): number {
    const lying = timesOf(text).filter(({ ids }) => ids.some((id) => store.find(id) !== undefined));
    return Math.max(isAlreadyHere(found) ? 1 : 0, ...lying.map(({ steps }) => steps + 1));
  }

  /** Under the names that they have, or the next ones where those are on the map. */
  function named(features: readonly Feature[]): Feature[] {
    const nameOf = ({ properties }: Feature): string => properties.name;
    const taken = new Set(store.features.map(nameOf));
    const nextName = freeNames([...taken, ...features.map(nameOf)]);
    return features.map((one) => {
      const name = nameOf(one);
      return taken.has(name) ? { ...one, properties: { ...one.properties, name: nextName(name) } } : one;
    });
  }

  function isAlreadyHere({ shapes }: FoundShapes): boolean {
    return shapes.some(({ unique_id, geometry }) => {
      const here = unique_id === undefined ? undefined : store.find(unique_id);
      return here !== undefined && JSON.stringify(here.geometry) === JSON.stringify(geometry);
    });
  }

  useEventListener(document, 'copy', (event) => {
    const text = isElsewhere(event) ? null : textOfSelection();
    if (text !== null) put(event, text);
  });
  useEventListener(document, 'cut', (event) => {
    if (isElsewhere(event) || isReadOnly.value) return;
    const text = textOfSelection();
    if (text === null) return;
    put(event, text);
    editor.removeSelected();
  });
  useEventListener(document, 'paste', (event) => {
    if (isElsewhere(event) || isReadOnly.value) return;
    event.preventDefault();
    void add(event.clipboardData?.getData('text/plain') ?? '');
  });

  return { copy, paste };
}

function put(event: ClipboardEvent, text: string): void {
  event.clipboardData?.setData('text/plain', text);
  event.preventDefault();
}

/** In a field, or with text of the page selected, the keys mean that. */
function isElsewhere({ target }: ClipboardEvent): boolean {
  return isInFieldOrDialog(target) || (document.getSelection()?.toString() ?? '') !== '';
}

async function shapesOf(text: string): Promise<FoundShapes | null> {
  try {
    return await inSlices(readGeoJson(text));
  } catch (error) {
    if (error instanceof FileFault) return null;
    throw error;
  }
}

function besides(features: readonly Feature[], by_m: number): Feature[] {
  const plane = Plane.around(geometriesOf(features));
  return features.map((one) => ({ ...one, geometry: moved(one.geometry, { x: by_m, y: -by_m }, plane) }));
}
