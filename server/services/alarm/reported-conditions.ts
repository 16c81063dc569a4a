import type { AlarmCondition } from '../../contract/alarm.ts';
import type { AlarmControl } from '../live/daemon-port.ts';
import type { LiveCache } from '../live/live.ts';

interface ReportOptions {
  /** Of the alarms: what this service finds wrong with itself. */
  source_id: string;
  /** What is wrong at present. */
  conditions: () => AlarmCondition[];
  /** Calls the listener when that may have changed; returns an unsubscribe function. */
  subscribe: (listener: () => void) => () => void;
  daemon: Pick<AlarmControl, 'alarm_report'>;
  live: Pick<LiveCache, 'daemonState' | 'subscribe'>;
}

/** Keeps the daemon told of what is wrong with this service, so that it becomes an alarm and is over when it is. */
export class ReportedConditions {
  readonly #options: ReportOptions;
  /** What the daemon was last told; undefined before. */
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

  /** A daemon that cannot be told is told when it is back, which is a reset. */
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

/** That something of this service is not stored. */
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
