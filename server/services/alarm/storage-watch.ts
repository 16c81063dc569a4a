import type { AlarmCondition } from '../../contract/alarm.ts';
import type { LaterWrites, StorageState } from '../../db/later-writes.ts';
import type { AlarmControl } from '../live/daemon-port.ts';
import type { LiveCache } from '../live/live.ts';

interface WatchOptions {
  later: Pick<LaterWrites, 'state' | 'subscribe'>;
  daemon: Pick<AlarmControl, 'alarm_report'>;
  live: Pick<LiveCache, 'daemonState' | 'subscribe'>;
}

/** Source of the alarm: what this service finds wrong with itself. */
const source_id = 'service';

/** Tells the daemon that orangery.db takes no write, so that it becomes an alarm, and that it does again. */
export class StorageWatch {
  readonly #options: WatchOptions;
  /** What the daemon was last told; undefined before. */
  #told: StorageState['fault'] | undefined;
  #leave: (() => void)[] = [];
  #isTelling = false;

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  start(): void {
    const { later, live } = this.#options;
    this.#leave = [
      later.subscribe(() => void this.#tell()),
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
    const { later, live, daemon } = this.#options;
    if (this.#isTelling || live.daemonState !== 'up') return;
    this.#isTelling = true;
    try {
      for (let { state } = later; state.fault !== this.#told; state = later.state) {
        await daemon.alarm_report(source_id, conditionsOf(state));
        this.#told = state.fault;
      }
    } catch {
      this.#told = undefined;
    } finally {
      this.#isTelling = false;
    }
  }
}

function conditionsOf({ fault, message }: StorageState): AlarmCondition[] {
  if (fault === null) return [];
  return [
    {
      code: 'store_failed',
      severity: 'warning',
      source_kind: 'site',
      source_id,
      source_name: null,
      channel: null,
      role: null,
      name: 'settings_not_kept',
      value: null,
      limit: null,
      unit: null,
      message: `orangery.db: ${message ?? fault}`.slice(0, 500),
    },
  ];
}
