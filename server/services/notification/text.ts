import en from '../../../resources/alarm-text/en.json' with { type: 'json' };
import ja from '../../../resources/alarm-text/ja.json' with { type: 'json' };
import ko from '../../../resources/alarm-text/ko.json' with { type: 'json' };
import type { AlarmCode, AlarmCondition } from '../../contract/alarm.ts';
import deviceEn from '../../../resources/device-text/en.json' with { type: 'json' };
import deviceJa from '../../../resources/device-text/ja.json' with { type: 'json' };
import deviceKo from '../../../resources/device-text/ko.json' with { type: 'json' };
import roleEn from '../../../resources/role-text/en.json' with { type: 'json' };
import roleJa from '../../../resources/role-text/ja.json' with { type: 'json' };
import roleKo from '../../../resources/role-text/ko.json' with { type: 'json' };
import { partOf, ruleOf, sentenceOf } from '../../contract/alarm-text.ts';
import { readDeviceWords } from '../../contract/device-words.ts';
import { severities } from '../../contract/facility-live.ts';
import type { Language } from '../../contract/language.ts';
import type { Outgoing } from '../../db/repositories/notification.ts';

interface Site {
  name: string;
  time_zone: string;
  language: Language;
}

export interface Message {
  subject: string;
  text: string;
}

const texts: Record<Language, typeof en> = { en, ko, ja };
const devices: Record<Language, typeof deviceEn> = { en: deviceEn, ko: deviceKo, ja: deviceJa };
const roles: Record<Language, typeof roleEn> = { en: roleEn, ko: roleKo, ja: roleJa };
/** Maximum lines of a message; a flood stays readable. */
const mostLines = 30;

/**
 * One message for alarms that came together: a single alarm in its own words, several as a summary, the worst first.
 */
export function messageOf(all: readonly Outgoing[], site: Site): Message {
  const words = texts[site.language];
  // Of equally severe alarms the first to come stays first: it is usually the cause.
  const outgoing = [...all].sort((a, b) => severities.indexOf(b.severity) - severities.indexOf(a.severity));
  const [worst] = outgoing;
  const title = worst === undefined ? words.notice.testTitle : headline(worst, site);
  const count = outgoing.length > 1 ? `${fill(words.notice.alarms, { n: outgoing.length })} · ` : '';
  const lines = outgoing.slice(0, mostLines).map((one) => line(one, site));
  const rest = outgoing.length - lines.length;
  if (rest > 0) lines.push(`${fill(words.notice.more, { n: rest })}: ${tally(outgoing.slice(mostLines), site)}`);
  return { subject: `[${site.name || 'Orangery'}] ${count}${title}`, text: lines.join('\n') || words.notice.test };
}

/** How many of each kind, the most frequent first. */
function tally(outgoing: readonly Outgoing[], { language }: Site): string {
  const counts = new Map<AlarmCode, number>();
  for (const { facts } of outgoing) counts.set(facts.code, (counts.get(facts.code) ?? 0) + 1);
  const most = [...counts].sort(([, one], [, other]) => other - one);
  return most.map(([code, n]) => `${texts[language].code[code]} × ${n}`).join(', ');
}

function headline({ severity, facts, reason }: Outgoing, { language }: Site): string {
  const words = texts[language];
  const end = reason === 'came' ? '' : ` (${words.notice[reason]})`;
  return `${words.severity[severity]}: ${words.code[facts.code]} · ${place(facts, language)}${end}`;
}

function line(outgoing: Outgoing, site: Site): string {
  const said = [sentence(outgoing.facts, site.language), detail(outgoing.facts, site)].filter((part) => part !== '');
  return [`${timeText(outgoing.at, site)}  ${headline(outgoing, site)}`, ...said.map((part) => `    ${part}`)].join(
    '\n',
  );
}

function timeText(at: string, { language, time_zone }: Site): string {
  const options = { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23', timeZone: time_zone } as const;
  return new Intl.DateTimeFormat(language, options).format(new Date(at));
}

/** What a driver said, in the language of the site; the words of a device or a person as they are. */
function detail({ code, message }: AlarmCondition, site: Site): string {
  if (message === null) return '';
  if (code !== 'clock_set') return deviceText(message, site.language);
  const times = message.split(' -> ');
  return times.every((time) => Number.isFinite(Date.parse(time)))
    ? times.map((time) => timeText(time, site)).join(' → ')
    : message;
}

function deviceText(message: string, language: Language): string {
  const read = readDeviceWords(message);
  if (read === null) return message;
  const { said } = read.values;
  const values = said === undefined ? read.values : { ...read.values, said: deviceText(said, language) };
  return fill(devices[language][read.word], values);
}

function sentence(facts: AlarmCondition, language: Language): string {
  const key = sentenceOf(facts);
  if (key === null) return '';
  const { value, limit, unit, name } = facts;
  const figures = new Intl.NumberFormat(language, { maximumSignificantDigits: 4 });
  const shown = (number: number | null): string =>
    number === null ? '' : `${figures.format(number)} ${unitText(unit ?? '')}`.trim();
  const rule = ruleOf(facts);
  const words = texts[language];
  const named = { value: shown(value), limit: shown(limit), name: name ?? '' };
  return fill(words.say[key], { ...named, rule: rule === null ? '' : words.rule[rule] });
}

/** A wire unit as people write it: `W/m²` for `W/m2`. */
function unitText(unit: string): string {
  if (unit === 'C') return '°C';
  return unit.replace(/^umol/, 'µmol').replaceAll(/(?<=[a-z])[23]/g, (power) => (power === '2' ? '²' : '³'));
}

function place(facts: AlarmCondition, language: Language): string {
  const { source_kind, source_name, source_id, role, channel } = facts;
  const { notice } = texts[language];
  const source = source_kind === 'daemon' || source_kind === 'site' ? notice[source_kind] : (source_name ?? source_id);
  const parts = [
    source,
    role === null ? '' : roles[language][role],
    partOf(facts) ?? '',
    channel !== null && channel > 0 ? fill(notice.channel, { n: channel }) : '',
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (_, key: string) => String(values[key] ?? ''));
}
