import type { Feature } from '../feature.ts';

export const setup: Feature = {
  routes: [
    {
      path: '/setup',
      name: 'setup',
      component: () => import('./SetupPage.vue'),
      meta: { isPublic: true, title: 'setup.title' },
    },
  ],
};
