import { z } from 'zod';
import { alarmBrief } from '../../server/contract/alarm.ts';
import { language } from '../../server/contract/language.ts';
import { shellThemes, type ShellArguments, type ShellRequest } from './contract.ts';

const none = z.tuple([]);
/** A path on the service: not another host by two slashes, and nothing that leaves the path. */
const pagePath = z
  .string()
  .max(2_000)
  .regex(/^\/(?!\/)[^\\]*$/);

/** What a page may send with each request, checked before use. */
export const shellPayloads: { [Name in ShellRequest]: z.ZodType<ShellArguments<Name>> } = {
  setupToken: none,
  showDataDirectory: none,
  status: none,
  choose: z.tuple([
    z
      .strictObject({ opens_at_login: z.boolean(), shows_alarms: z.boolean(), is_kiosk: z.boolean() })
      .partial() as z.ZodType<ShellArguments<'choose'>[0]>, // a key that is there has a value: JSON knows no undefined
  ]),
  chooseFolder: none,
  openWindow: z.tuple([pagePath]),
  setLanguage: z.tuple([language]),
  setTheme: z.tuple([z.enum(shellThemes)]),
  tellAlarms: z.tuple([z.array(alarmBrief).max(500)]),
};
