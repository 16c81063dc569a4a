import type { AlarmCode } from '../../contract/alarm.ts';
import type { StoreCondition } from '../../measurement/store.ts';
import { raiseable } from './alarm-key.ts';
import type { AlarmPort } from './alarms.ts';

const codes: Record<StoreCondition['code'], AlarmCode> = {
  measurements_damaged: 'store_failed',
  measurements_not_kept: 'store_failed',
  disk_space_low: 'disk_low',
  database_large: 'disk_low',
  control_damaged: 'store_failed',
  control_not_kept: 'store_failed',
  settings_not_read: 'store_failed',
  settings_not_kept: 'store_failed',
  backup_failed: 'store_failed',
  backup_copy_failed: 'store_failed',
  restore_failed: 'store_failed',
};

/** Storage faults: one line in the log and an alarm for each. Control goes on. */
export class StoreConditions {
  readonly #alarms: AlarmPort;
  readonly #log: (line: string) => void;
  /** Conditions reported before alarms were available. */
  #early: Map<StoreCondition['code'], StoreCondition> | undefined = new Map();

  constructor(alarms: AlarmPort, log: (line: string) => void) {
    this.#alarms = alarms;
    this.#log = log;
  }

  /** Called once alarms are available. */
  start(): void {
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const [, condition] of early) this.#raise(condition);
  }

  tell(condition: StoreCondition): void {
    this.#log(condition.message);
    if (this.#early === undefined) this.#raise(condition);
    else this.#early.set(condition.code, condition);
  }

  #raise({ code, is_active, message }: StoreCondition): void {
    const key = { code: codes[code], source_id: 'daemon', name: code };
    if (!is_active) return this.#alarms.clear(key);
    const text = message.slice(0, 500);
    this.#alarms.raise(raiseable({ ...key, severity: 'warning', source_kind: 'daemon', message: text }));
  }
}
