import { account } from './account/routes.ts';
import { alarms } from './alarms/routes.ts';
import { audit } from './audit/routes.ts';
import { climate } from './climate/routes.ts';
import { commissioning } from './commissioning/routes.ts';
import { control } from './control/routes.ts';
import { dashboards } from './dashboards/routes.ts';
import { devices } from './devices/routes.ts';
import { facility } from './facility/routes.ts';
import { house } from './house/routes.ts';
import { logs } from './logs/routes.ts';
import { login } from './login/routes.ts';
import { map } from './map/routes.ts';
import { overview } from './overview/routes.ts';
import { settings } from './settings/routes.ts';
import { setup } from './setup/routes.ts';
import { trends } from './trends/routes.ts';
import { users } from './users/routes.ts';
import type { Feature } from './feature.ts';

/** Every feature of the application. Add a new folder of pages here. */
export const features: readonly Feature[] = [
  setup,
  login,
  overview,
  dashboards,
  map,
  house,
  facility,
  climate,
  commissioning,
  alarms,
  devices,
  control,
  trends,
  settings,
  users,
  audit,
  logs,
  account,
];
