import { computed, reactive, shallowRef, watch, type ComputedRef, type ShallowRef } from 'vue';
import type { Facility, View3d } from '../../../server/contract/facility.ts';
import type { Category } from '../../scene/part.ts';
import { useFacilities } from '../../stores/facility.ts';

export interface ModelView {
  mode: ComputedRef<View3d['render_mode']>;
  setMode: (mode: View3d['render_mode']) => void;
  isShown: (category: Category) => boolean;
  setShown: (category: Category, isShown: boolean) => void;
  /** Whether the view differs from the saved one. */
  isChanged: ComputedRef<boolean>;
  isSaving: ShallowRef<boolean>;
  /** Saves the view with the house; true when it succeeded. */
  save: () => Promise<boolean>;
  error: ShallowRef<unknown>;
}

type Own = Pick<View3d, 'render_mode' | 'category_visibility'>;

/** The view of a house: as saved with it, until the user changes it. */
export function useModelView(facility: () => Facility | null): ModelView {
  const facilities = useFacilities();
  const own = reactive<Partial<Pick<Own, 'render_mode'>> & Pick<Own, 'category_visibility'>>({
    category_visibility: {},
  });
  const isSaving = shallowRef(false);
  const error = shallowRef<unknown>(null);
  const saved = (): Own => facility()?.view_3d ?? { render_mode: 'solid', category_visibility: {} };
  const mode = computed(() => own.render_mode ?? saved().render_mode);
  const isShown = (category: Category): boolean =>
    own.category_visibility[category] ?? saved().category_visibility[category] ?? true;

  function forget(): void {
    delete own.render_mode;
    own.category_visibility = {};
  }
  watch(() => facility()?.unique_id, forget);

  async function save(): Promise<boolean> {
    const house = facility();
    if (house === null) return false;
    isSaving.value = true;
    error.value = null;
    try {
      // Categories unknown to this page stay as they are.
      const category_visibility = { ...house.view_3d.category_visibility, ...own.category_visibility };
      await facilities.save({
        unique_id: house.unique_id,
        view_3d: { render_mode: mode.value, category_visibility },
      });
      return true;
    } catch (thrown) {
      error.value = thrown;
      return false;
    } finally {
      isSaving.value = false;
    }
  }

  return {
    mode,
    setMode: (chosen) => void (own.render_mode = chosen),
    isShown,
    setShown: (category, isOn) => void (own.category_visibility[category] = isOn),
    isChanged: computed(
      () =>
        mode.value !== saved().render_mode ||
        Object.entries(own.category_visibility).some(
          ([key, isOn]) => isOn !== (saved().category_visibility[key] ?? true),
        ),
    ),
    isSaving,
    save,
    error,
  };
}
