import { ReportedConditions } from '../services/alarm/reported-conditions.ts';
import { BackupService } from '../services/backup/backup.ts';
import { BackupPlanService } from '../services/backup/plan.ts';
import { backupConditions, BackupSchedule, restoreConditions } from '../services/backup/schedule.ts';
import { BackupUpload } from '../services/backup/upload.ts';
import { BackupWork } from '../services/backup/work.ts';
import type { DaemonConnections } from './daemon-connections.ts';
import type { ServiceParts } from './parts.ts';

/** Joins the backups with their plan, their schedule and the alarm of one that failed. */
export function composeBackups(parts: ServiceParts & DaemonConnections) {
  const { begun, connectDaemon, live, lastRestore = null } = parts;
  const backupPlans = new BackupPlanService(parts);
  const work = new BackupWork();
  begun.defer(() => work.stop());
  const joined = { ...parts, plans: backupPlans, work };
  const backups = new BackupService({ ...joined, restart: parts.restart, lastRestore });
  const backupUpload = new BackupUpload(joined);
  const backupSchedule = new BackupSchedule({ ...parts, plans: backupPlans, backups });
  begun.defer(() => backupSchedule.stop());
  const daemon = connectDaemon();
  begun.defer(() => daemon.close());
  const backupWatch = new ReportedConditions({
    ...{ source_id: 'backup', daemon, live },
    conditions: () => [...backupConditions(backupPlans), ...restoreConditions(lastRestore)],
    subscribe: (listener) => backupPlans.subscribe(listener),
  });
  begun.defer(() => backupWatch.stop());
  return { backups, backupUpload, backupPlans, backupSchedule, backupWatch };
}
