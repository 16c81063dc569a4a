import { useRouter } from 'vue-router';
import { useText } from '../../i18n/index.ts';
import { useNotice } from '../../stores/notice.ts';

/** Whether the server itself answers, and not what the browser keeps of it. */
async function isServerThere(): Promise<boolean> {
  return fetch('/', { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );
}

/**
 * A screen whose files do not come: says so while the server is away. One that is there has been updated since the page was
 * loaded and has those files no more: loads the new page.
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
