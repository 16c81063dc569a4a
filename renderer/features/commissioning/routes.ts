import type { Feature } from '../feature.ts';

export const commissioning: Feature = {
  routes: [
    {
      path: '/houses/:facility_uuid/commissioning/:check_id?',
      name: 'commissioning',
      component: () => import('./CommissioningPage.vue'),
      props: (route) => ({ facilityUuid: route.params.facility_uuid, checkId: route.params.check_id || undefined }),
      meta: { title: 'commissioning.title' },
    },
  ],
};
