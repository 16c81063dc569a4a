import type { Messages } from '../messages.ts';
import { about } from './about.ts';
import { account } from './account.ts';
import { alarms } from './alarms.ts';
import { audit } from './audit.ts';
import { backups } from './backups.ts';
import { capacity } from './capacity.ts';
import { causes } from './causes.ts';
import { climate } from './climate.ts';
import { commissioning } from './commissioning.ts';
import { control } from './control.ts';
import { devices } from './devices.ts';
import { drivers } from './drivers.ts';
import { errors } from './errors.ts';
import { facility } from './facility.ts';
import { functions } from './functions.ts';
import { house } from './house.ts';
import { login } from './login.ts';
import { logs } from './logs.ts';
import { map } from './map.ts';
import { methods } from './methods.ts';
import { notifications } from './notifications.ts';
import { model } from './model.ts';
import { outside } from './outside.ts';
import { overview } from './overview.ts';
import { pipes } from './pipes.ts';
import { role } from './role.ts';
import { rules } from './rules.ts';
import { safety } from './safety.ts';
import { settings } from './settings.ts';
import { setup } from './setup.ts';
import { shell } from './shell.ts';
import { study } from './study.ts';
import { trends } from './trends.ts';
import { ui } from './ui.ts';
import { users } from './users.ts';

export const ja: Messages = {
  ui,
  shell,
  errors,
  setup,
  login,
  overview,
  model,
  outside,
  map,
  pipes,
  role,
  facility,
  capacity,
  house,
  study,
  trends,
  climate,
  causes,
  commissioning,
  control,
  methods,
  rules,
  functions,
  devices,
  drivers,
  about,
  account,
  users,
  alarms,
  audit,
  logs,
  notifications,
  backups,
  safety,
  settings,
};
