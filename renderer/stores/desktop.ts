import { watch } from 'vue';
import { useRouter } from 'vue-router';
import { briefOf } from '../../server/contract/alarm.ts';
import { desktopShell } from '../client/shell.ts';
import { useLive } from './live.ts';
import { usePreference } from './preference.ts';
import { useSession } from './session.ts';

const mostAlarms = 100;

/**
 * Synchronises the desktop shell with the page: language and colours, alarms, and pages opened from menus and links.
 * Does nothing in a browser.
 */
export function useDesktop(): void {
  const shell = desktopShell();
  if (shell === undefined) return;
  const router = useRouter();
  const [live, preference, session] = [useLive(), usePreference(), useSession()];
  const ignored = (): void => undefined; // the shell rejects what it does not accept; the page needs no answer

  shell.onOpen((path) => void router.push(path));
  watch(
    () => preference.language,
    (language) => void shell.setLanguage(language).catch(ignored),
    { immediate: true },
  );
  watch(
    () => preference.theme,
    (theme) => void shell.setTheme(theme).catch(ignored),
    { immediate: true },
  );
  watch(
    () => (session.isLoggedIn && live.areAlarmsKnown ? live.unseenAlarms : null),
    (alarms) => {
      if (alarms === null) return; // the last state still holds
      void shell.tellAlarms(alarms.slice(0, mostAlarms).map(briefOf)).catch(ignored);
    },
  );
}
