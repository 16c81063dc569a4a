import { mdiMapPlus } from '@mdi/js';
import type { Action } from '../feature.ts';

export const mapActions: readonly Action[] = [
  { to: '/maps?ask=new', title: 'map.newMap', icon: mdiMapPlus, permission: 'edit_settings' },
];
