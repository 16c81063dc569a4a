import { z } from 'zod';
import { alarmBrief, type AlarmBrief } from '../../server/contract/alarm.ts';
import { language } from '../../server/contract/language.ts';
import { shellThemes, type ShellArguments, type ShellRequest } from './contract.ts';

const none = z.tuple([]);
/** A path on the service: not another host by two slashes, and nothing that leaves the path. */
const pagePath = z
  .string()
  .max(2_000)
  .regex(/^\/(?!\/)[^\\]*$/);

const facts = alarmBrief.shape;
/**
 * An alarm as a page tells it. The page is that of the service, which may be of another version than this shell and
 * must be heard all the same: what is unknown here is dropped, and an alarm of an unknown kind is just an alarm.
 */
const toldAlarm = z.object({
  alarm_id: facts.alarm_id,
  code: facts.code.catch('custom'),
  severity: facts.severity.catch('warning'),
  source_kind: facts.source_kind.catch('facility'),
  source_id: facts.source_id.catch(''),
  source_name: facts.source_name.catch(null),
  channel: facts.channel.catch(null),
  role: facts.role.catch(null),
  name: facts.name.catch(null),
  value: facts.value.catch(null),
  limit: facts.limit.catch(null),
  unit: facts.unit.catch(null),
  message: facts.message.catch(null),
} satisfies Record<keyof AlarmBrief, z.ZodType>);

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
  tellAlarms: z.tuple([z.array(toldAlarm).max(500)]),
};
