import { computed, ref, shallowRef, type ComputedRef, type Ref, type ShallowRef } from 'vue';
import type { Facility } from '../../../server/contract/facility.ts';
import { overlayEndpoints, type Feature, type FeatureType } from '../../../server/contract/overlay.ts';
import { isApiError } from '../../client/api-error.ts';
import { useCall } from '../../client/client.ts';
import { useFacilities } from '../../stores/facility.ts';
import { useLive } from '../../stores/live.ts';
import { draftOf, newDraft, saveOf, type Draft } from './draft.ts';
import { checkDraft, faultsOfAnswer, type Faults } from './draft-check.ts';
import { smallestRectangle, type Rectangle } from '../../../server/domain/geometry/smallest-rectangle.ts';

/** Types of shape that a house may occupy. */
const shapeTypes: readonly FeatureType[] = ['facility', 'bay', 'zone', 'site'];

export interface FacilityEditor {
  draft: Ref<Draft | null>;
  known: ShallowRef<Facility | null>;
  shapeName: ShallowRef<string>;
  box: ShallowRef<Rectangle | null>;
  isDirty: ComputedRef<boolean>;
  isSaving: ShallowRef<boolean>;
  loadError: ShallowRef<unknown>;
  saveError: ShallowRef<unknown>;
  /** Everything that prevents saving. */
  faults: ComputedRef<Faults>;
  /** The faults shown: missing entries only after the first attempt to save. */
  shownFaults: ComputedRef<Faults>;
  load: () => Promise<void>;
  /**
   * Reads the house anew, as somebody else has saved it. Returns what brings back the entries, onto that house; null
   * where it could not be read.
   */
  reload: () => Promise<(() => void) | null>;
  /** The saved facility, or null when it was refused. */
  save(): Promise<Facility | null>;
}

/** Loads, checks and saves a facility that is being created on a shape, or edited. */
export function useFacilityEditor(
  target: () => { facilityUuid?: string | undefined; shapeUuid?: string | undefined },
): FacilityEditor {
  const call = useCall();
  const facilities = useFacilities();
  const live = useLive();
  const draft = ref<Draft | null>(null);
  const known = shallowRef<Facility | null>(null);
  const shapeName = shallowRef('');
  const box = shallowRef<Rectangle | null>(null);
  const isSaving = shallowRef(false);
  const wasTried = shallowRef(false);
  const loadError = shallowRef<unknown>(null);
  const saveError = shallowRef<unknown>(null);
  const baseline = shallowRef('');
  const text = computed(() => JSON.stringify(draft.value));
  /** The draft that the server refused, so that its faults disappear with the next change. */
  const refused = shallowRef('');

  async function findShape(unique_id: string): Promise<Feature | undefined> {
    const { features } = await call(overlayEndpoints.list, { query: { unique_id } });
    return features.find(({ properties }) => shapeTypes.includes(properties.type));
  }

  async function loadShape(shapeUuid: string): Promise<void> {
    const shape = await findShape(shapeUuid);
    shapeName.value = shape?.properties.name ?? '';
    box.value = shape === undefined ? null : smallestRectangle(shape.geometry);
  }

  async function read(): Promise<void> {
    const { facilityUuid, shapeUuid } = target();
    await Promise.all([
      facilities.load(),
      facilities.loadMaterials(),
      live.devices.length === 0 ? live.reload() : null,
    ]);
    if (facilityUuid !== undefined) {
      known.value = await facilities.get(facilityUuid);
      await loadShape(known.value.shape_uuid);
      draft.value = draftOf(known.value);
    } else if (shapeUuid !== undefined) {
      await loadShape(shapeUuid);
      draft.value = newDraft({ uuid: shapeUuid, name: shapeName.value, box: box.value });
    }
    baseline.value = text.value;
  }

  async function load(): Promise<void> {
    loadError.value = null;
    saveError.value = null;
    await read().catch((error: unknown) => {
      loadError.value = error;
    });
  }

  async function reload(): Promise<(() => void) | null> {
    const entered = draft.value;
    await load();
    return loadError.value === null ? () => void (draft.value = entered) : null;
  }

  const own = computed<Faults>(() => (draft.value === null ? new Map() : checkDraft(draft.value)));
  const answered = computed<Faults>(() =>
    isApiError(saveError.value) && refused.value === text.value
      ? faultsOfAnswer(saveError.value.fields)
      : new Map<string, never>(),
  );
  const faults = computed<Faults>(() => new Map([...answered.value, ...own.value]));

  async function save(): Promise<Facility | null> {
    wasTried.value = true;
    saveError.value = null;
    if (draft.value === null || own.value.size > 0) return null;
    isSaving.value = true;
    try {
      const saved = await facilities.save(saveOf(draft.value, known.value));
      baseline.value = text.value;
      return saved;
    } catch (error) {
      saveError.value = error;
      refused.value = text.value;
      return null;
    } finally {
      isSaving.value = false;
    }
  }

  return {
    draft,
    known,
    shapeName,
    box,
    isDirty: computed(() => draft.value !== null && text.value !== baseline.value),
    isSaving,
    loadError,
    saveError,
    faults,
    shownFaults: computed(() =>
      wasTried.value ? faults.value : new Map([...faults.value].filter(([, fault]) => fault.code !== 'required')),
    ),
    load,
    reload,
    save,
  };
}
