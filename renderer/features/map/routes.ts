import { mdiMapOutline } from '@mdi/js';
import { idOf, type Feature } from '../feature.ts';
import { useMapCommands } from './commands.ts';

export const map: Feature = {
  routes: [
    {
      path: '/maps',
      name: 'maps',
      component: () => import('./MapListPage.vue'),
      meta: { title: 'shell.map' },
    },
    {
      path: '/maps/:map_uuid',
      name: 'map',
      component: () => import('./MapPage.vue'),
      props: ({ params, query }) => ({ mapUuid: idOf(params.map_uuid), shape: query.shape }),
      meta: { title: 'shell.map', isFullWindow: true },
    },
  ],
  navigation: [{ to: '/maps', title: 'shell.map', icon: mdiMapOutline, order: 20 }],
  useCommands: useMapCommands,
};
