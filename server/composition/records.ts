import { contentVersion } from '../db/content-version.ts';
import { followHouses } from '../services/device/house-programs.ts';
import { EventService } from '../services/live/event.ts';
import { SiteChanges } from '../services/live/site-changes.ts';
import { DashboardService } from '../services/record/dashboard.ts';
import { JobRunner } from '../services/record/job.ts';
import { LogService } from '../services/record/log.ts';
import { NoteService } from '../services/record/note.ts';
import { TrendViewService } from '../services/record/trend-view.ts';
import type { ReferenceExists } from '../services/setting/references.ts';
import type { DaemonConnections } from './daemon-connections.ts';
import type { Devices } from './devices.ts';
import type { ServiceParts } from './parts.ts';

/** Composes notes, dashboards, views of trends, jobs and the events that people follow. */
export function composeRecords(parts: ServiceParts & DaemonConnections & Pick<Devices, 'devices'>) {
  const { db, commits, repositories, daemonSettings, begun, onJobFault, onLookFault } = parts;
  const shared = { ...parts, referenceExists: referenceCheck(parts) };
  const jobs = new JobRunner({ ...parts, rows: repositories.jobs, onFault: onJobFault });
  begun.defer(() => jobs.stop());
  const content = contentVersion(db, commits);
  const changes = new SiteChanges({ ...parts, ...repositories, content, onFault: onLookFault });
  begun.defer(() => changes.stop());
  daemonSettings.subscribe((id) => changes.note(id));
  return {
    followHouses: () => followHouses({ ...repositories, changes, daemon: daemonSettings }),
    notes: new NoteService({ ...shared, rows: repositories.notes }),
    dashboards: new DashboardService({ ...shared, rows: repositories.dashboards }),
    trendViews: new TrendViewService({ ...shared, rows: repositories.trendViews }),
    jobs,
    logs: new LogService(parts),
    events: new EventService({ ...parts, jobs, changes }),
  };
}

type Referable = Pick<ServiceParts, 'repositories'> & Pick<Devices, 'devices'>;

function referenceCheck({ repositories: { designs, facilities }, devices }: Referable): ReferenceExists {
  return (kind, id) => {
    if (kind === 'device') return devices.exists(id);
    const found = kind === 'map' ? designs.get(id) : facilities.get(id);
    return found?.deleted_at === null;
  };
}
