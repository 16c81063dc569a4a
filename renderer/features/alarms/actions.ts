import { mdiBellOutline, mdiCheckAll } from '@mdi/js';
import type { Action } from '../feature.ts';

export const alarmActions: readonly Action[] = [
  {
    to: '/alarms?ask=acknowledge',
    title: 'alarms.acknowledgeEvery',
    icon: mdiCheckAll,
    permission: 'edit_controllers',
  },
  { to: '/alarms/journal', title: 'alarms.journalTitle', icon: mdiBellOutline, permission: 'view_stats' },
];
