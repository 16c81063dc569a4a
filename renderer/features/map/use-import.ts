import { computed, onScopeDispose, reactive, shallowRef, watch } from 'vue';
import type { FieldError } from '../../../server/contract/errors.ts';
import type { Feature, FeatureType } from '../../../server/contract/overlay.ts';
import { isAborted, isApiError } from '../../client/api-error.ts';
import { idOf, isSameFeature } from '../../map/edit-buffer.ts';
import type { FoundShapes } from '../../map/geojson.ts';
import type { RefusedShape } from '../../map/refused-shape.ts';
import { inSlices } from '../../map/slices.ts';
import { useOpenMap } from '../../stores/map.ts';
import type { ChangeChoice } from './import-changes.ts';
import { changesBy, faultyOf, featuresOf, planImport, present, type ImportPlan, type Outline } from './import-plan.ts';
import { removable } from './removable.ts';
import { useAdding } from './use-adding.ts';

export interface Imported {
  added: number;
  replaced: number;
  /** The shape for which nothing was replaced. */
  refused: RefusedShape | null;
  /** Shapes that were changed again since stay, as do those with a house by now. */
  takeBack: () => void;
}

interface ImportOptions {
  canPlace: (deviceId: string) => boolean;
  /** Whether a house occupies a shape. */
  holdsHouse: (id: string) => boolean;
  /** As of useAdding. */
  takenBack: (staying: number) => void;
}

/** What is imported into the open map, and the import itself. */
export function useImport({ canPlace, holdsHouse, takenBack }: ImportOptions) {
  const store = useOpenMap();
  const adding = useAdding({ holdsHouse, takenBack });
  /** The undo step of what is imported, through all tries. */
  let step = crypto.randomUUID();
  let found: FoundShapes | null = null;
  const plan = shallowRef<ImportPlan | null>(null);
  const isPlanning = shallowRef(false);
  let planning: AbortController | undefined;
  /** What becomes of the shapes that differ from those on the map. */
  const choice = shallowRef<ChangeChoice>('skip');
  const chosen = reactive<Record<Outline, FeatureType>>({ area: 'reference', line: 'reference', point: 'label' });
  const changes = computed(() => changesBy(plan.value?.changed ?? [], choice.value));
  const offered = computed(() => [...(plan.value?.shapes ?? []), ...changes.value.add]);
  /** Shapes that the server will not take, by their place in what is offered. */
  const faulty = shallowRef<ReadonlyMap<number, FieldError>>(new Map());
  const left = computed(() => offered.value.filter((_shape, index) => !faulty.value.has(index)));

  watch(
    [left, chosen],
    () => {
      adding.forget();
      step = crypto.randomUUID();
    },
    { flush: 'sync' },
  );
  // The places of the shapes that were refused were those of another list.
  watch(choice, () => (faulty.value = new Map()), { flush: 'sync' });

  async function begin(shapes: FoundShapes | null): Promise<void> {
    found = shapes;
    choice.value = 'skip';
    await makePlan();
  }

  /** Ends the one that is being made. */
  async function makePlan(): Promise<void> {
    planning?.abort();
    const { signal } = (planning = new AbortController());
    faulty.value = new Map();
    plan.value = null;
    isPlanning.value = found !== null;
    if (found === null) return;
    try {
      plan.value = await inSlices(planImport(found, { find: store.find, canPlace }), signal);
    } catch (thrown) {
      if (!isAborted(thrown)) throw thrown;
    } finally {
      if (!signal.aborted) isPlanning.value = false;
    }
  }

  /** All as one undo step. Throws as `add` of useAdding does. */
  async function run(): Promise<Imported> {
    const { length } = left.value;
    const make = (): Promise<Feature[]> => inSlices(featuresOf(left.value, chosen, () => crypto.randomUUID()));
    const added = length === 0 ? [] : await adding.add(make, step);
    const { put } = changesBy(present(plan.value?.changed ?? [], store.find), choice.value);
    const before = put.flatMap((one) => store.find(idOf(one)) ?? []);
    const refused = store.put(put, step);
    const takeBack = (): void => {
      const isAsPut = (one: Feature): boolean => isSameFeature(store.find(idOf(one)), one);
      const ids = new Set(refused === null ? put.filter(isAsPut).map(idOf) : []);
      const remove = removable(added, { find: store.find, holdsHouse });
      store.change({ put: before.filter((one) => ids.has(idOf(one))), remove });
    };
    return { added: added.length, replaced: refused === null ? put.length : 0, refused, takeBack };
  }

  /** Leaves out what a refusal names; the rest can be imported without it. False where it names nothing. */
  async function leaveOut(error: unknown): Promise<boolean> {
    if (!isApiError(error)) return false;
    if (error.code === 'duplicate_feature') return leaveOutKnown();
    const places = [...offered.value.keys()].filter((index) => !faulty.value.has(index));
    const refused = [...faultyOf(error.fields)].flatMap(([sent, field]) => {
      const index = places[sent];
      return index === undefined ? [] : [[index, field] as const];
    });
    if (refused.length === 0) return false; // what is tried again is the same import
    faulty.value = new Map([...faulty.value, ...refused]);
    return true;
  }

  /** Some shapes came onto the map after the file was read. */
  async function leaveOutKnown(): Promise<boolean> {
    const before = plan.value?.known;
    await makePlan();
    return plan.value?.known !== before;
  }

  onScopeDispose(() => planning?.abort());

  return {
    plan,
    isPlanning,
    choice,
    chosen,
    changes,
    offered,
    left,
    faulty,
    begin,
    run,
    leaveOut,
    addedSoFar: adding.addedSoFar,
    /** Ends an import that is under way, once what is being sent has arrived. */
    callOff: adding.forget,
  };
}
