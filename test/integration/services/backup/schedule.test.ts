import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { SecretBox } from '../../../../server/auth/secret-box.ts';
import { listBackups, saveBeside } from '../../../../server/backup/folder.ts';
import { isRestoreDecided } from '../../../../server/backup/restore.ts';
import type { Backup } from '../../../../server/contract/backup.ts';
import { BackupService } from '../../../../server/services/backup/backup.ts';
import { BackupPlanService } from '../../../../server/services/backup/plan.ts';
import { backupConditions, BackupSchedule } from '../../../../server/services/backup/schedule.ts';
import { BackupUpload } from '../../../../server/services/backup/upload.ts';
import { BackupWork } from '../../../../server/services/backup/work.ts';
import { defaultSettings } from '../../../../server/services/setting/defaults.ts';
import { actor } from '../../../support/accounts.ts';
import { testDatabase, testFolder } from '../../../support/database.ts';

const hourMs = 3_600_000;
let now: number;
let directory: string;
let plans: BackupPlanService;
let schedule: BackupSchedule;
let backups: BackupService;
let uploads: BackupUpload;
let noted: string[];
let warnings: string[];

beforeEach(() => {
  now = Date.parse('2026-11-23T03:30:00Z'); // 12:30 in Seoul
  directory = dirname(testDatabase('orangery').name);
  compose();
});

/** What a start makes. */
function compose(restart?: () => void): void {
  noted = [];
  warnings = [];
  const audit = { record: ({ kind }: { kind: string }) => void noted.push(kind) };
  plans = new BackupPlanService({ directory, audit, secrets: new SecretBox(join(directory, 'secret.key')) });
  const clock = (): number => now;
  const passwordCheck = { proveAgain: async () => undefined };
  const settings = () => defaultSettings('Asia/Seoul');
  const work = new BackupWork();
  uploads = new BackupUpload({ directory, plans, work, audit, clock });
  backups = new BackupService({
    settings,
    directory,
    plans,
    work,
    audit,
    clock,
    log: { warn: (message: string) => void warnings.push(message) },
    passwordCheck,
    version: '0.0.0',
    lastRestore: null,
    restart,
  });
  schedule = new BackupSchedule({ directory, elapsed: () => now, plans, backups, clock, settings });
}

it('makes one at once where there is none, then one a day at the hour of the site', { timeout: 60_000 }, async () => {
  await schedule.look();
  expect((await listBackups(plans.folder)).backups).toMatchObject([{ reason: 'schedule', check: { fault: null } }]);
  now += 14 * hourMs; // 02:30 of the next day
  expect(await schedule.isDue()).toBe(false);
  now += hourMs; // past 03:00
  expect(await schedule.isDue()).toBe(true);
  await schedule.look();
  expect((await listBackups(plans.folder)).backups).toHaveLength(2);
  plans.change(actor(), { is_enabled: false });
  now += 48 * hourMs;
  expect(await schedule.isDue()).toBe(false);
});

it('is not put off by one of a clock that was ahead', { timeout: 60_000 }, async () => {
  const then = now;
  now += 365 * 24 * hourMs;
  await schedule.look();
  now = then;
  expect(await schedule.isDue()).toBe(true);
});

it(
  'is an alarm where the disk is not plugged in, tried again after an hour, and over when it is',
  { timeout: 60_000 },
  async () => {
    const folder = testFolder();
    plans.change(actor(), { folder });
    rmSync(folder, { recursive: true });
    await schedule.look();
    expect(plans.last_result?.fault).toMatchObject({ code: 'folder_missing' });
    expect(backupConditions(plans)).toMatchObject([
      { code: 'store_failed', name: 'backup_failed', source_id: 'backup' },
    ]);
    plans.change(actor(), { folder: null });
    await schedule.look();
    expect(plans.last_result?.fault).not.toBeNull();
    now += hourMs;
    await schedule.look();
    expect(backupConditions(plans)).toEqual([]);
  },
);

it('keeps its plan beside the database, with a passphrase that is never shown', () => {
  expect(() => plans.change(actor(), { passphrase: 'short' })).toThrow('needs 10 characters');
  expect(() => plans.change(actor(), { folder: '/nowhere/at/all' })).toThrow('a folder that is there');
  plans.change(actor(), { passphrase: 'where the oranges grow', keep_days: 3 });
  const read = new BackupPlanService({
    directory,
    audit: { record: () => undefined },
    secrets: new SecretBox(join(directory, 'secret.key')),
  });
  expect(read.plan).toMatchObject({ keep_days: 3, keep_weeks: 4, passphrase: { set: true } });
  expect(read.passphrase()).toBe('where the oranges grow');
  expect(plans.change(actor(), { passphrase: null }).passphrase).toBeNull();
});

describe('a plan that cannot be read', () => {
  beforeEach(() => {
    plans.change(actor(), { passphrase: 'where the oranges grow', folder: testFolder() });
    writeFileSync(join(directory, 'backup.json'), '{"plan":');
    compose();
  });

  it('is an alarm, and no backup in plain text', async () => {
    expect(backupConditions(plans)).toMatchObject([{ name: 'backup_failed' }]);
    await schedule.look();
    const listed = await backups.list();
    expect(listed).toMatchObject({ backups: [], plan_fault: { code: 'plan_unreadable' } });
    expect(listed.last_result?.fault).toMatchObject({ code: 'plan_unreadable' });
    expect(readFileSync(join(directory, 'backup.json'), 'utf8')).toBe('{"plan":');
  });

  it('is over when it is sent anew, with the folder and the passphrase', { timeout: 60_000 }, async () => {
    expect(() => plans.change(actor(), { keep_days: 3 })).toThrow('is needed: the stored plan cannot be read');
    plans.change(actor(), { folder: null, passphrase: 'where the lemons grow' });
    expect(plans.plan_fault).toBeNull();
    await schedule.look();
    expect((await backups.list()).backups).toMatchObject([{ is_encrypted: true }]);
    expect(backupConditions(plans)).toEqual([]);
  });
});

it('two machines on one folder leave the backups of each other where they are', { timeout: 60_000 }, async () => {
  const folder = testFolder();
  const others = Array.from({ length: 9 }, (_, at) => `orangery-2026101${at}t030000z-schedule-abcdef01`);
  const check = { at: '2026-10-10T03:00:00.000Z', fault: null };
  for (const id of others) {
    writeFileSync(join(folder, `${id}.tar.gz`), 'of another');
    await saveBeside(folder, id, { program_version: '0.0.0', parts: ['orangery.db'], left_out: [], check });
  }
  plans.change(actor(), { folder, keep_days: 1, keep_weeks: 0, keep_months: 0 });
  expect(await schedule.isDue()).toBe(true);
  await schedule.look();
  now += 24 * hourMs;
  await schedule.look();
  const { backups: there, installation } = await backups.list();
  expect(there.filter((one) => one.installation === 'abcdef01')).toHaveLength(9);
  expect(there.filter((one) => one.installation === installation)).toHaveLength(1);
});

it('one that is made is a success although an old one cannot be deleted', { timeout: 60_000 }, async () => {
  const folder = testFolder();
  plans.change(actor(), { folder, keep_days: 1, keep_weeks: 0, keep_months: 0 });
  await schedule.look();
  const [first] = (await backups.list()).backups;
  const file = join(folder, first?.file ?? '');
  rmSync(file);
  mkdirSync(file); // which is not removed as a file is
  now += 24 * hourMs;
  await schedule.look();
  expect(plans.last_result?.fault).toBeNull();
  expect(noted.filter((kind) => kind === 'backup.create')).toHaveLength(2);
  expect(warnings).toEqual([expect.stringContaining('could not be deleted')]);
});

it('a job that is cancelled leaves neither copies in plain text nor half an archive', async () => {
  const folder = testFolder();
  plans.change(actor(), { folder });
  const cancel = new AbortController();
  const ended = backups.making(actor()).run(() => undefined, cancel.signal);
  await expect.poll(() => readdirSync(directory).some((name) => name.startsWith('backup-work-'))).toBe(true);
  cancel.abort();
  await expect(ended).rejects.toMatchObject({ code: 'backup_failed' });
  expect(readdirSync(directory).filter((name) => name.startsWith('backup-work-'))).toEqual([]);
  expect(readdirSync(folder)).toEqual([]);
});

it(
  'a restore that is decided stays decided until the restart: another is a conflict',
  { timeout: 60_000 },
  async () => {
    compose(() => undefined);
    const none = new AbortController().signal;
    const { backup_id } = (await backups.making(actor()).run(() => undefined, none)) as Backup; // its result
    const asked = { password: 'that of the actor' };
    const [first, second] = [await backups.restoring(actor(), backup_id, asked), await backups.restoring(actor(), backup_id, asked)]; // prettier-ignore
    expect(await first.run(() => undefined, none)).toEqual({ parts: ['orangery.db'] });
    await expect(second.run(() => undefined, none)).rejects.toMatchObject({ code: 'conflict' });
    await expect(backups.restoring(actor(), backup_id, asked)).rejects.toMatchObject({ code: 'conflict' });
    expect([isRestoreDecided(directory), readdirSync(directory).includes('restore.staged')]).toEqual([true, true]);
  },
);

describe('a backup that is taken to another machine', () => {
  const none = new AbortController().signal;
  const passphrase = 'where the oranges grow';

  /** What a file holds that was downloaded. */
  async function downloaded(): Promise<{ name: string; bytes: Buffer }> {
    await backups.makeDue(actor());
    const [made] = (await backups.list()).backups;
    const { name, bytes, stream } = await backups.download(actor(), made?.backup_id ?? '');
    const read = await buffer(stream);
    expect(read.length).toBe(bytes);
    return { name, bytes: read };
  }

  async function send(bytes: Buffer): Promise<string> {
    const upload_id = randomUUID();
    const half = Math.ceil(bytes.length / 2);
    for (const [offset, part] of [
      [0, bytes.subarray(0, half)],
      [half, bytes.subarray(half)],
    ] as const) {
      await uploads.receive({ upload_id, offset, total_bytes: bytes.length }, part);
    }
    return upload_id;
  }

  const take = async (upload_id: string, file_name: string, typed?: string) =>
    (await uploads.taking(actor(), { upload_id, file_name, ...(typed !== undefined && { passphrase: typed }) })).run(
      () => undefined,
      none,
    );

  const faultOf = (work: Promise<unknown>) =>
    work.then(
      () => null,
      (error: { code: string; members?: { fault?: { code: string } } }) => error.members?.fault?.code ?? error.code,
    );

  it('comes by parts, is rehearsed, and lies among the others as what it is', { timeout: 60_000 }, async () => {
    const { name, bytes } = await downloaded();
    const upload_id = await send(bytes);
    expect(await faultOf(take(upload_id, name))).toBe('already_there');
    const { backups: made } = await backups.list();
    await backups.remove(actor(), made[0]?.backup_id ?? '');
    const taken = await take(upload_id, `Copy of ${name.replace('00000000', 'abcdef01')}`);
    expect(taken).toMatchObject({ installation: 'abcdef01', created_at: made[0]?.created_at, check: { fault: null } });
    expect(taken).toMatchObject({ parts: made[0]?.parts, reason: 'hand' }); // which no plan deletes
    expect(await faultOf(take(await send(bytes), `Copy of ${name.replace('00000000', 'abcdef01')}`))).toBe(
      'already_there',
    );
    rmSync(join(plans.folder, 'uploads'), { recursive: true });
    expect(await take(await send(bytes), 'renamed.tar.gz')).toMatchObject({ installation: null });
    expect(readdirSync(join(plans.folder, 'uploads'))).toEqual([]);
    expect(noted).toEqual(['backup.create', 'backup.download', 'backup.delete', 'backup.take', 'backup.take']);
    expect(readdirSync(directory).filter((one) => one.startsWith('backup-work-'))).toEqual([]);
  });

  it('is downloaded a few times at once, and again when one of them ends', { timeout: 60_000 }, async () => {
    const { name } = await downloaded();
    const ask = () => backups.download(actor(), name.replace('.tar.gz', ''));
    const streams = await Promise.all([1, 2, 3, 4].map(async () => (await ask()).stream));
    expect(await faultOf(ask())).toBe('rate_limited');
    streams.pop()?.destroy();
    await vi.waitFor(async () => streams.push((await ask()).stream));
    for (const stream of streams) stream.destroy();
  });

  it('is opened by its passphrase, which may be typed once more', { timeout: 60_000 }, async () => {
    plans.change(actor(), { passphrase });
    const { bytes } = await downloaded();
    plans.change(actor(), { passphrase: null });
    const upload_id = await send(bytes);
    expect(await faultOf(take(upload_id, 'of the old machine'))).toBe('passphrase_needed');
    expect(await faultOf(take(upload_id, 'of the old machine', 'where the lemons grow'))).toBe('wrong_passphrase');
    expect(await take(upload_id, 'of the old machine', passphrase)).toMatchObject({ is_encrypted: true });
  });

  it('is refused and deleted where it is damaged or no backup', { timeout: 60_000 }, async () => {
    const { name, bytes } = await downloaded();
    const cut = await send(bytes.subarray(0, bytes.length - 99));
    expect(await faultOf(take(cut, name))).toBe('damaged');
    expect(await faultOf(take(cut, name))).toBe('not_found');
    expect(await faultOf(take(await send(gzipSync(Buffer.alloc(2_000))), name))).toMatch(/damaged|not_a_backup/);
    expect(await faultOf(send(Buffer.from('a letter to the bank')))).toBe('unreadable_file');
    expect(readdirSync(join(plans.folder, 'uploads'))).toEqual([]);
    const folder = testFolder();
    plans.change(actor(), { folder });
    rmSync(folder, { recursive: true }); // its disk is unplugged
    expect(await faultOf(send(bytes))).toBe('folder_missing');
  });
});

it('lists the latest of a folder that holds very many', async () => {
  for (let at = 0; at < 510; at += 1) {
    const time = new Date(Date.UTC(2026, 0, 1, 0, at)).toISOString().slice(0, 16).replaceAll(/[-:]/g, '').toLowerCase();
    writeFileSync(join(plans.folder, `orangery-${time}00z-hand.tar.gz`), '');
  }
  const listed = await backups.list();
  expect([listed.backups.length, listed.omitted, listed.backups[0]?.created_at]).toEqual([
    500,
    10,
    '2026-01-01T08:29:00.000Z',
  ]);
});
