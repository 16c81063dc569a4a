import { mdiMonitorDashboard } from '@mdi/js';
import { computed } from 'vue';
import { useRouter } from 'vue-router';
import { useText } from '../../i18n/index.ts';
import { idOf, type Feature } from '../feature.ts';

export const dashboards: Feature = {
  routes: [
    { path: '/dashboards', component: () => import('./DashboardListPage.vue'), meta: { title: 'dashboards.title' } },
    {
      path: '/dashboards/:dashboard_id',
      name: 'dashboard',
      component: () => import('./DashboardPage.vue'),
      props: (route) => ({ dashboardId: idOf(route.params.dashboard_id) }),
      meta: { title: 'dashboards.title' },
    },
  ],
  useCommands: () => {
    const { t } = useText();
    const router = useRouter();
    return computed(() => [
      {
        id: 'dashboards',
        title: t('dashboards.title'),
        hint: t('shell.wall.hint'),
        icon: mdiMonitorDashboard,
        run: () => router.push('/dashboards'),
      },
      {
        id: 'wall',
        title: t('shell.wall.open'),
        hint: t('shell.wall.hint'),
        icon: mdiMonitorDashboard,
        run: () => router.push({ path: '/', query: { wall: '1' } }),
      },
    ]);
  },
};
