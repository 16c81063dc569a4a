import type { AuditSink } from '../../auth/actor.ts';
import type { Clock } from '../../auth/clock.ts';
import type { LaterWrites } from '../../db/later-writes.ts';
import type { Database } from '../../db/open.ts';
import { DashboardRepository } from '../../db/repositories/dashboard.ts';
import { DesignRepository } from '../../db/repositories/design.ts';
import { FacilityRepository } from '../../db/repositories/facility.ts';
import { JobRepository } from '../../db/repositories/job.ts';
import { NoteRepository } from '../../db/repositories/note.ts';
import { transactor } from '../../db/transaction.ts';
import { DashboardService } from './dashboard.ts';
import { EventService } from '../live/event.ts';
import { JobRunner } from './job.ts';
import type { LiveCache } from '../live/live.ts';
import { NoteService } from './note.ts';
import type { ReferenceExists } from '../setting/references.ts';

interface ComposeOptions {
  /** orangery.db, migrated. */
  db: Database;
  clock: Clock;
  /** By which old jobs are forgotten. */
  trusted: Clock;
  audit: AuditSink;
  later: LaterWrites;
  live: LiveCache;
  /** Whether a device of any kind has this id (lower case). */
  deviceExists: (id: string) => boolean;
  /** Long work that failed by a fault of ours. */
  onJobFault: (error: unknown) => void;
}

export interface Records {
  notes: NoteService;
  dashboards: DashboardService;
  jobs: JobRunner;
  events: EventService;
}

/** Joins what people write down and arrange for themselves, the long work that they begin, and the events they follow. */
export function composeRecords(options: ComposeOptions): Records {
  const { db, clock, trusted, audit, later, live, deviceExists, onJobFault } = options;
  const designs = new DesignRepository(db);
  const facilities = new FacilityRepository(db);
  const referenceExists: ReferenceExists = (kind, id) => {
    if (kind === 'device') return deviceExists(id);
    const found = kind === 'map' ? designs.get(id) : facilities.get(id);
    return found?.deleted_at === null;
  };
  const shared = { referenceExists, transact: transactor(db), audit, clock };
  const jobs = new JobRunner({ rows: new JobRepository(db), later, clock, trusted, onFault: onJobFault });
  return {
    notes: new NoteService({ ...shared, rows: new NoteRepository(db) }),
    dashboards: new DashboardService({ ...shared, rows: new DashboardRepository(db) }),
    jobs,
    events: new EventService({ live, jobs, clock }),
  };
}
