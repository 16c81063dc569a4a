import { randomUUID } from 'node:crypto';
import type { Actor, AuditSink } from '../../auth/actor.ts';
import type {
  ControllerFault,
  ControllerKind,
  ControllerSettings,
  StoredKind,
} from '../../contract/controller-kind.ts';
import { Refusal, refuseField } from '../../contract/errors.ts';
import { parseOrRefuse } from '../../contract/field-errors.ts';
import { uuid } from '../../contract/identifier.ts';
import type { ControllerRepository } from '../../db/repositories/controller.ts';
import type { Transact } from '../../db/transaction.ts';
import type { DaemonSettings } from '../live/daemon-settings.ts';
import { refuseOtherId } from './patch.ts';
import { refuseDriven, refuseUnknown } from './references.ts';
import { refuseUsedDevice, type UserSources } from './users.ts';

/** The first fault that the contract alone does not see; undefined where there is none. */
export type Judge = (settings: ControllerSettings) => ControllerFault | undefined;

export interface StoredSettingsOptions extends UserSources {
  /** What is asked of some kinds beside what the contract says. */
  judges: Partial<Record<string, Judge>>;
  transact: Transact;
  audit: AuditSink;
  daemon: DaemonSettings;
}

type Stored<Settings extends ControllerSettings> = ControllerKind<string, string, string, Settings> & {
  stored: StoredKind<Settings>;
};

/** The settings of a kind that has no table and no rules of its own beside what the contract says of it. */
export class StoredSettingsService<Settings extends ControllerSettings = ControllerSettings> {
  readonly #kind: Stored<Settings>;
  readonly #rows: ControllerRepository<Settings>;
  readonly #options: StoredSettingsOptions;

  constructor(kind: Stored<Settings>, rows: ControllerRepository<Settings>, options: StoredSettingsOptions) {
    this.#kind = kind;
    this.#rows = rows;
    this.#options = options;
  }

  list(): Settings[] {
    return this.#rows.list();
  }

  /** Throws `not_found`. */
  get(id: string): Settings {
    const found = this.#rows.get(id);
    if (found === undefined) throw new Refusal('not_found', `no such ${this.#kind.noun}`);
    return found;
  }

  has(id: string): boolean {
    return this.#rows.get(id) !== undefined;
  }

  /** Stores it and tells the daemon. Throws `invalid_field`, `unknown_field`, `unknown_reference` or `output_driven`. */
  async create(actor: Actor, sent: object): Promise<Settings> {
    const { transact, audit, daemon } = this.#options;
    const unique_id = randomUUID();
    const made = transact(() => {
      const checked = this.#checked({ ...this.#kind.stored.defaults, ...sent, unique_id });
      this.#rows.insert(checked);
      audit.record({ kind: `${this.#kind.word}.create`, actor, target: unique_id, after: checked });
      return checked;
    });
    await daemon.changed(unique_id);
    return made;
  }

  /** Changes what the patch names and tells the daemon. Throws as `create`, `not_found`, `read_only_field`. */
  async change(actor: Actor, id: string, patch: object): Promise<Settings> {
    const after = this.#store(actor, id, patch);
    await this.#options.daemon.changed(id);
    return after;
  }

  /** Stores whether it is to run; the caller tells the daemon. Throws `not_found`, `output_driven`. */
  setActivated(actor: Actor, id: string, is_activated: boolean): void {
    this.#store(actor, id, { is_activated });
  }

  /** Throws `not_found`, or `in_use` with what uses it. */
  async remove(actor: Actor, id: string): Promise<void> {
    const { transact, audit, daemon } = this.#options;
    transact(() => {
      const before = this.get(id);
      refuseUsedDevice(id, this.#options);
      this.#rows.remove(id);
      audit.record({ kind: `${this.#kind.word}.delete`, actor, target: id, before });
    });
    await daemon.changed(id);
  }

  #store(actor: Actor, id: string, patch: { unique_id?: string; is_activated?: boolean }): Settings {
    const { transact, audit } = this.#options;
    return transact(() => {
      const before = this.get(id);
      refuseOtherId(id, patch.unique_id);
      const after = this.#checked({ ...before, ...patch, unique_id: id });
      this.#rows.update(after);
      audit.record({ kind: `${this.#kind.word}.change`, actor, target: id, before, after });
      return after;
    });
  }

  #checked(asked: object): Settings {
    const { stored } = this.#kind;
    const settings = parseOrRefuse(this.#kind.settings, lowerCased(stored.settled?.(asked) ?? asked));
    const [fault] = stored.faults(settings);
    if (fault !== undefined) throw refuseField('invalid_field', fault.path, fault.message);
    const references = stored.references(settings);
    refuseUnknown(references, this.#options.kinds);
    refuseDriven(settings, references, this.#options.kinds);
    const found = this.#options.judges[this.#kind.word]?.(settings);
    if (found !== undefined) throw refuseField('invalid_field', found.path, found.message);
    return settings;
  }
}

/** Identifiers are stored in lower case, at whatever depth. */
function lowerCased(value: unknown): unknown {
  if (typeof value === 'string') return uuid.safeParse(value).success ? value.toLowerCase() : value;
  if (Array.isArray(value)) return value.map(lowerCased);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, lowerCased(one)]));
}
