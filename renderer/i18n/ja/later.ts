import type { LaterMessages } from '../messages.ts';
import { about } from './about.ts';
import { account } from './account.ts';
import { audit } from './audit.ts';
import { backups } from './backups.ts';
import { capacity } from './capacity.ts';
import { climate } from './climate.ts';
import { commissioning } from './commissioning.ts';
import { dashboards } from './dashboards.ts';
import { drivers } from './drivers.ts';
import { facility } from './facility.ts';
import { functions } from './functions.ts';
import { logs } from './logs.ts';
import { map } from './map.ts';
import { methods } from './methods.ts';
import { model } from './model.ts';
import { notifications } from './notifications.ts';
import { outside } from './outside.ts';
import { pipes } from './pipes.ts';
import { refusals } from './refusals.ts';
import { rules } from './rules.ts';
import { safety } from './safety.ts';
import { setup } from './setup.ts';
import { simulation } from './simulation.ts';
import { study } from './study.ts';
import { users } from './users.ts';

export const later: LaterMessages = {
  setup,
  simulation,
  model,
  outside,
  map,
  pipes,
  facility,
  capacity,
  study,
  climate,
  commissioning,
  methods,
  rules,
  functions,
  dashboards,
  drivers,
  about,
  account,
  users,
  audit,
  logs,
  notifications,
  backups,
  refusals,
  safety,
};
