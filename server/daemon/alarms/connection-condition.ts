import type { Connection } from '../../contract/drivers/connection.ts';
import type { Configuration } from '../configuration/configuration.ts';
import { raiseable } from './alarm-key.ts';
import type { AlarmPort } from './alarms.ts';
import { connectionOfDevice } from './needs.ts';

/** With fewer devices the alarm of the device itself says more. */
const fewestDevices = 2;

/** Raises or clears the alarm of a connection that several active devices share. */
export function connectionCondition(configuration: Pick<Configuration, 'list'>, alarms: AlarmPort) {
  return ({ id: source_id, name: source_name }: Connection, failure: string | null): void => {
    const key = { code: 'connection_lost', source_id } as const;
    if (failure === null || !isShared(configuration, source_id)) return alarms.clear(key);
    const about = { source_kind: 'connection', source_name, severity: 'warning' } as const;
    alarms.raise(raiseable({ ...key, ...about, message: failure.slice(0, 500) }));
  };
}

/** Whether several active devices are reached by this connection. */
export function isShared(configuration: Pick<Configuration, 'list'>, connectionId: string): boolean {
  const devices = (['input', 'output', 'lcd'] as const).flatMap((word) => configuration.list(word));
  const isOnIt = devices.filter((one) => one.is_activated && connectionOfDevice(one)?.id === connectionId);
  return isOnIt.length >= fewestDevices;
}
