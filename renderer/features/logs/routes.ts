import type { Feature } from '../feature.ts';

export const logs: Feature = {
  routes: [{ path: '/logs', component: () => import('./LogsPage.vue'), meta: { title: 'logs.title' } }],
};
