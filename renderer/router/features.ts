import { account } from '../features/account/routes.ts';
import { alarms } from '../features/alarms/routes.ts';
import { audit } from '../features/audit/routes.ts';
import { commissioning } from '../features/commissioning/routes.ts';
import { devices } from '../features/devices/routes.ts';
import { facility } from '../features/facility/routes.ts';
import { house } from '../features/house/routes.ts';
import { login } from '../features/login/routes.ts';
import { map } from '../features/map/routes.ts';
import { overview } from '../features/overview/routes.ts';
import { settings } from '../features/settings/routes.ts';
import { setup } from '../features/setup/routes.ts';
import { trends } from '../features/trends/routes.ts';
import { users } from '../features/users/routes.ts';
import type { Feature } from './feature.ts';

/** Every feature of the application. A new folder of screens is added here. */
export const features: readonly Feature[] = [
  setup,
  login,
  overview,
  map,
  house,
  facility,
  commissioning,
  alarms,
  devices,
  trends,
  settings,
  users,
  audit,
  account,
];
