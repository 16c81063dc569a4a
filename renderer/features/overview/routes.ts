import { mdiViewDashboardOutline } from '@mdi/js';
import type { Feature } from '../feature.ts';

export const overview: Feature = {
  routes: [
    {
      path: '/',
      name: 'overview',
      component: () => import('./OverviewPage.vue'),
      meta: { title: 'overview.title', hasFirstWords: true },
    },
  ],
  navigation: [{ to: '/', title: 'shell.overview', icon: mdiViewDashboardOutline, order: 10 }],
};
