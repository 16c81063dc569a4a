import { dirname, join } from 'node:path';
import { AlarmRepository } from '../../server/db/repositories/alarm.ts';
import { onTestFinished } from 'vitest';
import type { RateLimits } from '../../server/api/checks/rate.ts';
import { allRoutes } from '../../server/api/routes/index.ts';
import type { Route } from '../../server/api/route.ts';
import type { Authenticated } from '../../server/auth/authenticator.ts';
import type { Database } from '../../server/db/open.ts';
import { permissions } from '../../server/contract/permission.ts';
import type { ServiceParts } from '../../server/composition/parts.ts';
import { composeServices, followDaemon, type Services } from '../../server/composition/services.ts';
import { OwedStop } from '../../server/services/device/owed-stop.ts';
import { actor, testAccounts, type TestAccounts } from './accounts.ts';
import { startTestApi, type TestApi } from './api.ts';
import { testDatabase } from './database.ts';
import { startProviders, type TestOutside } from './providers.ts';
import { ScriptedDaemon } from './scripted-daemon.ts';

/** The key, and its id, that testWholeApi uses; it belongs to an administrator whom no call can remove. */
export const wholeKey = 'c0ffee00-0000-4000-8000-000000000000';

export interface WholeApi extends TestApi {
  routes: Route[];
  accounts: TestAccounts;
  services: Services;
  daemon: ScriptedDaemon;
  /** All outside services. */
  provider: TestOutside['provider'];
  /** measurements.db, for the test to fill. */
  measured: Database;
  /** Of the user whose key is `wholeKey`. */
  userId: string;
  /** Errors thrown where there should be none. */
  faults: unknown[];
}

/** Starts a real daemon over the orangery.db of these accounts, and returns what connects to it. */
export type Connect = (accounts: TestAccounts) => Promise<ServiceParts['connectDaemon']>;

export const unlimited: RateLimits = {
  safety: 1e9,
  command: 1e9,
  calculation: 1e9,
  sample: 1e9,
  change: 1e9,
  login: 1e9,
  stranger: 1e9,
  health: 1e9,
};

/**
 * Every route of the interface over real services and a fresh orangery.db, with a scripted daemon in place of the
 * process.
 */
export async function testWholeApi(limits: RateLimits = unlimited, connect?: Connect): Promise<WholeApi> {
  const accounts = testAccounts();
  const { clock } = accounts;
  const daemon = new ScriptedDaemon(clock.now);
  const faults: unknown[] = [];
  const begun = new AsyncDisposableStack();
  onTestFinished(() => begun.disposeAsync());
  const measured = testDatabase('measurements');
  const { provider, outside } = await startProviders();
  const services = composeServices({
    ...accounts,
    settings: () => accounts.settings.get(),
    clock: clock.now,
    elapsed: clock.now,
    trusted: clock.now,
    log: { warn: () => undefined },
    onJobFault: (error) => void faults.push(error),
    onLookFault: (error) => void faults.push(error),
    connectDaemon: await (connect?.(accounts) ?? (() => daemon.connect())),
    measurementsFile: measured.name,
    journal: new AlarmRepository(testDatabase('control')),
    deliver: async () => 'delivered',
    keys: accounts.settings,
    relayCacheFile: ':memory:',
    baseMapsFolder: dirname(accounts.db.name),
    cadastreFile: join(dirname(accounts.db.name), 'cadastre.db'),
    outside,
    begun,
    version: '0.0.0',
    directory: dirname(accounts.db.name),
    owedStop: new OwedStop(join(dirname(accounts.db.name), 'owed-stop.json'), () => undefined),
    restart: () => undefined,
  });
  followDaemon(services);
  const routes = allRoutes({
    ...accounts,
    ...services,
    supervision: () => ({ restarts: 0, last_restart: null, crash_loop: false, is_stopped: false }),
    startDaemon: async () => undefined,
    isUp: () => true,
    networkAddresses: () => ['192.168.1.20'],
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
  return { ...api, routes, accounts, services, daemon, provider, measured, userId: owner.unique_id, faults };
}
