import { mdiPlus } from '@mdi/js';
import type { Action } from '../feature.ts';

export const facilityActions: readonly Action[] = [
  { to: '/houses/new', title: 'facility.titleNew', icon: mdiPlus, permission: 'edit_settings' },
];
