import type { LaterWrites } from '../../db/later-writes.ts';
import type { AlarmControl } from '../live/daemon-port.ts';
import type { LiveCache } from '../live/live.ts';
import { ReportedConditions, storeFailed } from './reported-conditions.ts';

interface WatchOptions {
  later: Pick<LaterWrites, 'state' | 'subscribe'>;
  daemon: Pick<AlarmControl, 'alarm_report'>;
  live: Pick<LiveCache, 'daemonState' | 'subscribe'>;
}

/** Reports to the daemon while orangery.db accepts no writes, so that it is an alarm. */
export function storageWatch({ later, ...parts }: WatchOptions): ReportedConditions {
  const source_id = 'service';
  // While it lasts it is one alarm, with the disk's first message.
  let first: { fault: string; message: string } | null = null;
  const conditions = () => {
    const { fault, message } = later.state;
    if (fault !== first?.fault) first = fault === null ? null : { fault, message: `orangery.db: ${message ?? fault}` };
    return first === null ? [] : [storeFailed(source_id, 'settings_not_kept', first.message)];
  };
  return new ReportedConditions({
    ...parts,
    source_id,
    conditions,
    subscribe: (listener) => later.subscribe(listener),
  });
}
