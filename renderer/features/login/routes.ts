import type { Feature } from '../feature.ts';

export const login: Feature = {
  routes: [
    {
      path: '/login',
      name: 'login',
      component: () => import('./LoginPage.vue'),
      meta: { isPublic: true, title: 'login.title', hasFirstWords: true },
    },
  ],
};
