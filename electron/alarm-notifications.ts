import { Notification } from 'electron';
import alarmEn from '../resources/alarm-text/en.json' with { type: 'json' };
import alarmJa from '../resources/alarm-text/ja.json' with { type: 'json' };
import alarmKo from '../resources/alarm-text/ko.json' with { type: 'json' };
import type { Alarm } from '../server/contract/alarm.ts';
import type { Language } from '../server/contract/language.ts';
import type { AlarmBrief } from './ipc/contract.ts';
import { fill, type Words } from './words.ts';

const alarmWords: Record<Language, typeof alarmEn> = { en: alarmEn, ko: alarmKo, ja: alarmJa };

interface NotifyOptions {
  words: () => Words;
  language: () => Language;
  isWanted: () => boolean;
  /** Called when a notification was clicked. */
  onChosen: () => void;
}

/** The part of an alarm that is shown outside the page. */
export function briefOf({ alarm_id, severity, code, source_name, name, message }: Alarm): AlarmBrief {
  const place = [source_name, code === 'safety_gate' ? null : name].filter((part) => part !== null).join(' · ');
  return { alarm_id, severity, code, place: place.slice(0, 400), message: message ?? '' };
}

/** Shows new alarms as system notifications: each once, and those that come together as one. */
export class AlarmNotifications {
  readonly #options: NotifyOptions;
  #known: ReadonlySet<string> | undefined;
  /** Electron drops a notification without a reference, and its click handler with it. */
  #shown: Notification | undefined;

  constructor(options: NotifyOptions) {
    this.#options = options;
  }

  /** Takes all alarms that need attention. The first ones are shown only by the tray: they were there before. */
  take(alarms: readonly AlarmBrief[]): void {
    const known = this.#known;
    this.#known = new Set(alarms.map(({ alarm_id }) => alarm_id));
    const fresh = known === undefined ? [] : alarms.filter(({ alarm_id }) => !known.has(alarm_id));
    const [first] = fresh;
    if (first === undefined || !this.#options.isWanted()) return;
    this.#show(first, fresh.length);
  }

  #show(first: AlarmBrief, count: number): void {
    const { words, language, onChosen } = this.#options;
    const said = alarmWords[language()];
    const line = `${said.severity[first.severity]}: ${said.code[first.code]}`;
    const body = [first.place, first.message].filter((part) => part !== '').join('\n');
    this.tell(
      count === 1 ? line : fill(words().notification.more, { n: count }),
      count === 1 ? body : `${line}${first.place === '' ? '' : ` · ${first.place}`}`,
      { onChosen, isUrgent: first.severity !== 'info' },
    );
  }

  /** Replaces the previous one. */
  tell(
    title: string,
    body: string,
    { onChosen, isUrgent = false }: { onChosen?: () => void; isUrgent?: boolean } = {},
  ): void {
    if (!Notification.isSupported()) return;
    const notification = new Notification({ title, body, urgency: isUrgent ? 'critical' : 'normal' });
    if (onChosen !== undefined) notification.on('click', onChosen);
    notification.show();
    this.#shown?.close();
    this.#shown = notification;
  }
}
