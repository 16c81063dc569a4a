import { useRouter } from 'vue-router';
import { useText } from '../../i18n/index.ts';
import { useNotice } from '../../stores/notice.ts';
import { useSession } from '../../stores/session.ts';

/** Ends the session and shows the log-in, also where the server does not answer. */
export function useLogout(): () => Promise<void> {
  const { t } = useText();
  const [router, session, notice] = [useRouter(), useSession(), useNotice()];
  return async () => {
    try {
      await session.logout();
    } catch {
      notice.problem(t('shell.loggedOutHere'));
    }
    await router.push({ name: 'login' });
  };
}
