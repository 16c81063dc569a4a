import type { AlarmCode } from '../../contract/alarm.ts';
import { alarmTexts, timeText, wordAlarm } from '../../contract/alarm-words.ts';
import { severities } from '../../contract/facility-live.ts';
import { fill } from '../../contract/fill.ts';
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

/** Maximum lines of a message; a flood stays readable. */
const mostLines = 30;

/**
 * One message for alarms that came together: a single alarm in its own words, several as a summary, the worst first.
 */
export function messageOf(all: readonly Outgoing[], site: Site): Message {
  const words = alarmTexts[site.language];
  // Of equally severe alarms the first to come stays first: it is usually the cause.
  const outgoing = [...all].sort((a, b) => severities.indexOf(b.severity) - severities.indexOf(a.severity));
  const [worst] = outgoing;
  const title = worst === undefined ? words.notice.testTitle : headline(worst, site);
  const count = outgoing.length > 1 ? `${fill(words.notice.alarms, { n: outgoing.length })} · ` : '';
  const lines = outgoing.slice(0, mostLines).map((one) => line(one, site));
  const rest = outgoing.length - lines.length;
  if (rest > 0)
    lines.push(`${fill(words.notice.more, { n: rest })}${words.notice.colon}${tally(outgoing.slice(mostLines), site)}`);
  return { subject: `[${site.name || 'Orangery'}] ${count}${title}`, text: lines.join('\n') || words.notice.test };
}

/** How many of each kind, the most frequent first. */
function tally(outgoing: readonly Outgoing[], { language }: Site): string {
  const counts = new Map<AlarmCode, number>();
  for (const { facts } of outgoing) counts.set(facts.code, (counts.get(facts.code) ?? 0) + 1);
  const most = [...counts].sort(([, one], [, other]) => other - one);
  const words = alarmTexts[language];
  return most.map(([code, n]) => `${words.code[code]} × ${n}`).join(words.notice.comma);
}

function headline({ severity, facts, reason }: Outgoing, site: Site): string {
  const words = alarmTexts[site.language];
  const text = `${words.severity[severity]}${words.notice.colon}${words.code[facts.code]} · ${wordAlarm(facts, site).place}`;
  return reason === 'came' ? text : fill(words.notice.aside, { text, more: words.notice[reason] });
}

function line(outgoing: Outgoing, site: Site): string {
  const { lines } = wordAlarm(outgoing.facts, site);
  const first = `${timeText(outgoing.at, site)}  ${headline(outgoing, site)}`;
  return [first, ...lines.map((part) => `    ${part}`)].join('\n');
}
