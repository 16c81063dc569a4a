import { idOf, type Feature } from '../feature.ts';

export const facility: Feature = {
  routes: [
    {
      path: '/houses/new',
      name: 'house-new',
      component: () => import('./FacilityEditorPage.vue'),
      props: (route) => ({ shapeUuid: route.query.shape }),
      meta: { title: 'facility.titleNew' },
    },
    {
      path: '/houses/:facility_uuid/edit',
      name: 'house-edit',
      component: () => import('./FacilityEditorPage.vue'),
      props: (route) => ({ facilityUuid: idOf(route.params.facility_uuid), firstStep: route.query.step }),
      meta: { title: 'facility.save' },
    },
    {
      path: '/houses/:facility_uuid/report',
      name: 'house-report',
      component: () => import('./CapacityReportPage.vue'),
      props: (route) => ({ facilityUuid: idOf(route.params.facility_uuid) }),
      meta: { title: 'study.report' },
    },
  ],
};
