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
};

/** Raises and clears the alarm that a condition of a store is, one for each condition. */
export function alarmOfStore(alarms: AlarmPort, { code, is_active, message }: StoreCondition): void {
  const key = { code: codes[code], source_id: 'daemon', name: code };
  if (!is_active) return alarms.clear(key);
  alarms.raise(raiseable({ ...key, severity: 'warning', source_kind: 'daemon', message: message.slice(0, 500) }));
}
