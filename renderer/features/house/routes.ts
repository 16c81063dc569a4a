import { mdiGreenhouse } from '@mdi/js';
import { idOf, type Feature } from '../feature.ts';
import { useHouseCommands } from './commands.ts';

export const house: Feature = {
  routes: [
    {
      path: '/houses',
      name: 'houses',
      component: () => import('./HouseListPage.vue'),
      meta: { title: 'house.title' },
    },
    {
      path: '/houses/:facility_uuid',
      name: 'house',
      component: () => import('./HousePage.vue'),
      props: (route) => ({ facilityUuid: idOf(route.params.facility_uuid) }),
      meta: { title: 'house.title' },
    },
    {
      path: '/houses/:facility_uuid/model',
      name: 'house-model',
      component: () => import('./HouseModelPage.vue'),
      props: (route) => ({ facilityUuid: idOf(route.params.facility_uuid) }),
      meta: { title: 'model.title' },
    },
  ],
  navigation: [{ to: '/houses', title: 'house.title', icon: mdiGreenhouse, order: 30 }],
  useCommands: useHouseCommands,
};
