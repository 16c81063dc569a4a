import { watch } from 'vue';
import { useRouter } from 'vue-router';
import type { AlarmBrief } from '../../electron/ipc/contract.ts';
import { desktopShell } from '../client/shell.ts';
import { useLive } from './live.ts';
import { usePreference } from './preference.ts';
import { useSession } from './session.ts';

const mostAlarms = 100;
const longestPlace = 400;

/** Keeps the desktop shell in step with the page: its language and colours, its alarms, and the pages that menu and links open. Nothing in a browser. */
export function useDesktop(): void {
  const shell = desktopShell();
  if (shell === undefined) return;
  const router = useRouter();
  const [live, preference, session] = [useLive(), usePreference(), useSession()];
  const ignored = (): void => undefined; // the shell refuses what it does not take; the page needs nothing of it

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
    () => (session.isLoggedIn && live.isCurrent ? live.unseenAlarms : null),
    (alarms) => {
      if (alarms === null) return; // what was told last holds
      const briefs = alarms
        .slice(0, mostAlarms)
        .map(({ alarm_id, severity, code, source_name, message }): AlarmBrief => ({
          alarm_id,
          severity,
          code,
          message: message ?? '',
          place: (source_name ?? '').slice(0, longestPlace),
        }));
      void shell.tellAlarms(briefs).catch(ignored);
    },
  );
}
