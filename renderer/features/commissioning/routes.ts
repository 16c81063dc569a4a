import { useCheckCommands } from './commands.ts';
import { idOf, type Feature } from '../feature.ts';

export const commissioning: Feature = {
  routes: [
    {
      path: '/houses/:facility_uuid/commissioning/:check_id?',
      name: 'commissioning',
      component: () => import('./CommissioningPage.vue'),
      props: (route) => ({ facilityUuid: idOf(route.params.facility_uuid), checkId: idOf(route.params.check_id) }),
      meta: { title: 'commissioning.title' },
    },
  ],
  useCommands: useCheckCommands,
};
