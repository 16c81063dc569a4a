import { mdiLanConnect, mdiPlus } from '@mdi/js';
import type { Action } from '../feature.ts';

export const deviceActions: readonly Action[] = [
  { to: '/devices?ask=add', title: 'devices.add', icon: mdiPlus, permission: 'edit_controllers' },
  { to: '/devices?ask=find', title: 'devices.find.open', icon: mdiLanConnect, permission: 'edit_controllers' },
];
