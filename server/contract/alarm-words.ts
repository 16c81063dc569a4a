import en from '../../resources/alarm-text/en.json' with { type: 'json' };
import ja from '../../resources/alarm-text/ja.json' with { type: 'json' };
import ko from '../../resources/alarm-text/ko.json' with { type: 'json' };
import deviceEn from '../../resources/device-text/en.json' with { type: 'json' };
import deviceJa from '../../resources/device-text/ja.json' with { type: 'json' };
import deviceKo from '../../resources/device-text/ko.json' with { type: 'json' };
import roleEn from '../../resources/role-text/en.json' with { type: 'json' };
import roleJa from '../../resources/role-text/ja.json' with { type: 'json' };
import roleKo from '../../resources/role-text/ko.json' with { type: 'json' };
import type { AlarmCondition } from './alarm.ts';
import { alarmDetail, alarmPlace, alarmSentence, type AlarmFormat, type AlarmTextKey } from './alarm-text.ts';
import { fill } from './fill.ts';
import type { Language } from './language.ts';
import { quantityText } from './unit-text.ts';

/* Where there is no page: in messages, and in notifications of the desktop. */

export const alarmTexts: Readonly<Record<Language, typeof en>> = { en, ko, ja };
const catalogues: Readonly<Record<Language, Record<AlarmTextKey, string>>> = {
  en: catalogueOf(en, deviceEn, roleEn),
  ko: catalogueOf(ko, deviceKo, roleKo),
  ja: catalogueOf(ja, deviceJa, roleJa),
};

/** A reader of alarms: numbers are not converted, times are those of the zone, or of this machine. */
export interface AlarmReader {
  language: Language;
  /** IANA name. */
  time_zone?: string;
}

/** Where an alarm is, and what is said of it besides its title, in lines. */
export function wordAlarm(alarm: AlarmCondition, reader: AlarmReader): { place: string; lines: string[] } {
  const catalogue = catalogues[reader.language];
  const t = (key: AlarmTextKey, named: Record<string, string | number> = {}): string => fill(catalogue[key], named);
  const format = formatOf(reader);
  const lines = [alarmSentence(alarm, t, format), alarmDetail(alarm, t, format)];
  return { place: alarmPlace(alarm, t), lines: lines.filter((line) => line !== '') };
}

/** Date and time of an ISO text, as the reader writes them. */
export function timeText(at: string, { language, time_zone }: AlarmReader): string {
  const options = { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23', timeZone: time_zone } as const;
  return new Intl.DateTimeFormat(language, options).format(new Date(at));
}

function formatOf(reader: AlarmReader): AlarmFormat {
  return {
    quantity: (value, unit) => (value === null ? '' : quantityText({ value, unit }, reader.language)),
    dateTime: (at) => timeText(at, reader),
  };
}

function catalogueOf(alarm: typeof en, said: typeof deviceEn, role: typeof roleEn): Record<AlarmTextKey, string> {
  const { site, daemon, channel, colon } = alarm.notice;
  return {
    ...under('alarms.say', alarm.say),
    ...under('alarms.rule', alarm.rule),
    ...under('said', said),
    ...under('role', role),
    ...under('alarms', { site, daemon, channel }),
    ...under('ui', { colon }),
  };
}

function under<Section extends string, Texts extends Record<string, string>>(section: Section, texts: Texts) {
  const entries = Object.entries(texts).map(([key, text]) => [`${section}.${key}`, text]);
  return Object.fromEntries(entries) as Record<`${Section}.${keyof Texts & string}`, string>; // each key, prefixed
}
