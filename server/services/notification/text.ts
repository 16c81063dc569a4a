import en from '../../../resources/alarm-text/en.json' with { type: 'json' };
import ja from '../../../resources/alarm-text/ja.json' with { type: 'json' };
import ko from '../../../resources/alarm-text/ko.json' with { type: 'json' };
import type { AlarmCode, AlarmCondition } from '../../contract/alarm.ts';
import { partOf, ruleOf, sentenceOf } from '../../contract/alarm-text.ts';
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
  const { language, time_zone } = site;
  const options = { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23', timeZone: time_zone } as const;
  const at = new Intl.DateTimeFormat(language, options).format(new Date(outgoing.at));
  const said = [sentence(outgoing.facts, language), outgoing.facts.message ?? ''].filter((part) => part !== '');
  return [`${at}  ${headline(outgoing, site)}`, ...said.map((part) => `    ${part}`)].join('\n');
}

function sentence(facts: AlarmCondition, language: Language): string {
  const key = sentenceOf(facts);
  if (key === null) return '';
  const { value, limit, unit, name } = facts;
  const shown = (number: number | null): string =>
    number === null ? '' : `${number} ${unit === 'C' ? '°C' : (unit ?? '')}`.trim();
  const rule = ruleOf(facts);
  const words = texts[language];
  const named = { value: shown(value), limit: shown(limit), name: name ?? '' };
  return fill(words.say[key], { ...named, rule: rule === null ? '' : words.rule[rule] });
}

function place(facts: AlarmCondition, language: Language): string {
  const { source_kind, source_name, source_id, channel } = facts;
  const { notice } = texts[language];
  const source = source_kind === 'daemon' || source_kind === 'site' ? notice[source_kind] : (source_name ?? source_id);
  const parts = [
    source,
    partOf(facts) ?? '',
    channel !== null && channel > 0 ? fill(notice.channel, { n: channel }) : '',
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (_, key: string) => String(values[key] ?? ''));
}
