import { useRouter } from 'vue-router';
import { useText } from '../../i18n/index.ts';
import { useNotice } from '../../stores/notice.ts';

/** A wireless link that is half dead says nothing by itself, ms. */
const patienceMs = 5_000;

/** Whether the server itself answers, not the browser's cache. */
async function isServerThere(): Promise<boolean> {
  return fetch('/', { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(patienceMs) }).then(
    ({ ok }) => ok,
    () => false,
  );
}

/**
 * Handles a page whose files cannot be loaded. If the server is away, says so. If it is there, it was updated and no
 * longer has the files: loads the new page.
 */
export function useDeadNavigation(): void {
  const router = useRouter();
  const notice = useNotice();
  const { t } = useText();
  router.onError(async (_error, to) => {
    if (await isServerThere()) location.assign(to.fullPath);
    else notice.problem(t('shell.deadNavigation'));
  });
}
