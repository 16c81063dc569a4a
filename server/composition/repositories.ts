import type { Database } from '../db/open.ts';
import { ApiKeyRepository } from '../db/repositories/api-key.ts';
import { controllerStores, measuredDevices } from '../db/repositories/controller-stores.ts';
import { AuditRepository } from '../db/repositories/audit.ts';
import { DashboardRepository } from '../db/repositories/dashboard.ts';
import { ErrandRepository } from '../db/repositories/errand.ts';
import { DesignRepository } from '../db/repositories/design.ts';
import { FacilityRepository } from '../db/repositories/facility.ts';
import { HeardEventsRepository } from '../db/repositories/heard-events.ts';
import { InputRepository } from '../db/repositories/input.ts';
import { JobRepository } from '../db/repositories/job.ts';
import { LcdRepository } from '../db/repositories/lcd.ts';
import { MeasurementRetentionRepository } from '../db/repositories/measurement-retention.ts';
import { NoteRepository } from '../db/repositories/note.ts';
import { NotificationRepository } from '../db/repositories/notification.ts';
import { OutputRepository } from '../db/repositories/output.ts';
import { PlacementRepository } from '../db/repositories/placement.ts';
import { RoleRepository } from '../db/repositories/role.ts';
import { SessionRepository } from '../db/repositories/session.ts';
import { SettingRepository } from '../db/repositories/setting.ts';
import { TotpRepository } from '../db/repositories/totp.ts';
import { TrendViewRepository } from '../db/repositories/trend-view.ts';
import { UnitRepository } from '../db/repositories/unit.ts';
import { UserRepository } from '../db/repositories/user.ts';

export type Repositories = ReturnType<typeof repositoriesOf>;

/**
 * The SQL of orangery.db, once for each connection. Maps have theirs in the map runner, whose worker has another
 * connection.
 */
export function repositoriesOf(db: Database) {
  const kinds = controllerStores(db);
  return {
    apiKeys: new ApiKeyRepository(db),
    kinds,
    /** Which devices and controllers store series, by those settings. */
    measured: measuredDevices(kinds),
    auditRecords: new AuditRepository(db),
    dashboards: new DashboardRepository(db),
    designs: new DesignRepository(db),
    errands: new ErrandRepository(db),
    facilities: new FacilityRepository(db),
    heardEvents: new HeardEventsRepository(db),
    inputs: new InputRepository(db),
    jobs: new JobRepository(db),
    lcds: new LcdRepository(db),
    notes: new NoteRepository(db),
    notifications: new NotificationRepository(db),
    outputs: new OutputRepository(db),
    placements: new PlacementRepository(db),
    retention: new MeasurementRetentionRepository(db),
    roles: new RoleRepository(db),
    sessions: new SessionRepository(db),
    settings: new SettingRepository(db),
    totp: new TotpRepository(db),
    trendViews: new TrendViewRepository(db),
    units: new UnitRepository(db),
    users: new UserRepository(db),
  };
}
