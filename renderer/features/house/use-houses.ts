import { computed, onMounted, shallowRef, type ComputedRef, type Ref } from 'vue';
import { useText } from '../../i18n/index.ts';
import { useDesigns } from '../../stores/design.ts';
import { useDevices } from '../../stores/device.ts';
import { useFacilities } from '../../stores/facility.ts';
import { useFollowing } from '../../stores/following.ts';
import { describeError, useNotice } from '../../stores/notice.ts';
import { useHouseLevels } from './use-house-levels.ts';

/** All houses with their state, and their maps, loaded and kept up to date while the page is shown. */
export interface Houses {
  facilities: ReturnType<typeof useFacilities>;
  designs: ReturnType<typeof useDesigns>;
  /** Name of each map by id. */
  mapNames: ComputedRef<ReadonlyMap<string, string>>;
  isLoading: Ref<boolean>;
  /** Whether they were ever read: until then, no house counts as gone. */
  isRead: Ref<boolean>;
  /** Why there are none to show; what fails after a first answer is a notice, and the last state stays. */
  error: Ref<unknown>;
  load: () => Promise<void>;
}

export function useHouses(): Houses {
  const { t } = useText();
  const notice = useNotice();
  const facilities = useFacilities();
  const designs = useDesigns();
  const devices = useDevices();
  const loadLevels = useHouseLevels();
  const isLoading = shallowRef(true);
  const error = shallowRef<unknown>(null);
  const isRead = shallowRef(false);
  const mapNames = computed(() => new Map(designs.list.map(({ map_uuid, name }) => [map_uuid, name])));

  async function load(): Promise<void> {
    error.value = null;
    try {
      await Promise.all([facilities.load(), designs.load(), devices.loadIfPossible()]);
      isLoading.value = false;
      isRead.value = true;
      await loadLevels();
    } catch (thrown) {
      if (!isRead.value) error.value = thrown;
      else notice.problem(describeError(thrown, t), { label: t('ui.retry'), run: () => void load() });
    }
    isLoading.value = false;
  }

  onMounted(load);
  useFollowing(load, () => true);
  return { facilities, designs, mapNames, isLoading, isRead, error, load };
}
