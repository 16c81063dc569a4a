import { ReportedConditions } from '../services/alarm/reported-conditions.ts';
import { BackupService } from '../services/backup/backup.ts';
import { BackupPlanService } from '../services/backup/plan.ts';
import { backupConditions, BackupSchedule, restoreConditions } from '../services/backup/schedule.ts';
import type { DaemonConnections } from './daemon-connections.ts';
import type { ServiceParts } from './parts.ts';

/** Joins the backups with their plan, their schedule and the alarm of one that failed. */
export function composeBackups(parts: ServiceParts & DaemonConnections) {
  const { begun, connectDaemon, live, lastRestore = null } = parts;
  const backupPlans = new BackupPlanService(parts);
  const backups = new BackupService({ ...parts, plans: backupPlans, restart: parts.restart, lastRestore });
  begun.defer(() => backups.stop());
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
  return { backups, backupPlans, backupSchedule, backupWatch };
}
