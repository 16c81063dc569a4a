import { mdiChartLine } from '@mdi/js';
import type { Feature } from '../feature.ts';
import { useViewCommands } from './commands.ts';

export const trends: Feature = {
  routes: [
    {
      path: '/trends',
      name: 'trends',
      component: () => import('./TrendsPage.vue'),
      meta: { title: 'trends.title', isFullWindow: true },
    },
  ],
  navigation: [{ to: '/trends', title: 'trends.title', icon: mdiChartLine, order: 45, permission: 'view_stats' }],
  useCommands: useViewCommands,
};
