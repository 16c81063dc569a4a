import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Input } from '../../../server/contract/input.ts';
import { controlMigrations } from '../../../server/db/migrations/control.ts';
import { openDatabase } from '../../../server/db/open.ts';
import { askedActivationRows } from '../../../server/db/repositories/asked-activation.ts';
import { controlOf, freePort, startDaemon, until } from '../../support/daemon-process.ts';
import { LanClient } from '../../support/lan-client.ts';
import { addAccount } from '../../support/service-accounts.ts';
import { dataFolder, killHard, launchService } from '../../support/service-process.ts';

const longest_s = 30;

/** What control.db keeps of what programs asked for. */
function kept(dataDirectory: string) {
  const database = openDatabase(join(dataDirectory, 'control.db'), { migrations: controlMigrations });
  try {
    return askedActivationRows.list(database);
  } finally {
    database.close();
  }
}

it(
  'what a program had stopped while the service was away outlives daemon and service, until the service has stored it',
  { timeout: 180_000 },
  async () => {
    const dataDirectory = dataFolder();
    const key = await addAccount(dataDirectory);
    const port = await freePort();
    const serve = async () => {
      const service = launchService({ dataDirectory, env: { ORANGERY_DAEMON_PORT: String(port) } });
      const rest = new LanClient({ url: await service.ready(), dataDirectory, key });
      const pid = (await controlOf(port).daemon_status()).pid;
      return { service, rest, pid };
    };
    const first = await serve();
    const made = await first.rest.post('/api/settings/inputs', { name: 'Sensor', driver: 'simulated' });
    const { unique_id } = made.body as Input; // by its contract
    await until(
      () => controlOf(port).controller_is_active(unique_id),
      (isActive) => isActive,
      longest_s,
    );

    first.rest.close();
    first.service.child.kill('SIGKILL');
    await first.service.ended;
    await controlOf(port).controller_deactivate(unique_id);
    const asked = [{ controller_id: unique_id, is_active: false }];
    expect(kept(dataDirectory)).toEqual(asked);
    killHard(first.pid);

    const alone = startDaemon({ dataDirectory, port, linger_s: null });
    await alone.ready;
    expect(await controlOf(port).controller_is_active(unique_id)).toBe(false);
    const [status] = (await controlOf(port).live_state()).controllers;
    expect(status).toMatchObject({ controller_id: unique_id, state: 'stopped', asked_active: false });
    expect(kept(dataDirectory)).toEqual(asked);
    alone.child.kill('SIGKILL');
    await alone.ended;

    const second = await serve();
    const isActivated = async (): Promise<boolean> =>
      ((await second.rest.get(`/api/settings/inputs/${unique_id}`)).body as Input).is_activated; // by its contract
    await until(isActivated, (is) => !is, longest_s);
    await until(
      () => kept(dataDirectory),
      (rows) => rows.length === 0,
      longest_s,
    );
    expect(await controlOf(port).controller_is_active(unique_id)).toBe(false);

    await second.rest.post(`/api/controllers/${unique_id}`, { activate: true });
    killHard(second.pid);
    await until(
      async () =>
        (
          await controlOf(port)
            .daemon_status()
            .catch(() => undefined)
        )?.pid ?? second.pid,
      (pid) => pid !== second.pid,
      longest_s,
    );
    expect(await controlOf(port).controller_is_active(unique_id)).toBe(true);
    expect(await isActivated()).toBe(true);
    second.rest.close();
  },
);
