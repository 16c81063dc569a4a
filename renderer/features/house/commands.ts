import { mdiGreenhouse } from '@mdi/js';
import { computed, type ComputedRef } from 'vue';
import { useRouter } from 'vue-router';
import { useText } from '../../i18n/index.ts';
import type { PaletteCommand } from '../feature.ts';
import { useFacilities } from '../../stores/facility.ts';

/** A command for each house, by name. */
export function useHouseCommands(): ComputedRef<PaletteCommand[]> {
  const { t } = useText();
  const router = useRouter();
  const facilities = useFacilities();
  return computed(() =>
    facilities.list.map(({ unique_id, name }) => ({
      id: `house:${unique_id}`,
      title: name,
      hint: t('house.title'),
      icon: mdiGreenhouse,
      isOfSite: true,
      run: () => router.push({ name: 'house', params: { facility_uuid: unique_id } }),
    })),
  );
}
