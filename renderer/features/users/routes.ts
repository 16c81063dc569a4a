import { mdiAccountGroupOutline, mdiShieldAccountOutline } from '@mdi/js';
import { computed } from 'vue';
import { useRouter } from 'vue-router';
import { useText } from '../../i18n/index.ts';
import { idOf, type Feature } from '../feature.ts';
import { useSession } from '../../stores/session.ts';

export const users: Feature = {
  routes: [
    { path: '/settings/users', component: () => import('./UsersPage.vue'), meta: { title: 'users.title' } },
    {
      path: '/settings/users/:user_id',
      name: 'user',
      component: () => import('./UserPage.vue'),
      props: (route) => ({ userId: idOf(route.params.user_id) }),
      meta: { title: 'users.title' },
    },
    { path: '/settings/roles', component: () => import('./RolesPage.vue'), meta: { title: 'users.roles.title' } },
  ],
  useCommands: () => {
    const { t } = useText();
    const router = useRouter();
    const session = useSession();
    return computed(() => {
      if (!session.can('edit_users')) return [];
      const screens = [
        { to: '/settings/users', title: t('users.title'), icon: mdiAccountGroupOutline },
        { to: '/settings/roles', title: t('users.roles.title'), icon: mdiShieldAccountOutline },
      ];
      return screens.map(({ to, ...shown }) => ({
        ...shown,
        id: to,
        hint: t('settings.title'),
        run: () => router.push(to),
      }));
    });
  },
};
