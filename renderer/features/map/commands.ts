import { mdiMapOutline } from '@mdi/js';
import { computed, type ComputedRef } from 'vue';
import { useRouter } from 'vue-router';
import { useText } from '../../i18n/index.ts';
import type { PaletteCommand } from '../feature.ts';
import { useDesigns } from '../../stores/design.ts';

/** Each map by its name. */
export function useMapCommands(): ComputedRef<PaletteCommand[]> {
  const { t } = useText();
  const router = useRouter();
  const designs = useDesigns();
  return computed(() =>
    designs.list.map((design) => ({
      id: `map:${design.map_uuid}`,
      title: design.name,
      hint: t('map.map'),
      icon: mdiMapOutline,
      isOfSite: true,
      run: () => router.push({ name: 'map', params: { map_uuid: design.map_uuid } }),
    })),
  );
}
