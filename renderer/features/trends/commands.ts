import { mdiBookmarkOutline } from '@mdi/js';
import { computed, type ComputedRef } from 'vue';
import { useRouter } from 'vue-router';
import { useClient } from '../../client/client.ts';
import { useText } from '../../i18n/index.ts';
import { useSession } from '../../stores/session.ts';
import type { PaletteCommand } from '../feature.ts';
import { useBase } from './use-shown.ts';
import { useViews } from './use-views.ts';
import { queryOf, shownAt } from './view.ts';

/** Each saved view of trends by its name: the user's own, and those that others share. */
export function useViewCommands(onOpen: (read: () => Promise<unknown>) => void): ComputedRef<PaletteCommand[]> {
  const { t } = useText();
  const router = useRouter();
  const { clock } = useClient();
  const session = useSession();
  const base_c = useBase();
  const { views, load } = useViews();
  onOpen(async () => (session.can('view_stats') ? load() : undefined));
  return computed(() =>
    views.value.map(({ unique_id, name, is_own, author, shown }) => ({
      id: `view:${unique_id}`,
      title: name,
      hint: is_own ? t('trends.views') : [t('trends.views'), t('trends.viewBy', { author })].join(' · '),
      icon: mdiBookmarkOutline,
      isOfSite: true,
      run: () => {
        base_c.value = shown.degree_base_c;
        return router.push({ name: 'trends', query: queryOf(shownAt(shown, clock.now()), clock.now()) });
      },
    })),
  );
}
