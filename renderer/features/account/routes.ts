import type { Feature } from '../feature.ts';

export const account: Feature = {
  routes: [{ path: '/account', component: () => import('./AccountPage.vue'), meta: { title: 'account.title' } }],
};
