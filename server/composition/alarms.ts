import { AlarmService } from '../services/alarm/alarm.ts';
import { refuseUsedTarget } from '../services/device/users.ts';
import { ErrandSender } from '../services/errand/sender.ts';
import { storageWatch as watchStorage } from '../services/alarm/storage-watch.ts';
import { FacilityWatch } from '../services/facility/watch.ts';
import { NotificationSender } from '../services/notification/sender.ts';
import { NotificationTargetService } from '../services/notification/target.ts';
import type { DaemonConnections } from './daemon-connections.ts';
import type { Facilities } from './facilities.ts';
import type { ServiceParts } from './parts.ts';

/** Composes what reports alarms to the daemon, what shows them and what notifies people. */
export function composeAlarms(parts: ServiceParts & DaemonConnections & Pick<Facilities, 'runtime'>) {
  const { begun, connectDaemon, repositories, settings } = parts;
  const daemon = connectDaemon();
  const shared = {
    ...parts,
    daemon,
    facilities: repositories.facilities,
    rows: repositories.notifications,
    site: settings,
    refuseUsed: (id: string) => refuseUsedTarget(id, repositories.kinds),
  };
  const alarms = new AlarmService(shared);
  const notificationTargets = new NotificationTargetService(shared);
  const facilityWatch = new FacilityWatch(shared);
  begun.defer(async () => {
    daemon.close(); // which ends the call that the watch may wait for
    await facilityWatch.stop();
  });
  const storageWatch = watchStorage(shared);
  begun.defer(() => storageWatch.stop());
  const sender = new NotificationSender({ ...shared, targets: notificationTargets, alarms: () => alarms.list() });
  begun.defer(() => sender.stop());
  const errandSender = new ErrandSender({ ...shared, ...repositories, alarmsSent: (id) => sender.sent(id) });
  begun.defer(() => errandSender.stop());
  return { alarms, notificationTargets, facilityWatch, storageWatch, sender, errandSender };
}
