import { AlarmRepository } from '../../server/db/repositories/alarm.ts';
import { onTestFinished } from 'vitest';
import type { RateLimits } from '../../server/api/checks/rate.ts';
import { allRoutes } from '../../server/api/routes/index.ts';
import type { Route } from '../../server/api/route.ts';
import type { Authenticated } from '../../server/auth/authenticator.ts';
import type { Database } from '../../server/db/open.ts';
import { permissions } from '../../server/contract/permission.ts';
import { composeAlarms } from '../../server/services/alarm/compose.ts';
import { composeDevices, type Devices } from '../../server/services/device/compose.ts';
import { composeMeasurements } from '../../server/services/measurement/compose.ts';
import { composeRecords, type Records } from '../../server/services/record/compose.ts';
import { DesignService } from '../../server/services/map/design.ts';
import { MapRunner } from '../../server/services/map/runner.ts';
import { OverlayService } from '../../server/services/map/overlay.ts';
import { actor, testAccounts, type TestAccounts } from './accounts.ts';
import { startTestApi, type TestApi } from './api.ts';
import { testDatabase } from './database.ts';
import { ScriptedDaemon } from './scripted-daemon.ts';

/** The key, and its id, that testWholeApi takes; it is that of an administrator who cannot be removed by any call. */
export const wholeKey = 'c0ffee00-0000-4000-8000-000000000000';

export interface WholeApi extends TestApi {
  routes: Route[];
  accounts: TestAccounts;
  devices: Devices;
  records: Records;
  overlays: OverlayService;
  daemon: ScriptedDaemon;
  /** measurements.db, for the test to fill. */
  measured: Database;
  /** Of the user whose key is `wholeKey`. */
  userId: string;
  /** What was thrown where nothing should be. */
  faults: unknown[];
}

const unlimited: RateLimits = {
  safety: 1e9,
  command: 1e9,
  calculation: 1e9,
  sample: 1e9,
  change: 1e9,
  login: 1e9,
  stranger: 1e9,
  health: 1e9,
};

/** Every route of the interface over real services and a fresh orangery.db, with a scripted daemon in place of the process. */
export async function testWholeApi(limits: RateLimits = unlimited): Promise<WholeApi> {
  const accounts = testAccounts();
  const { db, clock } = accounts;
  const daemon = new ScriptedDaemon(clock.now);
  const faults: unknown[] = [];
  const settings = () => accounts.settings.get();
  const devices = composeDevices({
    ...accounts,
    clock: clock.now,
    elapsed: clock.now,
    trusted: clock.now,
    log: { warn: () => undefined },
    connectDaemon: () => daemon.connect(),
    site: settings,
  });
  onTestFinished(() => devices.stop());
  devices.start();
  const maps = new MapRunner(db);
  onTestFinished(() => maps.close());
  const deviceExists = (id: string) => devices.devices.exists(id);
  const shared = { maps, audit: accounts.audit, clock: clock.now };
  const overlays = new OverlayService({
    ...shared,
    channelsOf: (id) => devices.devices.channelsOf(id),
    deviceChannels: () => devices.devices.deviceChannels(),
  });
  const measured = testDatabase('measurements');
  const measurements = composeMeasurements({
    ...{ db, daemon, clock: clock.now, audit: accounts.audit, later: accounts.later, live: devices.live },
    measurementsFile: measured.name,
    timeZone: () => settings().time_zone,
  });
  onTestFinished(() => measurements.stop());
  const records = composeRecords({
    ...{ ...shared, trusted: clock.now },
    db,
    later: accounts.later,
    live: devices.live,
    deviceExists,
    onJobFault: (error) => void faults.push(error),
  });
  const log = { warn: () => undefined };
  const alarms = composeAlarms({
    ...{
      ...accounts,
      ...devices,
      journal: new AlarmRepository(testDatabase('control')),
      daemon,
      log,
      clock: clock.now,
      site: settings,
    },
    trusted: clock.now,
    deliver: async () => 'delivered',
  });
  const routes = allRoutes({
    ...accounts,
    ...devices,
    ...records,
    ...measurements,
    ...alarms,
    overlays,
    designs: new DesignService({
      ...{ ...shared, trusted: clock.now, startView: settings },
      purgeFacilities: () => void devices.facilities.purgeTrash(),
    }),
    supervision: () => ({ restarts: 0, last_restart: null, crash_loop: false, is_stopped: false }),
    startDaemon: async () => undefined,
    isUp: () => true,
  });
  const owner = await accounts.add('owner', 'Admin');
  const authenticate = ({ address }: { address: string }): Authenticated => ({
    actor: {
      ...actor({ user_id: owner.unique_id, username: owner.username, role: 'Admin', permissions }),
      key_id: wholeKey,
      address,
    },
    csrf_token: null,
  });
  const api = await startTestApi({ routes, limits, storage: accounts.storage, authenticator: { authenticate } });
  onTestFinished(() => api.close());
  return { ...api, routes, accounts, devices, records, overlays, daemon, measured, userId: owner.unique_id, faults };
}
