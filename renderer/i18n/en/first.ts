import { alarms } from './alarms.ts';
import { causes } from './causes.ts';
import { control } from './control.ts';
import { devices } from './devices.ts';
import { errors } from './errors.ts';
import { house } from './house.ts';
import { login } from './login.ts';
import { overview } from './overview.ts';
import { role } from './role.ts';
import { said } from './said.ts';
import { settings } from './settings.ts';
import { shell } from './shell.ts';
import { trends } from './trends.ts';
import { ui } from './ui.ts';

/** What the frame of the pages, the overview and the log-in say: enough for the first picture. */
export const first = {
  ui,
  shell,
  errors,
  login,
  overview,
  role,
  house,
  trends,
  causes,
  control,
  devices,
  alarms,
  said,
  settings,
};
