import { mdiMapOutline, mdiMapPlus } from '@mdi/js';
import { computed, type ComputedRef } from 'vue';
import { useRouter } from 'vue-router';
import { useText } from '../../i18n/index.ts';
import type { PaletteCommand } from '../feature.ts';
import { useDesigns } from '../../stores/design.ts';
import { useSession } from '../../stores/session.ts';

/** Each map, and making a new one. */
export function useMapCommands(): ComputedRef<PaletteCommand[]> {
  const { t } = useText();
  const router = useRouter();
  const designs = useDesigns();
  const session = useSession();
  return computed(() => {
    const open = designs.list.map((design) => ({
      id: `map:${design.map_uuid}`,
      title: design.name,
      hint: t('map.map'),
      icon: mdiMapOutline,
      run: () => router.push({ name: 'map', params: { map_uuid: design.map_uuid } }),
    }));
    if (!session.can('edit_settings')) return open;
    const create = { id: 'map:new', title: t('map.newMap'), hint: t('map.action'), icon: mdiMapPlus };
    return [...open, { ...create, run: () => router.push({ name: 'maps', query: { new: '1' } }) }];
  });
}
