import { idOf, type Feature } from '../feature.ts';
import { useProgramCommands } from './commands.ts';

export const climate: Feature = {
  routes: [
    {
      path: '/houses/:facility_uuid/climate',
      name: 'house-climate',
      component: () => import('./ClimatePage.vue'),
      props: (route) => ({ facilityUuid: idOf(route.params.facility_uuid) }),
      meta: { title: 'climate.title' },
    },
  ],
  navigation: [],
  useCommands: useProgramCommands,
};
