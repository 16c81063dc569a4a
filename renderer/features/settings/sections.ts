import {
  mdiAccountGroupOutline,
  mdiBellOutline,
  mdiCertificateOutline,
  mdiCloudOutline,
  mdiDatabaseOutline,
  mdiEmailFastOutline,
  mdiHistory,
  mdiInformationOutline,
  mdiMapMarkerOutline,
  mdiShieldAccountOutline,
  mdiShieldCheckOutline,
  mdiSunThermometerOutline,
  mdiTextBoxOutline,
} from '@mdi/js';
import type { Action } from '../feature.ts';

/** The screens of the settings, in their order. */
export const sections: readonly Action[] = [
  { to: '/settings/site', title: 'settings.site.title', icon: mdiMapMarkerOutline },
  { to: '/settings/conditions', title: 'settings.conditions.title', icon: mdiSunThermometerOutline },
  { to: '/settings/alarms', title: 'settings.alarms.title', icon: mdiBellOutline },
  { to: '/settings/safety', title: 'safety.title', icon: mdiShieldCheckOutline },
  { to: '/settings/notifications', title: 'notifications.title', icon: mdiEmailFastOutline, permission: 'edit_users' },
  { to: '/settings/services', title: 'settings.services.title', icon: mdiCloudOutline },
  { to: '/settings/backups', title: 'backups.title', icon: mdiDatabaseOutline, permission: 'edit_users' },
  { to: '/settings/certificates', title: 'settings.certificates.title', icon: mdiCertificateOutline },
  { to: '/settings/users', title: 'users.title', icon: mdiAccountGroupOutline, permission: 'edit_users' },
  { to: '/settings/roles', title: 'users.roles.title', icon: mdiShieldAccountOutline, permission: 'edit_users' },
  { to: '/audit', title: 'audit.title', icon: mdiHistory, permission: 'view_logs' },
  { to: '/logs', title: 'logs.title', icon: mdiTextBoxOutline, permission: 'view_logs' },
  { to: '/settings/about', title: 'about.title', icon: mdiInformationOutline },
];
