import { mdiClipboardCheckOutline } from '@mdi/js';
import { computed, type ComputedRef } from 'vue';
import { useRouter } from 'vue-router';
import { useText } from '../../i18n/index.ts';
import type { PaletteCommand } from '../feature.ts';
import { useFacilities } from '../../stores/facility.ts';
import { useSession } from '../../stores/session.ts';

/** Starting the check of each house, after its question. */
export function useCheckCommands(): ComputedRef<PaletteCommand[]> {
  const { t } = useText();
  const router = useRouter();
  const facilities = useFacilities();
  const session = useSession();
  return computed(() =>
    (session.can('edit_controllers') ? facilities.list : []).map(({ unique_id, name }) => ({
      id: `check:${unique_id}`,
      title: `${t('commissioning.start')}${t('ui.colon')}${name}`,
      hint: t('commissioning.title'),
      icon: mdiClipboardCheckOutline,
      run: () => router.push({ name: 'commissioning', params: { facility_uuid: unique_id }, query: { ask: 'start' } }),
    })),
  );
}
