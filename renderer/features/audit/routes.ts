import { mdiHistory } from '@mdi/js';
import { computed } from 'vue';
import { useRouter } from 'vue-router';
import { useText } from '../../i18n/index.ts';
import type { Feature } from '../feature.ts';
import { useSession } from '../../stores/session.ts';

export const audit: Feature = {
  routes: [{ path: '/audit', component: () => import('./AuditPage.vue'), meta: { title: 'audit.title' } }],
  useCommands: () => {
    const { t } = useText();
    const router = useRouter();
    const session = useSession();
    return computed(() =>
      session.can('view_logs')
        ? [{ id: 'audit', title: t('audit.title'), hint: '', icon: mdiHistory, run: () => router.push('/audit') }]
        : [],
    );
  },
};
