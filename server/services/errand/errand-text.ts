import { alarmTexts } from '../../contract/alarm-words.ts';
import type { Errand } from '../../contract/errand.ts';
import { fill } from '../../contract/fill.ts';
import { reasonText, type ReasonReader } from '../../domain/control/reason-text.ts';
import type { Message } from '../notification/text.ts';

/** A controller's text with the reason for it, in words for people. */
export function spoken(text: string, { cause }: Pick<Errand, 'cause'>, site: ReasonReader): string {
  const { name, because, reason } = cause;
  const { aside, colon } = alarmTexts[site.language].notice;
  const more = `${name}${colon}${reason === undefined ? because : reasonText(reason, site)}`;
  return `${text}\n${fill(aside, { text: '', more }).trimStart()}`;
}

/** A message with the site and its first line as the subject. */
export function errandMessage(errand: Errand, text: string, site: ReasonReader & { site_name: string }): Message {
  const [first = ''] = text.split('\n');
  return { subject: `[${site.site_name || 'Orangery'}] ${first.slice(0, 120)}`, text: spoken(text, errand, site) };
}

/** The payload for a machine. */
export function errandPayload({ cause, action, value }: Errand, more: { at: string; text: string | null }): string {
  return JSON.stringify({ ...more, action, value, cause });
}
