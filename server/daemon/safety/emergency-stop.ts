import type { EmergencyStopRow } from '../../db/repositories/emergency-stop.ts';
import type { EmergencyHold } from '../../contract/daemon.ts';
import { messageOf } from '../../contract/message-of.ts';
import type { EventRing } from '../events/events.ts';
import type { Clock } from '../clock.ts';
import type { ControlStore } from '../store/control-store.ts';

interface EmergencyStopOptions {
  clock: Clock;
  events: Pick<EventRing, 'push'>;
  store: Pick<ControlStore, 'saveEmergencyStop'>;
  log: (line: string) => void;
}

/** Whether everything was stopped, by whom and since when; kept across restarts until its release. */
export class EmergencyStop {
  readonly #options: EmergencyStopOptions;
  #held: EmergencyStopRow | null = null;

  constructor(options: EmergencyStopOptions) {
    this.#options = options;
  }

  /** Takes over what the last daemon left. */
  start(left: EmergencyStopRow | null): void {
    this.#held = left;
    if (left !== null) this.#tell();
  }

  /** null while it is not active. */
  get held(): EmergencyStopRow | null {
    return this.#held;
  }

  /** The stop as clients and events receive it. */
  view(): EmergencyHold {
    const held = this.#held;
    if (held === null) return { active: false, since: null, by: null, reason: null };
    return { active: true, since: new Date(held.since_ms).toISOString(), by: held.actor, reason: held.reason };
  }

  /** Holds from this moment; resolves once it is on disk. A second stop leaves the first in place. */
  async begin(actor: string, reason: string | null): Promise<void> {
    this.#held ??= { since_ms: Math.round(this.#options.clock.now()), actor, reason };
    this.#tell();
    await this.#save();
  }

  async release(actor: string): Promise<void> {
    this.#held = null;
    this.#tell({ released_by: actor });
    await this.#save();
  }

  #tell(released: { released_by?: string } = {}): void {
    this.#options.events.push({ kind: 'emergency_stop', ...this.view(), ...released });
  }

  /** Never rejects: the stop holds even if the disk refuses it. */
  async #save(): Promise<void> {
    const { store, log } = this.#options;
    try {
      await store.saveEmergencyStop(this.#held);
    } catch (error) {
      log(`the emergency stop was not kept: ${messageOf(error)}`);
    }
  }
}
