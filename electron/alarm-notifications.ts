import { Notification } from 'electron';
import type { AlarmBrief } from '../server/contract/alarm.ts';
import { alarmTexts, wordAlarm } from '../server/contract/alarm-words.ts';
import { fill } from '../server/contract/fill.ts';
import type { Language } from '../server/contract/language.ts';
import type { Words } from './words.ts';

interface NotifyOptions {
  words: () => Words;
  language: () => Language;
  isWanted: () => boolean;
  /** Called when a notification was clicked. */
  onChosen: () => void;
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
    const { severity, code, notice } = alarmTexts[language()];
    const title = `${severity[first.severity]}${notice.colon}${code[first.code]}`;
    const { place, lines } = wordAlarm(first, { language: language() });
    const isAlone = count === 1;
    this.tell(
      isAlone ? title : fill(words().notification.more, { n: count }),
      (isAlone ? [place, ...lines] : [title, place]).filter((part) => part !== '').join(isAlone ? '\n' : ' · '),
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
