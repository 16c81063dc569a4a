import type { AlarmCondition } from '../../contract/alarm.ts';
import type { AlarmControl } from '../live/daemon-port.ts';
import type { LiveCache } from '../live/live.ts';

interface ReportOptions {
  /** Source of the alarms: the part of this service that reports them. */
  source_id: string;
  /** The present conditions. */
  conditions: () => AlarmCondition[];
  /** Calls the listener when they may have changed; returns an unsubscribe function. */
  subscribe: (listener: () => void) => () => void;
  daemon: Pick<AlarmControl, 'alarm_report'>;
  live: Pick<LiveCache, 'daemonState' | 'subscribe'>;
}

/** Keeps the daemon informed of this service's conditions, so that each is an alarm for as long as it lasts. */
export class ReportedConditions {
  readonly #options: ReportOptions;
  /** What the daemon was last sent; undefined before the first time. */
  #told: string | undefined;
  #leave: (() => void)[] = [];
  #isTelling = false;

  constructor(options: ReportOptions) {
    this.#options = options;
  }

  start(): void {
    const { subscribe, live } = this.#options;
    this.#leave = [
      subscribe(() => void this.#tell()),
      live.subscribe(({ kind }) => {
        if (kind !== 'reset') return;
        this.#told = undefined; // another daemon, or one that has lost what it was told
        void this.#tell();
      }),
    ];
    void this.#tell();
  }

  stop(): void {
    for (const leave of this.#leave.splice(0)) leave();
  }

  /** If the daemon cannot be reached, it gets the conditions on its return, which is a reset. */
  async #tell(): Promise<void> {
    const { conditions, source_id, live, daemon } = this.#options;
    if (this.#isTelling || live.daemonState !== 'up') return;
    this.#isTelling = true;
    try {
      for (let now = JSON.stringify(conditions()); now !== this.#told; now = JSON.stringify(conditions())) {
        await daemon.alarm_report(source_id, conditions());
        this.#told = now;
      }
    } catch {
      this.#told = undefined;
    } finally {
      this.#isTelling = false;
    }
  }
}

/** The condition that something of this service cannot be stored. */
export function storeFailed(source_id: string, name: string, message: string): AlarmCondition {
  return {
    code: 'store_failed',
    severity: 'warning',
    source_kind: 'site',
    source_id,
    source_name: null,
    channel: null,
    role: null,
    name,
    value: null,
    limit: null,
    unit: null,
    message: message.slice(0, 500),
  };
}
