import { accountActions } from './account/actions.ts';
import { alarmActions } from './alarms/actions.ts';
import { controlActions } from './control/actions.ts';
import { dashboardActions } from './dashboards/actions.ts';
import { deviceActions } from './devices/actions.ts';
import { facilityActions } from './facility/actions.ts';
import { mapActions } from './map/actions.ts';
import { settingsActions } from './settings/actions.ts';
import { trendActions } from './trends/actions.ts';
import type { Action } from './feature.ts';

/** What the palette finds beside the rail's screens, houses, maps and devices; fetched with the palette. */
export const actions: readonly Action[] = [
  ...mapActions,
  ...facilityActions,
  ...deviceActions,
  ...controlActions,
  ...alarmActions,
  ...trendActions,
  ...dashboardActions,
  ...settingsActions,
  ...accountActions,
];
