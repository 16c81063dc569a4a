import { Outbound } from '../outbound/outbound.ts';
import { ReportedConditions } from '../services/alarm/reported-conditions.ts';
import { BackupService } from '../services/backup/backup.ts';
import { BackupPlanService } from '../services/backup/plan.ts';
import { backupConditions, BackupSchedule, restoreConditions } from '../services/backup/schedule.ts';
import { BackupCopies, copyConditions } from '../services/backup/copies.ts';
import { BackupTargetService } from '../services/backup/target.ts';
import { BackupUpload } from '../services/backup/upload.ts';
import { BackupWork } from '../services/backup/work.ts';
import type { DaemonConnections } from './daemon-connections.ts';
import type { ServiceParts } from './parts.ts';
import type { OutsideParts } from './proxies.ts';

/** Composes the backups with their plan, their schedule and the alarm for a failed one. */
export function composeBackups(parts: ServiceParts & DaemonConnections & Pick<OutsideParts, 'outside'>) {
  const { begun, connectDaemon, live, lastRestore = null } = parts;
  const backupPlans = new BackupPlanService(parts);
  const work = new BackupWork();
  begun.defer(() => work.stop());
  const joined = { ...parts, plans: backupPlans, work };
  const backups = new BackupService({ ...joined, restart: parts.restart, lastRestore });
  const backupUpload = new BackupUpload(joined);
  const outbound = new Outbound(parts.outside?.outbound);
  begun.defer(() => outbound.close());
  const targets = new BackupTargetService({ ...parts, outbound });
  const backupCopies = new BackupCopies({ ...joined, targets, uploads: backupUpload });
  begun.defer(() => backupCopies.stop());
  const backupSchedule = new BackupSchedule({ ...parts, plans: backupPlans, backups });
  begun.defer(() => backupSchedule.stop());
  const daemon = connectDaemon();
  begun.defer(() => daemon.close());
  const backupWatch = new ReportedConditions({
    source_id: 'backup',
    daemon,
    live,
    conditions: () => [
      ...backupConditions(backupPlans),
      ...restoreConditions(lastRestore),
      ...copyConditions({ list: () => targets.list(), fault: targets.fault }),
    ],
    subscribe: (listener) => {
      const ends = [backupPlans.subscribe(listener), targets.subscribe(listener)];
      return () => ends.forEach((end) => end());
    },
  });
  begun.defer(() => backupWatch.stop());
  return { backups, backupUpload, backupPlans, backupTargets: targets, backupCopies, backupSchedule, backupWatch };
}
