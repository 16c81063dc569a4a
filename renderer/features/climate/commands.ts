import { mdiThermometerAuto } from '@mdi/js';
import { computed, type ComputedRef } from 'vue';
import { useRouter } from 'vue-router';
import { useText } from '../../i18n/index.ts';
import { usePrograms } from '../../ui/use-programs.ts';
import type { PaletteCommand } from '../feature.ts';

/** Each climate program by its house and name. */
export function useProgramCommands(): ComputedRef<PaletteCommand[]> {
  const { t } = useText();
  const router = useRouter();
  const programs = usePrograms();
  return computed(() =>
    programs.value.map(({ unique_id, facility_uuid, text }) => ({
      id: `climate:${unique_id}`,
      title: text,
      hint: t('climate.title'),
      icon: mdiThermometerAuto,
      isOfSite: true,
      run: () => router.push({ name: 'house-climate', params: { facility_uuid } }),
    })),
  );
}
