import { idOf, type Feature } from '../feature.ts';
import { useDashboardCommands } from './commands.ts';

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
  useCommands: useDashboardCommands,
};
