import { mdiMonitorDashboard } from '@mdi/js';
import type { Action } from '../feature.ts';

export const dashboardActions: readonly Action[] = [
  { to: '/dashboards', title: 'dashboards.title', icon: mdiMonitorDashboard },
  { to: '/dashboards?ask=new', title: 'dashboards.new', icon: mdiMonitorDashboard },
  { to: '/?wall=1', title: 'shell.wall.open', icon: mdiMonitorDashboard },
];
