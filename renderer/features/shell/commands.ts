import { mdiAlertOctagon, mdiGestureTap, mdiLogout, mdiPrinterOutline, mdiThemeLightDark, mdiTranslate } from '@mdi/js';
import { computed, type ComputedRef } from 'vue';
import { languages } from '../../../server/contract/language.ts';
import { languageNames, useText } from '../../i18n/index.ts';
import { useLive } from '../../stores/live.ts';
import { usePreference } from '../../stores/preference.ts';
import { useSession } from '../../stores/session.ts';
import { usePrinting } from '../../ui/use-printing.ts';
import type { PaletteCommand } from '../feature.ts';
import { useLogout } from './use-logout.ts';

const themes = ['light', 'dark', 'system'] as const;
const densities = ['comfortable', 'touch'] as const;

/** What is done from every screen: `askStop` asks whether to stop everything, or to release the stop. */
export function useShellCommands(askStop: () => void): ComputedRef<PaletteCommand[]> {
  const { t } = useText();
  const [live, preference, session] = [useLive(), usePreference(), useSession()];
  const logout = useLogout();
  const { canPrint, print } = usePrinting();
  return computed((): PaletteCommand[] => {
    const hint = t('shell.action');
    const deed = live.emergency?.active === true ? 'release' : 'stop';
    const stop = { id: 'stop', title: t(`shell.emergency.${deed}`), hint, icon: mdiAlertOctagon, run: askStop };
    const paper = { id: 'print', title: t('shell.print'), hint, icon: mdiPrinterOutline, run: print };
    return [
      ...(session.can('edit_controllers') ? [stop] : []),
      ...(canPrint ? [paper] : []),
      ...languages.map((one) => ({
        id: `language:${one}`,
        title: languageNames[one],
        hint: t('shell.language'),
        icon: mdiTranslate,
        run: () => void (preference.language = one),
      })),
      ...themes.map((one) => ({
        id: `theme:${one}`,
        title: t(`shell.themes.${one}`),
        hint: t('shell.theme'),
        icon: mdiThemeLightDark,
        run: () => void (preference.theme = one),
      })),
      ...densities.map((one) => ({
        id: `density:${one}`,
        title: t(`shell.densities.${one}`),
        hint: t('shell.density'),
        icon: mdiGestureTap,
        run: () => void (preference.density = one),
      })),
      { id: 'logout', title: t('shell.logout'), hint, icon: mdiLogout, run: logout },
    ];
  });
}
