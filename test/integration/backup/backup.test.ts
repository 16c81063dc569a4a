import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { backupParts } from '../../../server/contract/backup.ts';
import { listBackups } from '../../../server/backup/folder.ts';
import {
  checkBackup,
  makeBackup,
  newAttempt,
  newWork,
  refuseWithoutRoom,
  type BackupAsked,
} from '../../../server/backup/make.ts';
import {
  decideRestore,
  finishRestore,
  formerOf,
  isRestoreDecided,
  stageFormer,
  stageRestore,
  undoRestore,
} from '../../../server/backup/restore.ts';
import { putBack } from '../../../server/backup/put-back.ts';
import { acquireInstanceLock } from '../../../server/db/instance-lock.ts';
import { checkChain } from '../../../server/auth/audit-chain.ts';
import { auditProof } from '../../../server/auth/audit-keeper.ts';
import { openDatabases } from '../../../server/databases.ts';
import { openDatabase, type Database } from '../../../server/db/open.ts';
import { AuditRepository } from '../../../server/db/repositories/audit.ts';
import { SettingRepository } from '../../../server/db/repositories/setting.ts';
import { testFolder } from '../../support/database.ts';
import { configure, daemonSite } from '../../support/daemon-site.ts';
import { withAccounts } from '../../support/service-accounts.ts';
import { canMount, smallDisk } from '../../support/small-disk.ts';
import { systemActor } from '../../../server/auth/system-actor.ts';

let directory: string;
let folder: string;
const nowMs = Date.parse('2026-11-23T03:00:00Z');

beforeEach(() => {
  directory = daemonSite();
  folder = testFolder();
  mkdirSync(join(directory, 'tls'));
  writeFileSync(join(directory, 'tls', 'ca.key'), 'the key of the authority');
  rename('North field');
});

function rename(site_name: string): void {
  configure(directory, (db) => new SettingRepository(db).save({ site_name }));
}

function siteName(): unknown {
  return read((db) => new SettingRepository(db).all()['site_name']);
}

function read<Found>(look: (db: Database) => Found, name = 'orangery.db'): Found {
  const db = openDatabase(join(directory, name), { readonly: true });
  try {
    return look(db);
  } finally {
    db.close();
  }
}

function write(sql: string, name = 'orangery.db'): void {
  const db = openDatabase(join(directory, name));
  db.exec(sql);
  db.close();
}

function sizeOf(name: string): number {
  return statSync(join(directory, name), { throwIfNoEntry: false })?.size ?? 0;
}

function make(asked: Partial<BackupAsked> = {}) {
  const standing = { reason: 'hand', passphrase: null, measurement_days: null, program_version: '0.0.0' } as const;
  return makeBackup({ directory, folder, now_ms: nowMs, attempt: newAttempt(), ...standing, ...asked });
}

async function latestFile(): Promise<string> {
  return join(folder, (await listBackups(folder)).backups[0]?.file ?? '');
}

/** Restores the one backup of the folder. */
async function restore({ passphrase = null, history = false }: { passphrase?: string | null; history?: boolean } = {}) {
  const file = await latestFile();
  decideRestore(directory, await stageRestore({ directory, file, passphrase, history }), new Date(nowMs));
  return finishRestore(directory);
}

const session = `INSERT INTO users (unique_id, username, username_folded, password_hash, role, created_at)
    VALUES ('u', 'kim', 'kim', 'h', 'Admin', '2026');
  INSERT INTO sessions (session_id, token_hash, csrf_token, user_id, created_at, last_seen_at, expires_at)
    VALUES ('s', x'00', 'token-of-the-session', 'u', '2026', '2026', '2027')`;

describe('a backup', () => {
  it('holds the configuration as it was, without log-ins, keys and commands', async () => {
    write(session);
    const made = await make();
    expect(made).toMatchObject({
      file: 'orangery-20261123t030000z-hand-00000000.tar.gz',
      is_encrypted: false,
      left_out: [],
    });
    expect(made.check?.fault).toBeNull();
    expect(readdirSync(directory).filter((name) => name.startsWith('backup-work'))).toEqual([]);
    const listed = spawnSync('tar', ['tzf', join(folder, made.file)], { encoding: 'utf8' }).stdout.split('\n');
    expect(listed).toEqual(['manifest.json', 'orangery.db', 'control.db', 'measurements.db', '']);
    const bytes = spawnSync('tar', ['xzOf', join(folder, made.file)], { maxBuffer: 1e9 }).stdout;
    expect(bytes.includes('North field')).toBe(true);
    expect(bytes.includes('token-of-the-session')).toBe(false);
    expect(bytes.includes('the key of the authority')).toBe(false);
    expect(statSync(join(folder, made.file)).mode & 0o077).toBe(0);
  });

  it('is put back, and what was there is kept aside', async () => {
    await make();
    rename('South field');
    const lines = await restore();
    expect(siteName()).toBe('North field');
    expect(lines).toEqual([expect.stringContaining('orangery.db is that of the backup')]);
    expect(existsSync(join(directory, 'before-restore-2026-11-23T03-00-00-000Z', 'orangery.db'))).toBe(true);
    openDatabases(directory).close();
  });

  it('is taken back: what a restore put aside comes again, without its log-ins, and that as well', async () => {
    await make();
    rename('South field');
    write(session);
    await restore({ history: true });
    const undo = async (ms: number) => {
      decideRestore(directory, await stageFormer({ directory }), new Date(nowMs + ms));
      return finishRestore(directory);
    };
    expect(formerOf(directory)).toMatchObject({ at: '2026-11-23T03:00:00.000Z', parts: backupParts });
    await undo(1_000);
    expect(siteName()).toBe('South field');
    expect(read((db) => db.prepare('SELECT count(*) FROM sessions').pluck().get())).toBe(0);
    await undo(2_000);
    expect(siteName()).toBe('North field');
    const file = join(directory, formerOf(directory)?.folder ?? '', 'orangery.db');
    writeFileSync(file, 'no database at all');
    await expect(stageFormer({ directory })).rejects.toThrow();
    rmSync(file);
    expect([formerOf(directory), isRestoreDecided(directory)]).toEqual([null, false]); // not that of the restore before
  });

  it('takes nobody back what was done since: the audit goes on', async () => {
    const note = (kind: string) =>
      withAccounts(directory, ({ audits: _, audit }) => audit.record({ kind, actor: systemActor }));
    await note('first');
    await make();
    await note('second');
    await restore();
    await note('third');
    const kinds = read((db) => db.prepare<[], string>('SELECT kind FROM audit ORDER BY id').pluck().all());
    expect(kinds).toEqual(['first', 'second', 'third']);
    expect(read((db) => checkChain(new AuditRepository(db), auditProof(directory))).broken).toBeNull();
  });

  it('tells nobody a second time what was told since: how far alarms and events were followed goes on', async () => {
    write(`INSERT INTO notification_progress VALUES (1, 3);
      INSERT INTO heard_events VALUES (1, 'a:3', '2026-11-23T02:00:00.000Z', 0)`);
    await make();
    write(`UPDATE notification_progress SET ordinal = 9; UPDATE heard_events SET event_id = 'b:9', is_closed = 1`);
    await restore();
    const followed = () =>
      read((db) => [
        db.prepare('SELECT ordinal FROM notification_progress').pluck().get(),
        db.prepare('SELECT event_id FROM heard_events').pluck().get(),
      ]);
    expect(followed()).toEqual([9, 'b:9']);
    for (const name of ['orangery.db', 'before-restore-2026-11-23T03-00-00-000Z'])
      rmSync(join(directory, name), { recursive: true }); // where nobody knows it any more it begins from now
    await restore();
    expect(followed()).toEqual([undefined, undefined]);
  });

  it('is not begun where a house would have no room left to measure', async () => {
    write('CREATE TABLE filling (bytes BLOB); INSERT INTO filling VALUES (zeroblob(3000000))', 'measurements.db');
    const bytes = backupParts.reduce((sum, name) => sum + sizeOf(name) + sizeOf(`${name}-wal`), 0);
    const needed = 2 * bytes + 100_000_000;
    expect(() => refuseWithoutRoom({ directory, folder }, () => needed - 1)).toThrow('MB are needed');
    expect(() => refuseWithoutRoom({ directory, folder }, () => needed)).not.toThrow();
  });

  it('begins where a program was killed in one: half an archive of its own is removed, of others none', async () => {
    const partials = ['00000000', 'abcdef01'].map((who) =>
      join(folder, `orangery-20251123t030000z-hand-${who}.tar.gz.partial`),
    );
    for (const file of partials) {
      writeFileSync(file, 'half');
      utimesSync(file, 0, 0);
    }
    await make();
    expect(partials.map((file) => existsSync(file))).toEqual([false, true]);
  });

  it('holds the samples of the last days alone where it is told so', async () => {
    write("INSERT INTO series VALUES (1, 'd', 'm', 0, 'C')", 'measurements.db');
    for (const day of [1, 40])
      write(`INSERT INTO sample VALUES (1, ${nowMs - day * 86_400_000}, 20, 0)`, 'measurements.db');
    await make({ measurement_days: 30 });
    await restore({ history: true });
    const times = read((db) => db.prepare<[], number>('SELECT time_ms FROM sample').pluck().all(), 'measurements.db');
    expect(times).toEqual([nowMs - 86_400_000]);
  });

  it('lifts no emergency stop, and brings no command of then', async () => {
    write(
      `INSERT INTO output_channels (output_id, channel, min_off_s, override_value, override_until_ms) VALUES ('o', 0, 0, 'on', 9e12)`,
      'control.db',
    );
    await make();
    write(`INSERT INTO emergency_stop VALUES (1, 5, 'kim', 'fire')`, 'control.db');
    await restore({ history: true });
    const stop = read((db) => db.prepare('SELECT actor FROM emergency_stop').pluck().get(), 'control.db');
    const held = read((db) => db.prepare('SELECT override_value FROM output_channels').pluck().get(), 'control.db');
    expect([stop, held]).toEqual(['kim', null]);
  });

  it('says that its daemon has not run, so that a stop noted beside a lost control.db holds', async () => {
    write('INSERT OR REPLACE INTO daemon_run SELECT 1, 1', 'control.db');
    await make();
    truncateSync(join(directory, 'control.db'), 100);
    await restore();
    expect(read((db) => db.prepare('SELECT count(*) FROM daemon_run').pluck().get(), 'control.db')).toBe(0);
  });

  it('that cannot be put back whole is undone: what was there is there again', async () => {
    await make();
    rename('South field');
    const file = await latestFile();
    const parts = await stageRestore({ directory, file, passphrase: null, history: true });
    decideRestore(directory, parts, new Date(nowMs));
    mkdirSync(join(directory, 'before-restore-2026-11-23T03-00-00-000Z', 'control.db'), { recursive: true }); // in the way
    expect(() => finishRestore(directory)).toThrow();
    expect(siteName()).toBe('North field'); // half of it
    undoRestore(directory);
    expect(siteName()).toBe('South field');
    expect([isRestoreDecided(directory), existsSync(join(directory, 'restore.staged'))]).toEqual([false, false]);
    openDatabases(directory).close();
  });

  it('is not put back while a daemon has the files: that is said, and what was there is used', async () => {
    await make();
    rename('South field');
    const parts = await stageRestore({ directory, file: await latestFile(), passphrase: null, history: false });
    decideRestore(directory, parts, new Date(nowMs));
    const lock = acquireInstanceLock(join(directory, 'daemon.lock'));
    expect(putBack(directory)).toMatchObject({ lines: [], fault: { code: 'daemon_runs' } });
    lock.release();
    expect(siteName()).toBe('South field');
    expect(putBack(directory)).toEqual({ lines: [], fault: null, isDecided: false });
    expect(existsSync(join(directory, 'restore.staged'))).toBe(false);
  });

  it.skipIf(!canMount)('is put back also where what lies aside from long ago cannot be removed', async () => {
    await make();
    rename('South field');
    const old = ['2020', '2021', '2022'].map((year) => join(directory, `before-restore-${year}`));
    for (const one of old) mkdirSync(one);
    const inUse = old[0] ?? '';
    const parts = await stageRestore({ directory, file: await latestFile(), passphrase: null, history: false });
    decideRestore(directory, parts, new Date(nowMs));
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', inUse]);
    let done;
    try {
      done = putBack(directory);
    } finally {
      execFileSync('umount', [inUse]);
    }
    expect(done?.fault).toBeNull();
    expect(done?.lines.at(-1)).toMatch(/before-restore-2020 could not be removed: .*busy/);
    expect([siteName(), isRestoreDecided(directory)]).toEqual(['North field', false]);
    expect(old.map((one) => existsSync(one))).toEqual([true, false, true]);
  });

  it('may be made twice in one second: neither clears what the other works in', async () => {
    const both = await Promise.all([make(), make()]);
    expect(both).toMatchObject([{ check: { fault: null } }, { check: { fault: null } }]);
    expect(readdirSync(folder).filter((name) => name.endsWith('.partial'))).toEqual([]);
  });

  it('is forgotten where what was decided cannot be read', () => {
    writeFileSync(join(directory, 'restore.json'), '{"parts"');
    expect(() => finishRestore(directory)).toThrow();
    undoRestore(directory);
    expect(isRestoreDecided(directory)).toBe(false);
    expect(siteName()).toBe('North field');
  });

  it('is made of no configuration that is lost', async () => {
    truncateSync(join(directory, 'orangery.db'), 0);
    await expect(make()).rejects.toMatchObject({ code: 'database_unreadable' });
    expect((await listBackups(folder)).backups).toEqual([]);
  });

  it('leaves the present measurements and alarms where they are, but for those that are lost', async () => {
    await make();
    write("INSERT INTO series VALUES (1, 'd', 'm', 0, 'C')", 'measurements.db');
    truncateSync(join(directory, 'control.db'), 100);
    expect((await restore()).map((line) => line.split(' ')[0])).toEqual(['orangery.db', 'control.db']);
    expect(read((db) => db.prepare('SELECT count(*) FROM series').pluck().get(), 'measurements.db')).toBe(1);
  });

  it('of a damaged orangery.db brings what was made since and can be read', async () => {
    await make();
    write(`INSERT INTO notes (unique_id, text, time, created_at, updated_at)
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
      SELECT i, printf('%.200c', 'x'), '2026', '2026', '2026' FROM n; PRAGMA wal_checkpoint(TRUNCATE)`);
    const file = join(directory, 'orangery.db');
    truncateSync(file, Math.floor((statSync(file).size * 3) / 4 / 4096) * 4096);
    expect(() => openDatabases(directory)).toThrow('orangery salvage');
    const lines = await restore();
    expect(lines.join('\n')).toMatch(/notes: \d+ rows that were made since/);
    expect(read((db) => db.prepare('SELECT count(*) FROM notes').pluck().get())).toBeGreaterThan(1000);
    expect(siteName()).toBe('North field');
  });
});

describe('a backup with a passphrase', () => {
  it('opens with it alone', async () => {
    const made = await make({ passphrase: 'correct horse battery' });
    expect(made).toMatchObject({ file: expect.stringMatching(/\.age$/) as string, is_encrypted: true });
    const file = join(folder, made.file);
    expect(readFileSync(file).includes('North field')).toBe(false);
    await expect(checkBackup({ work: newWork(directory), file, passphrase: null })).rejects.toMatchObject({
      code: 'passphrase_needed',
    });
    await expect(checkBackup({ work: newWork(directory), file, passphrase: 'wrong' })).rejects.toMatchObject({
      code: 'wrong_passphrase',
    });
    rename('South field');
    await restore({ passphrase: 'correct horse battery' });
    expect(siteName()).toBe('North field');
  });
});

describe('a file that is none, or damaged', () => {
  const spoilt: [string, string, (file: string) => void][] = [
    ['damaged', 'in the middle', (file) => flip(file, 0.5)],
    ['damaged', 'short', (file) => truncateSync(file, Math.floor(statSync(file).size / 2))],
    ['damaged', 'of other bytes', (file) => writeFileSync(file, 'this is no archive, and never was')],
    ['not_a_backup', 'of another program', (file) => spawnSync('tar', ['czf', file, '-C', '/etc', 'hostname'])],
  ];

  it.each(spoilt)('is %s (%s), and nothing is put back', async (code, _what, spoil) => {
    const file = join(folder, (await make()).file);
    spoil(file);
    await expect(checkBackup({ work: newWork(directory), file, passphrase: null })).rejects.toMatchObject({ code });
    rename('South field');
    await expect(restore()).rejects.toMatchObject({ code });
    expect([isRestoreDecided(directory), siteName()]).toEqual([false, 'South field']);
    expect(existsSync(join(directory, 'restore.staged'))).toBe(false);
  });

  function flip(file: string, where: number): void {
    const bytes = readFileSync(file);
    const at = Math.floor(bytes.length * where);
    bytes.fill(bytes[at] === 0 ? 255 : 0, at, at + 40);
    writeFileSync(file, bytes);
  }
});

it('goes to no folder that is not there', async () => {
  await expect(make({ folder: join(folder, 'usb') })).rejects.toMatchObject({ code: 'folder_missing' });
  expect(existsSync(join(folder, 'usb'))).toBe(false);
});

it.skipIf(!canMount)('is refused by a full disk, of which nothing is left', async () => {
  const disk = smallDisk(8);
  disk.fill();
  await expect(make({ folder: disk.folder })).rejects.toMatchObject({ code: 'disk_full' });
  expect(readdirSync(disk.folder).filter((name) => name.startsWith('orangery-'))).toEqual([]);
});
