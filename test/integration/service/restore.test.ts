import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Backup } from '../../../server/contract/backup.ts';
import { openDatabase } from '../../../server/db/open.ts';
import { goodPassword } from '../../support/accounts.ts';
import { until } from '../../support/daemon-process.ts';
import { LanClient } from '../../support/lan-client.ts';
import { addAccount } from '../../support/service-accounts.ts';
import { dataFolder, launchService } from '../../support/service-process.ts';

interface JobState {
  status: string;
  result?: unknown;
  error?: { code: string };
}

it(
  'a running service puts a backup back on demand of who proves himself, and goes on',
  { timeout: 90_000 },
  async () => {
    const dataDirectory = dataFolder();
    const key = await addAccount(dataDirectory);
    const service = launchService({ dataDirectory });
    const first = new LanClient({ url: await service.ready(), dataDirectory, key });
    const ended = async (path: string, body: object): Promise<JobState> => {
      const begun = await first.post(path, body);
      expect(begun.status, JSON.stringify(begun.body)).toBe(201);
      const { job_id } = begun.body as { job_id: string }; // by its contract
      return until(
        async () => (await first.get(`/api/jobs/${job_id}`)).body as JobState,
        ({ status }) => status !== 'running',
      );
    };
    await first.post('/api/geo/settings', { site_name: 'North field' });
    const made = (await ended('/api/backups', {})).result as Backup; // by its contract
    expect(made.check?.fault).toBeNull();
    await first.post('/api/geo/settings', { site_name: 'South field' });

    const path = `/api/backups/${made.backup_id}/restore`;
    expect((await first.post(path, { password: 'not my password' })).body).toMatchObject({ code: 'wrong_password' });
    expect(await ended(path, { password: goodPassword })).toMatchObject({ result: { parts: ['orangery.db'] } });
    first.close();

    const again = await until(
      async () => service.lines.filter((line) => line.startsWith('ready ')),
      (lines) => lines.length === 2,
      30_000,
    );
    const second = new LanClient({ url: again[1]?.slice('ready '.length) ?? '', dataDirectory, key });
    expect((await second.get('/api/geo/settings')).body).toMatchObject({ site_name: 'North field' });
    const kinds = ((await second.get('/api/audit')).body as { audit: { kind: string }[] }).audit.map(
      ({ kind }) => kind,
    );
    expect(kinds).toEqual(expect.arrayContaining(['backup.create', 'backup.restore']));
    expect(kinds).not.toContain('audit.loss');
    expect(readdirSync(dataDirectory).filter((name) => name.startsWith('before-restore-'))).toHaveLength(1);
    second.close();
    service.child.kill('SIGTERM');
    expect(await service.ended).toBe(0);
    expect(existsSync(join(dataDirectory, 'restore.json'))).toBe(false);
    const db = openDatabase(join(dataDirectory, 'orangery.db'), { readonly: true });
    expect(db.prepare('SELECT count(*) FROM sessions').pluck().get()).toBe(0);
    db.close();
  },
);
