import type { Feature } from '../feature.ts';

export const audit: Feature = {
  routes: [{ path: '/audit', component: () => import('./AuditPage.vue'), meta: { title: 'audit.title' } }],
};
