import { mdiAccountCogOutline } from '@mdi/js';
import { computed } from 'vue';
import { useRouter } from 'vue-router';
import { useText } from '../../i18n/index.ts';
import type { Feature } from '../feature.ts';

export const account: Feature = {
  routes: [{ path: '/account', component: () => import('./AccountPage.vue'), meta: { title: 'account.title' } }],
  useCommands: () => {
    const { t } = useText();
    const router = useRouter();
    return computed(() => [
      {
        id: 'account',
        title: t('account.title'),
        hint: '',
        icon: mdiAccountCogOutline,
        run: () => router.push('/account'),
      },
    ]);
  },
};
