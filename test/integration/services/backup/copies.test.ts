import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { SecretBox } from '../../../../server/auth/secret-box.ts';
import { listBackups, saveBeside } from '../../../../server/backup/folder.ts';
import { makeBackup, newAttempt } from '../../../../server/backup/make.ts';
import type { Backup } from '../../../../server/contract/backup.ts';
import { Outbound } from '../../../../server/outbound/outbound.ts';
import { BackupCopies, copyConditions } from '../../../../server/services/backup/copies.ts';
import { BackupPlanService } from '../../../../server/services/backup/plan.ts';
import { BackupTargetService } from '../../../../server/services/backup/target.ts';
import { BackupUpload } from '../../../../server/services/backup/upload.ts';
import { BackupWork } from '../../../../server/services/backup/work.ts';
import { defaultSettings } from '../../../../server/services/setting/defaults.ts';
import { actor } from '../../../support/accounts.ts';
import { s3Peer, webdavPeer, type BackupPeer } from '../../../support/backup-peers.ts';
import { testDatabase } from '../../../support/database.ts';
import { selfSignedCertificate } from '../../../support/loopback-certificate.ts';
import { refusalOf } from '../../../support/refusal.ts';

const dayMs = 24 * 3_600_000;
let now: number;
/** By which the clock of the machine was set. */
let clockAheadMs: number;
let directory: string;
let plans: BackupPlanService;
let targets: BackupTargetService;
let copies: BackupCopies;
let noted: string[];

beforeEach(() => {
  now = Date.parse('2026-11-23T03:30:00Z');
  clockAheadMs = 0;
  directory = dirname(testDatabase('orangery').name);
  compose();
});

/** What a start makes. */
function compose(): void {
  noted = [];
  const audit = { record: ({ kind }: { kind: string }) => void noted.push(kind) };
  const secrets = new SecretBox(join(directory, 'secret.key'));
  const outbound = new Outbound({ allowLoopback: true });
  onTestFinished(() => outbound.close());
  const shared = { directory, audit, secrets, clock: () => now, outbound };
  plans = new BackupPlanService(shared);
  targets = new BackupTargetService(shared);
  const uploads = new BackupUpload({ ...shared, plans, work: new BackupWork() });
  const settings = () => defaultSettings('Asia/Seoul');
  copies = new BackupCopies({ ...shared, elapsed: () => now - clockAheadMs, plans, targets, uploads, settings });
  onTestFinished(() => copies.stop());
}

async function makeOne(passphrase: string | null = null): Promise<Backup> {
  return makeBackup({
    directory,
    folder: plans.folder,
    reason: 'schedule',
    passphrase,
    measurement_days: null,
    now_ms: now,
    program_version: '0.0.0',
    attempt: newAttempt(),
  });
}

function add(peer: BackupPeer, name = 'Office'): string {
  return targets.create(actor(), { name, options: peer.options, secret: peer.secret }).unique_id;
}

describe.each([
  ['a WebDAV folder', webdavPeer],
  ['an S3 bucket', s3Peer],
])('copies in %s', (_name, startPeer) => {
  it('are what was sent, are kept by the plan, and come back', async () => {
    plans.change(actor(), { keep_days: 2, keep_weeks: 0, keep_months: 0 });
    const peer = await startPeer();
    const id = add(peer);
    const made: Backup[] = [];
    for (let day = 0; day < 3; day += 1) {
      made.push(await makeOne());
      await copies.look();
      expect(targets.get(id)).toMatchObject({ last_result: { fault: null }, copied_id: made.at(-1)?.backup_id });
      now += dayMs;
    }
    await copies.look(); // nothing new
    expect(noted.filter((kind) => kind === 'backup.copy')).toHaveLength(3);
    const { backups } = await copies.listAt(id);
    expect(backups.map(({ backup_id }) => backup_id)).toEqual(
      made.slice(1).map(({ backup_id }) => backup_id).toReversed(), // prettier-ignore
    );
    expect(readdirSync(peer.folder, { recursive: true }).filter((name) => String(name).includes('partial'))).toEqual(
      [],
    );

    const [latest] = backups;
    const file = join(plans.folder, latest?.file ?? '');
    const before = readFileSync(file);
    const removed = await listBackups(plans.folder);
    expect(removed.backups.some(({ backup_id }) => backup_id === latest?.backup_id)).toBe(true);
    const again = copies.fetching(actor(), { id, backup_id: latest?.backup_id ?? '', passphrase: undefined });
    const { code, members } = await refusalOf(again.run(() => undefined, new AbortController().signal));
    expect([code, members]).toMatchObject(['backup_failed', { fault: { code: 'already_there' } }]);
    const other = dirname(testDatabase('orangery').name);
    directory = other;
    compose();
    const there = add(peer);
    const fetching = copies.fetching(actor(), { id: there, backup_id: latest?.backup_id ?? '', passphrase: undefined });
    const fetched = (await fetching.run(() => undefined, new AbortController().signal)) as Backup;
    expect(fetched).toMatchObject({ reason: 'hand', check: { fault: null } });
    expect(readFileSync(join(plans.folder, fetched.file)).equals(before)).toBe(true);
    expect(readdirSync(join(plans.folder, 'uploads'))).toEqual([]);
  });

  it('that fail are told, tried again later and later, and over when one arrives', async () => {
    const peer = await startPeer();
    await peer.stop();
    const id = add(peer);
    await makeOne();
    await copies.look();
    const [waits, faults] = [[] as number[], [] as (string | undefined)[]];
    for (let tries = 0; tries < 3; tries += 1) {
      const { next_try_at, last_result } = targets.get(id);
      faults.push(last_result?.fault?.code);
      waits.push(Date.parse(next_try_at ?? '') - now);
      now = Date.parse(next_try_at ?? '') - 1;
      await copies.look();
      expect(targets.get(id).next_try_at).toBe(next_try_at); // not before
      now += 1;
      await copies.look();
    }
    expect(waits).toEqual([300_000, 600_000, 1_200_000]);
    const { last_result } = targets.get(id);
    [now, clockAheadMs] = [now + dayMs, dayMs]; // a clock that is set, and a job that is cancelled, are no try
    await copies.look();
    const { run } = await copies.copying(actor(), id);
    await refusalOf(run(() => undefined, AbortSignal.abort()));
    expect(targets.get(id).last_result).toEqual(last_result);
    targets.change(actor(), id, { name: 'Barn' }); // begins anew
    await copies.look();
    expect(Date.parse(targets.get(id).next_try_at ?? '') - now).toBe(300_000);
    expect(faults).toEqual(['target_unreachable', 'target_unreachable', 'target_unreachable']);
    const conditions = () => copyConditions({ list: () => targets.list(), fault: targets.fault });
    expect(conditions()).toMatchObject([{ code: 'store_failed', name: 'backup_copy_failed', source_id: 'backup' }]);
    targets.change(actor(), id, { is_enabled: false });
    expect(conditions()).toEqual([]);
  });

  it('by a wrong secret are refused, and the secret goes to no other address', async () => {
    const peer = await startPeer();
    const id = add({ ...peer, secret: 'of somebody else' });
    await makeOne();
    await copies.look();
    expect(targets.get(id).last_result?.fault).toMatchObject({ code: 'target_refused' });
    targets.change(actor(), id, { secret: peer.secret });
    await copies.look();
    expect(targets.get(id).last_result?.fault).toBeNull();
    const moved = { ...peer.options, url: 'https://elsewhere.example' };
    expect(() => targets.change(actor(), id, { options: moved })).toThrow('another address');
    expect(() => targets.change(actor(), id, { options: moved, secret: { set: true } })).toThrow('is not set');
    expect(readFileSync(join(directory, 'backup-targets.json'), 'utf8')).not.toContain(peer.secret);
    expect(statSync(join(directory, 'backup-targets.json')).mode & 0o077).toBe(0);
    compose();
    expect(targets.get(id)).toMatchObject({ secret: { set: true }, last_result: { fault: null } });
  });
});

it('are of this installation and sound, and none goes where it may not', async () => {
  const peer = await s3Peer();
  const options = { ...peer.options, network: 'public' as const };
  expect(() => targets.create(actor(), { name: 'Plain', options })).toThrow('must begin with https');
  const id = targets.create(actor(), {
    name: 'Metadata',
    options: { kind: 'webdav', url: 'http://169.254.169.254/latest', network: 'lan', username: '' },
  }).unique_id;
  const { backup_id, program_version, parts, left_out } = await makeOne();
  await copies.look();
  expect(targets.get(id).last_result?.fault).toMatchObject({ code: 'target_unreachable' });
  await saveBeside(plans.folder, backup_id, {
    program_version,
    parts,
    left_out,
    check: { at: '2026-11-23T03:30:00.000Z', fault: { code: 'damaged', message: 'x' } },
  });
  expect((await refusalOf(copies.copying(actor(), id))).code).toBe('conflict');
});

it('neither go nor delete anything while the plan cannot be read', async () => {
  const peer = await s3Peer();
  const id = add(peer);
  await makeOne();
  writeFileSync(join(directory, 'backup.json'), '{');
  compose();
  await copies.look();
  expect(targets.get(id)).toMatchObject({ copied_id: null, last_result: null });
  const { code, members } = await refusalOf(copies.copying(actor(), id));
  expect([code, members]).toMatchObject(['backup_failed', { fault: { code: 'plan_unreadable' } }]);
  expect(readdirSync(peer.folder)).toEqual([]);
});

it('go to a machine of the network by the certificate that it made itself, and to none that shows another', async () => {
  const [nas, other] = [await selfSignedCertificate(), await selfSignedCertificate()];
  const peer = await webdavPeer(nas);
  const unknown = add(peer, 'By no certificate');
  const addBy = (ca: string) =>
    targets.create(actor(), { name: 'NAS', options: { ...peer.options, ca }, secret: peer.secret }).unique_id;
  const [wrong, right] = [addBy(other.cert), addBy(nas.cert)];
  const { backup_id } = await makeOne();
  await copies.look();
  for (const id of [unknown, wrong]) {
    expect(targets.get(id).last_result?.fault).toMatchObject({
      code: 'target_unreachable',
      message: expect.stringMatching(/certificate/i) as string,
    });
  }
  expect(targets.get(right)).toMatchObject({ copied_id: backup_id, last_result: { fault: null } });
});

it('that broke off while they were fetched are removed after a day', async () => {
  const uploads = join(plans.folder, 'uploads');
  mkdirSync(uploads, { recursive: true });
  for (const name of ['fetched-old', 'fetched-new']) writeFileSync(join(uploads, name), '');
  utimesSync(join(uploads, 'fetched-old'), now / 1000 - 90_000, now / 1000 - 90_000);
  utimesSync(join(uploads, 'fetched-new'), now / 1000 - 3_600, now / 1000 - 3_600);
  copies.start((error) => {
    throw error;
  });
  await expect.poll(() => readdirSync(uploads)).toEqual(['fetched-new']);
});

it('go once to a place that lets nobody list or delete, which is told by itself', async () => {
  const id = add(await s3Peer({ isForSending: true })); // also what it has cannot be looked at
  const { backup_id } = await makeOne();
  for (let times = 0; times < 2; times += 1) {
    await copies.look();
    now += dayMs;
  }
  expect(targets.get(id)).toMatchObject({
    copied_id: backup_id,
    last_result: { fault: null },
    next_try_at: null,
    clean_up_fault: { code: 'target_refused' },
  });
  expect(noted.filter((kind) => kind === 'backup.copy')).toHaveLength(1);
  expect(copyConditions({ list: () => targets.list(), fault: targets.fault })).toEqual([]);
});

it('to an address that is another by the end are not noted of that', async () => {
  const [before, after] = [await s3Peer(), await s3Peer()];
  const id = add(before);
  const { backup_id } = await makeOne();
  const { run } = await copies.copying(actor(), id);
  const copied = run(() => undefined, new AbortController().signal);
  targets.change(actor(), id, { options: after.options, secret: after.secret });
  expect(await copied).toMatchObject({ copied_id: null, last_result: null });
  await copies.look();
  expect(targets.get(id)).toMatchObject({ copied_id: backup_id });
});

it('that broke off on the way are deleted with the next one', async () => {
  const peer = await webdavPeer();
  add(peer);
  const { file } = await makeOne();
  const broken = (installation: string) => `orangery-20261101t033000z-schedule-${installation}.tar.gz.partial`;
  for (const name of [broken('00000000'), broken('12345678')]) writeFileSync(join(peer.folder, name), 'x');
  await copies.look();
  expect(readdirSync(peer.folder)).toEqual([broken('12345678'), file.replace('.tar.gz', '.json'), file]);
});

it('a fetch makes no folder in place of a disk that is absent', async () => {
  const peer = await webdavPeer();
  const id = add(peer);
  const { backup_id } = await makeOne();
  await copies.look();
  const disk = join(directory, 'disk');
  mkdirSync(disk);
  plans.change(actor(), { folder: disk });
  rmdirSync(disk);
  const { run } = copies.fetching(actor(), { id, backup_id, passphrase: undefined });
  const { members } = await refusalOf(run(() => undefined, new AbortController().signal));
  expect(members).toMatchObject({ fault: { code: 'folder_missing' } });
  expect(existsSync(disk)).toBe(false);
});

it('two fetches of one backup at a time leave each other alone', async () => {
  const peer = await webdavPeer();
  add(peer);
  const { backup_id } = await makeOne();
  await copies.look();
  directory = dirname(testDatabase('orangery').name);
  compose();
  mkdirSync(plans.folder, { recursive: true });
  const id = add(peer);
  const fetch = () => copies.fetching(actor(), { id, backup_id, passphrase: undefined });
  const both = [fetch(), fetch()].map(({ run }) => run(() => undefined, new AbortController().signal));
  const ends = await Promise.allSettled(both);
  expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(readdirSync(join(plans.folder, 'uploads'))).toEqual([]);
});
