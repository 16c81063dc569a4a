import { mdiTuneVertical } from '@mdi/js';
import type { Feature } from '../feature.ts';

export const control: Feature = {
  routes: [
    {
      path: '/control',
      name: 'control',
      component: () => import('./ControlPage.vue'),
      meta: { title: 'control.title' },
    },
    {
      path: '/control/pids/:pid_id',
      name: 'pid',
      component: () => import('./PidPage.vue'),
      meta: { title: 'control.title' },
    },
  ],
  navigation: [
    { to: '/control', title: 'control.title', icon: mdiTuneVertical, order: 45, permission: 'view_settings' },
  ],
};
