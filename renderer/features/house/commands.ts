import { mdiGreenhouse } from '@mdi/js';
import { computed, type ComputedRef } from 'vue';
import { useRouter } from 'vue-router';
import { useText } from '../../i18n/index.ts';
import type { PaletteCommand } from '../feature.ts';
import { useDesigns } from '../../stores/design.ts';
import { useFacilities } from '../../stores/facility.ts';

/** A command for each house, by name, and by its map where there are several. */
export function useHouseCommands(): ComputedRef<PaletteCommand[]> {
  const { t } = useText();
  const router = useRouter();
  const [facilities, designs] = [useFacilities(), useDesigns()];
  const mapNames = computed(
    () => new Map(designs.list.length < 2 ? [] : designs.list.map(({ map_uuid, name }) => [map_uuid, name])),
  );
  return computed(() =>
    facilities.list.map(({ unique_id, geo_id, name }) => ({
      id: `house:${unique_id}`,
      title: name,
      hint: [mapNames.value.get(geo_id), t('house.title')].filter(Boolean).join(' · '),
      icon: mdiGreenhouse,
      isOfSite: true,
      run: () => router.push({ name: 'house', params: { facility_uuid: unique_id } }),
    })),
  );
}
