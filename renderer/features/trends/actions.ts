import { mdiDownload } from '@mdi/js';
import type { Action } from '../feature.ts';

export const trendActions: readonly Action[] = [
  { to: '/trends?ask=csv', title: 'trends.exportCsv', icon: mdiDownload, permission: 'view_stats' },
];
