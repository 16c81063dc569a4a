import type { Actor, AuditSink } from '../../auth/actor.ts';
import type { ControllerSettings } from '../../contract/controller-kind.ts';
import { Refusal } from '../../contract/errors.ts';
import type { ControllerStore } from '../../db/repositories/controller-stores.ts';
import type { Transact } from '../../db/transaction.ts';
import type { DaemonSettings } from '../live/daemon-settings.ts';
import { refuseUsedDevice, type UserSources } from './users.ts';

export interface SettingsOptions extends UserSources {
  transact: Transact;
  audit: AuditSink;
  daemon: DaemonSettings;
}

/** Ids for something new that had them elsewhere. */
export interface GivenIds {
  unique_id: string;
  /** Ids of an input's measurements, by channel; one already in use is not reused. */
  measurement_ids?: ReadonlyMap<number, string>;
}

/** The rules of a kind for its settings. They run inside the transaction and may refuse. */
export interface SettingsRules<
  Settings extends ControllerSettings,
  Create extends object,
  Patch extends { is_activated?: boolean | undefined },
> {
  word: string;
  /** Its name in a sentence. */
  noun: string;
  rows: ControllerStore<Settings>;
  /** Returns new settings as they are stored, under the given ids. */
  made(sent: Create, as?: GivenIds): Settings;
  /** Returns stored settings after a patch. */
  changed(stored: Settings, patch: Patch): Settings;
  /** Returns stored settings as they may be shown; by default unchanged. */
  shown?(stored: Settings): Settings;
}

/** Stores the settings of one kind of controller, with audit, and notifies the daemon of each change. */
export class SettingsService<
  Settings extends ControllerSettings = ControllerSettings,
  Create extends object = object,
  Patch extends { is_activated?: boolean | undefined } = object,
> {
  readonly #rules: SettingsRules<Settings, Create, Patch>;
  readonly #options: SettingsOptions;

  constructor(rules: SettingsRules<Settings, Create, Patch>, options: SettingsOptions) {
    this.#rules = rules;
    this.#options = options;
  }

  list(): Settings[] {
    return this.#rules.rows.list().map((stored) => this.#shown(stored));
  }

  /** Throws `not_found`. */
  get(id: string): Settings {
    return this.#shown(this.#stored(id));
  }

  has(id: string): boolean {
    return this.#rules.rows.get(id) !== undefined;
  }

  /**
   * What would be stored, without storing it; in place of existing settings when an id is named. Throws as `create`.
   */
  drafted(sent: Create, unique_id?: string): Settings {
    return this.#shown(this.#rules.made(sent, unique_id === undefined ? undefined : { unique_id }));
  }

  /**
   * Throws `invalid_field`, `unknown_field`, `read_only_field`, `unknown_reference`, `circular_reference` or
   * `output_driven`.
   */
  async create(actor: Actor, sent: Create, as?: GivenIds): Promise<Settings> {
    const { transact, audit, daemon } = this.#options;
    const made = transact(() => {
      const stored = this.#rules.made(sent, as);
      this.#rules.rows.insert(stored);
      const after = this.#shown(stored);
      audit.record({ kind: `${this.#rules.word}.create`, actor, target: after.unique_id, after });
      return after;
    });
    await daemon.changed(made.unique_id);
    return made;
  }

  /**
   * Changes what the patch names. Throws as `create`, `not_found`, or `in_use` with what depends on something it would
   * end.
   */
  async change(actor: Actor, id: string, patch: Patch): Promise<Settings> {
    const after = this.#store(actor, id, (stored) => this.#rules.changed(stored, patch));
    await this.#options.daemon.changed(id);
    return after;
  }

  /** Stores whether it should run; the caller notifies the daemon. Throws `not_found`, `output_driven`. */
  setActivated(actor: Actor, id: string, is_activated: boolean): void {
    const patch = { is_activated } as Patch; // of its fields each may be absent
    this.#store(actor, id, (stored) => this.#rules.changed(stored, patch));
    this.#options.daemon.stored(id);
  }

  /** Throws `not_found`, or `in_use` with its users. */
  async remove(actor: Actor, id: string): Promise<void> {
    const { transact, audit, daemon } = this.#options;
    transact(() => {
      const before = this.get(id);
      refuseUsedDevice(id, this.#options);
      this.#rules.rows.remove(id);
      audit.record({ kind: `${this.#rules.word}.delete`, actor, target: id, before });
    });
    await daemon.changed(id);
  }

  #store(actor: Actor, id: string, changed: (stored: Settings) => Settings): Settings {
    const { transact, audit } = this.#options;
    return transact(() => {
      const before = this.#stored(id);
      const stored = changed(before);
      this.#rules.rows.update(stored);
      const after = this.#shown(stored);
      audit.record({ kind: `${this.#rules.word}.change`, actor, target: id, before: this.#shown(before), after });
      return after;
    });
  }

  #stored(id: string): Settings {
    const found = this.#rules.rows.get(id);
    if (found === undefined) throw new Refusal('not_found', `no such ${this.#rules.noun}`);
    return found;
  }

  #shown(stored: Settings): Settings {
    return this.#rules.shown?.(stored) ?? stored;
  }
}
