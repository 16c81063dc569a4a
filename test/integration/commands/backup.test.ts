import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeEach, describe, expect, it } from 'vitest';
import { run } from '../../../server/cli.ts';
import { openDatabases } from '../../../server/databases.ts';
import { acquireInstanceLock } from '../../../server/db/instance-lock.ts';
import { openDatabase } from '../../../server/db/open.ts';
import { SettingRepository } from '../../../server/db/repositories/setting.ts';
import { configure, daemonSite } from '../../support/daemon-site.ts';
import { testFolder } from '../../support/database.ts';

let directory: string;

beforeEach(() => {
  directory = daemonSite();
  configure(directory, (db) => new SettingRepository(db).save({ site_name: 'North field' }));
});

async function orangery(line: string, stdin = ''): Promise<{ code: number; out: string; err: string }> {
  const said = { out: '', err: '' };
  const code = await run(line.split(' '), {
    env: { ORANGERY_DATA_DIR: directory },
    stdin: Readable.from([stdin]),
    stdout: (text) => void (said.out += `${text}\n`),
    stderr: (text) => void (said.err += `${text}\n`),
  });
  return { code, ...said };
}

describe('orangery backup and restore', () => {
  it('makes one, lists it, and names it where the configuration is lost', async () => {
    expect(await orangery('backup')).toMatchObject({ code: 0, out: expect.stringContaining('found sound') as string });
    expect((await orangery('backup list')).out).toMatch(
      /^orangery-\d{8}t\d{6}z-hand-00000000\.tar\.gz {2}\d+ bytes {2}sound on/,
    );
    rmSync(join(directory, 'orangery.db'));
    acquireInstanceLock(join(directory, 'daemon.lock')).release();
    rmSync(join(directory, 'orangery.db-wal'), { force: true });
    const db = openDatabase(join(directory, 'measurements.db'));
    db.exec(`INSERT INTO series VALUES (1, 'd', 'm', 0, 'C')`);
    db.close();
    expect(() => openDatabases(directory)).toThrow(/"orangery restore --newest" puts back orangery-20/);
    expect(await orangery('restore --newest')).toMatchObject({ code: 0 });
    const back = openDatabases(directory);
    expect(new SettingRepository(back).all()).toMatchObject({ site_name: 'North field' });
    back.close();
    expect((await orangery('restore --undo')).code).toBe(1); // what was there was nothing
    expect((await orangery('restore --newest --undo')).code).toBe(2);
    await orangery('restore --newest');
    expect((await orangery('restore --undo')).out).toContain('orangery.db is that of the backup');
  });

  it('takes a folder and a passphrase', async () => {
    const folder = testFolder();
    const made = await orangery(`backup --folder ${folder} --passphrase-stdin`, 'a long passphrase\n');
    const [file = ''] = made.out.split(':');
    expect(await orangery(`backup check ${join(folder, file)} --passphrase-stdin`, 'another')).toMatchObject({
      code: 1,
      err: 'orangery: the passphrase does not open this backup\n',
    });
    const checked = await orangery(`backup check ${join(folder, file)} --passphrase-stdin`, 'a long passphrase\n');
    expect(checked.code).toBe(0);
  });

  it('puts nothing back while a daemon runs, or without being told what', async () => {
    await orangery('backup');
    const lock = acquireInstanceLock(join(directory, 'daemon.lock'));
    expect((await orangery('restore --newest')).code).toBe(1);
    lock.release();
    expect((await orangery('restore')).code).toBe(2);
    expect(await orangery('restore /nowhere')).toMatchObject({ code: 1, err: 'orangery: there is no file /nowhere\n' });
  });
});
