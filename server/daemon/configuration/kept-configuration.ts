import type { ControllerWord, SettingsOf } from '../../contract/controller-kinds.ts';
import { messageOf } from '../../contract/message-of.ts';
import { deviceSays } from '../../contract/device-words.ts';
import type { ConditionListener } from '../../measurement/store.ts';
import { lastConfiguration, openConfiguration, type Configuration, type StoredConfiguration } from './configuration.ts';
import type { LastKnown } from '../store/last-known.ts';

interface KeptOptions {
  /** Path of the orangery.db. */
  file: string;
  lastKnown: Pick<LastKnown, 'settings' | 'keep'>;
  /** Called when control falls back on the settings read last, and when it uses the file again. */
  tell: ConditionListener;
}

/**
 * The configuration that control never loses: while orangery.db cannot be read (damaged, missing, or on a disk without
 * room for SQLite's index) it returns what was read last.
 */
export class KeptConfiguration implements Configuration {
  readonly #options: KeptOptions;
  #file: StoredConfiguration | undefined;
  #last: Configuration | undefined;
  #keptVersion: string | undefined;

  constructor(options: KeptOptions) {
    this.#options = options;
  }

  /** Reads the file, or falls back. Throws the SQLite error, or `DatabaseTooNewError`, if nothing was ever read. */
  start(): void {
    try {
      this.#open();
    } catch (error) {
      if (this.#options.lastKnown.settings === null) throw error;
      this.#lose(error);
    }
  }

  /** Called now and then: stores changes, and tries to read an unreadable file again. True once that works. */
  look(): boolean {
    try {
      if (this.#file !== undefined) {
        this.#keep(this.#file);
        return false;
      }
      this.#open();
      this.#options.tell({ code: 'settings_not_read', is_active: false, message: 'orangery.db can be read again' });
      return true;
    } catch (error) {
      if (this.#file !== undefined) this.#lose(error);
      return false;
    }
  }

  list = <Word extends ControllerWord>(word: Word): SettingsOf<Word>[] => this.#ask((one) => one.list(word));
  get = <Word extends ControllerWord>(word: Word, id: string): SettingsOf<Word> | undefined =>
    this.#ask((one) => one.get(word, id));
  conversion: Configuration['conversion'] = (measurement, unit) =>
    this.#ask((one) => one.conversion(measurement, unit));
  retention: Configuration['retention'] = () => this.#ask((one) => one.retention());
  timeZone: Configuration['timeZone'] = () => this.#ask((one) => one.timeZone());
  place: Configuration['place'] = () => this.#ask((one) => one.place());
  reader: Configuration['reader'] = () => this.#ask((one) => one.reader());
  facility: Configuration['facility'] = (id) => this.#ask((one) => one.facility(id));
  facilityStanding: Configuration['facilityStanding'] = (id) => this.#ask((one) => one.facilityStanding(id));
  safetyPlan: Configuration['safetyPlan'] = () => this.#ask((one) => one.safetyPlan());
  version: Configuration['version'] = () => this.#ask((one) => one.version());

  close(): void {
    this.#file?.close();
    this.#file = undefined;
  }

  /** Answers from the settings read last what the file cannot answer. */
  #ask<Answer>(question: (configuration: Configuration) => Answer): Answer {
    if (this.#file !== undefined) {
      try {
        return question(this.#file);
      } catch (error) {
        this.#lose(error);
      }
    }
    return question(this.#fallback());
  }

  /** A file that opens may still be unreadable, so all of it is read. */
  #open(): void {
    const file = openConfiguration(this.#options.file);
    try {
      this.#keep(file);
    } catch (error) {
      file.close();
      throw error;
    }
    this.#file = file;
    this.#last = undefined;
  }

  #keep(file: StoredConfiguration): void {
    const version = file.version();
    if (version === this.#keptVersion) return;
    this.#options.lastKnown.keep({ settings: file.everything() });
    this.#keptVersion = version;
  }

  #lose(error: unknown): void {
    this.close();
    this.#keptVersion = undefined;
    const reason = messageOf(error);
    const message = deviceSays('settings_not_read', { said: reason });
    this.#options.tell({ code: 'settings_not_read', is_active: true, message });
  }

  #fallback(): Configuration {
    const { settings } = this.#options.lastKnown;
    if (settings === null) throw new Error('orangery.db cannot be read, and it never was');
    this.#last ??= lastConfiguration(settings);
    return this.#last;
  }
}
