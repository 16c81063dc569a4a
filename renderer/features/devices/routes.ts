import { mdiChip } from '@mdi/js';
import type { Feature } from '../feature.ts';

export const devices: Feature = {
  routes: [
    {
      path: '/devices',
      name: 'devices',
      component: () => import('./DevicesPage.vue'),
      meta: { title: 'devices.title' },
    },
  ],
  navigation: [{ to: '/devices', title: 'devices.title', icon: mdiChip, order: 40 }],
};
