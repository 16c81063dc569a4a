import type { AuditSink } from '../../auth/actor.ts';
import type { Clock } from '../../auth/clock.ts';
import type { SecretBox } from '../../auth/secret-box.ts';
import type { Settings } from '../../contract/setting.ts';
import type { Database } from '../../db/open.ts';
import { NotificationRepository } from '../../db/repositories/notification.ts';
import { transactor } from '../../db/transaction.ts';
import { AlarmService } from './alarm.ts';
import type { Journal } from './followed-journal.ts';
import type { Devices } from '../device/compose.ts';
import { messageOf, type AlarmControl } from '../live/daemon-port.ts';
import type { LaterWrites } from '../../db/later-writes.ts';
import { StorageWatch } from './storage-watch.ts';
import { FacilityWatch } from '../facility/watch.ts';
import type { Deliver } from '../notification/delivery.ts';
import { NotificationSender } from '../notification/sender.ts';
import { NotificationTargetService } from '../notification/target.ts';

interface ComposeOptions extends Pick<Devices, 'live' | 'facilities' | 'runtime'> {
  /** orangery.db, migrated. */
  db: Database;
  /** Of control.db. */
  journal: Journal;
  /** A connection that nothing else uses. */
  daemon: AlarmControl & { close(): void };
  deliver: Deliver;
  secrets: SecretBox;
  site: () => Pick<Settings, 'site_name' | 'time_zone' | 'language'>;
  audit: AuditSink;
  later: LaterWrites;
  clock: Clock;
  /** By which what nobody could be told of is given up. */
  trusted: Clock;
  log: { warn(message: string): void };
}

export interface Alarms {
  alarms: AlarmService;
  notificationTargets: NotificationTargetService;
  /** Begins to look at the facilities and to tell of alarms. */
  start: () => void;
  /** Ends that and closes the connection. */
  stop: () => Promise<void>;
}

const tellMs = 2_000;

/** Joins what tells the daemon of alarms, what shows them and what tells people of them. */
export function composeAlarms(options: ComposeOptions): Alarms {
  const { daemon, db, log } = options;
  const alarms = new AlarmService(options);
  const shared = { ...options, rows: new NotificationRepository(db), transact: transactor(db) };
  const targets = new NotificationTargetService(shared);
  const sender = new NotificationSender({ ...shared, targets, alarms: () => alarms.list() });
  const watch = new FacilityWatch(options);
  const storage = new StorageWatch(options);
  let timer: NodeJS.Timeout | undefined;
  const tell = (): void => {
    try {
      sender.look();
    } catch (error) {
      log.warn(`alarms could not be looked at for those who are to be told: ${messageOf(error)}`);
    }
  };
  return {
    alarms,
    notificationTargets: targets,
    start: () => {
      watch.start();
      storage.start();
      timer = setInterval(tell, tellMs);
    },
    stop: async () => {
      clearInterval(timer);
      sender.stop();
      storage.stop();
      daemon.close();
      await watch.stop();
    },
  };
}
