import { idOf, type Feature } from '../feature.ts';

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
};
