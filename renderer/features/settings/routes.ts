import { mdiCogOutline } from '@mdi/js';
import type { Feature } from '../feature.ts';

export const settings: Feature = {
  routes: [
    { path: '/settings', redirect: '/settings/site' },
    {
      path: '/settings/site',
      component: () => import('./SitePage.vue'),
      meta: { title: 'settings.site.title' },
    },
    {
      path: '/settings/conditions',
      component: () => import('./ConditionsPage.vue'),
      meta: { title: 'settings.conditions.title' },
    },
    {
      path: '/settings/alarms',
      component: () => import('./AlarmsPage.vue'),
      meta: { title: 'settings.alarms.title' },
    },
    {
      path: '/settings/safety',
      component: () => import('./safety/SafetyPage.vue'),
      meta: { title: 'safety.title' },
    },
    {
      path: '/settings/notifications',
      component: () => import('./notifications/NotificationsPage.vue'),
      meta: { title: 'notifications.title' },
    },
    {
      path: '/settings/services',
      component: () => import('./services/ServicesPage.vue'),
      meta: { title: 'settings.services.title' },
    },
    {
      path: '/settings/backups',
      component: () => import('./backups/BackupsPage.vue'),
      meta: { title: 'backups.title' },
    },
    {
      path: '/settings/certificates',
      component: () => import('./CertificatesPage.vue'),
      meta: { title: 'settings.certificates.title' },
    },
    { path: '/settings/about', component: () => import('./about/AboutPage.vue'), meta: { title: 'about.title' } },
  ],
  navigation: [
    {
      to: '/settings',
      title: 'settings.title',
      icon: mdiCogOutline,
      order: 90,
      permission: ['view_settings', 'edit_settings', 'edit_users', 'view_logs'],
    },
  ],
};
