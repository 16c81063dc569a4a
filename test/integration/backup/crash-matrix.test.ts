import { spawn } from 'node:child_process';
import { X509Certificate, createPrivateKey } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { beforeEach, expect, it } from 'vitest';
import { beginStart } from '../../../electron/updates/install.ts';
import { SecretBox } from '../../../server/auth/secret-box.ts';
import { listBackups } from '../../../server/backup/folder.ts';
import { checkBackup, clearWork, newWork } from '../../../server/backup/make.ts';
import { putBack } from '../../../server/backup/put-back.ts';
import { isRestoreDecided } from '../../../server/backup/restore.ts';
import { openDatabases } from '../../../server/databases.ts';
import { integrityFaults } from '../../../server/db/integrity.ts';
import { orangeryMigrations } from '../../../server/db/migrations/orangery.ts';
import { openDatabase } from '../../../server/db/open.ts';
import { SettingRepository } from '../../../server/db/repositories/setting.ts';
import { configure } from '../../support/daemon-site.ts';
import { testFolder } from '../../support/database.ts';
import { migrateFurther } from '../../support/newer.ts';
import { stages, type Stage } from '../../support/stages.ts';

/** Of each stage, at moments that are drawn. */
const kills = process.env['TEST_SCALE'] === 'long' ? 200 : 3;
const atOnce = 3;
const support = join(import.meta.dirname, '../../support');

let folder: string;
beforeEach(() => {
  folder = testFolder();
});

/**
 * Does a stage in a process that is killed before its so manyth change of a file; 0: never. Returns how many it made
 * then.
 */
async function run(stage: Stage, directory: string, dieAt: number): Promise<number> {
  const args = ['--import', join(support, 'dying.ts'), join(support, 'stages.ts'), stage, directory];
  const env = { ...process.env, DIE_AT: String(dieAt) };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [said, errors, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[code: number | null, signal: string | null]>, // as Node tells it
  ]);
  expect([code, signal], errors).toEqual(dieAt === 0 ? [0, null] : [null, 'SIGKILL']);
  return Number(said);
}

function rename(directory: string, site_name: string): void {
  configure(directory, (db) => new SettingRepository(db).save({ site_name }));
}

function siteName(directory: string): unknown {
  const db = openDatabases(directory);
  try {
    expect(integrityFaults(db)).toEqual([]);
    return new SettingRepository(db).all()['site_name'];
  } finally {
    db.close();
  }
}

function older(directory: string): void {
  mkdirSync(directory);
  const migrations = orangeryMigrations.slice(0, -4);
  const db = openDatabase(join(directory, 'orangery.db'), { migrations });
  new SettingRepository(db).save({ site_name: 'North field' });
  db.close();
}

async function backedUp(directory: string): Promise<void> {
  await stages['first run'](directory);
  mkdirSync(join(directory, 'backups', 'uploads'), { recursive: true });
  rename(directory, 'North field');
  await stages.backup(directory);
  rename(directory, 'South field');
}

async function soundBackups(directory: string): Promise<number> {
  const backups = join(directory, 'backups');
  const listed = (await listBackups(backups)).backups;
  for (const { file } of listed) {
    await checkBackup({ work: newWork(directory), file: join(backups, file), passphrase: null });
  }
  return listed.length;
}

interface Case {
  /** What is there before. */
  prepare: (directory: string) => void | Promise<void>;
  /** What the next start does, and what must be there then. */
  recovers: (directory: string) => Promise<void>;
}

/** The next start goes on where it was decided; else nothing has changed. */
function restored(before: string, after: string) {
  return async (directory: string): Promise<void> => {
    const isDecided = isRestoreDecided(directory);
    const changed = siteNameAside(directory, before);
    expect([clearWork(directory), putBack(directory).fault]).toEqual([[], null]);
    expect(siteName(directory)).toBe(isDecided || changed ? after : before);
    expect(readdirSync(directory).filter((name) => name.startsWith('restore'))).toEqual([]);
  };
}

/** Whether what was there is put aside: the restore was done when its program was killed. */
function siteNameAside(directory: string, site_name: string): boolean {
  const asides = readdirSync(directory).filter((name) => name.startsWith('before-restore-')).sort(); // prettier-ignore
  const file = join(directory, asides.at(-1) ?? '', 'orangery.db');
  if (!existsSync(file) || asides.length === 0) return false;
  const db = openDatabase(file, { readonly: true });
  const name = new SettingRepository(db).all()['site_name'];
  db.close();
  return name === site_name;
}

const cases: Record<Stage, Case> = {
  'first run': {
    prepare: () => undefined,
    recovers: async (directory) => {
      await stages['first run'](directory);
      expect(siteName(directory)).toBeUndefined();
      const [cert, key] = ['ca.crt', 'ca.key'].map((name) => readFileSync(join(directory, 'tls', name), 'utf8'));
      expect(new X509Certificate(cert ?? '').checkPrivateKey(createPrivateKey(key ?? ''))).toBe(true);
      const box = new SecretBox(join(directory, 'secret.key'));
      expect(box.open(box.seal('a password'))).toBe('a password');
    },
  },
  migration: {
    prepare: older,
    recovers: async (directory) => {
      await stages.migration(directory);
      expect(siteName(directory)).toBe('North field');
      const copy = openDatabase(join(directory, `orangery.db.${orangeryMigrations.length - 4}.bak`), {
        readonly: true,
      });
      expect(new SettingRepository(copy).all()['site_name']).toBe('North field');
      copy.close();
    },
  },
  backup: {
    prepare: async (directory) => {
      await stages['first run'](directory);
      mkdirSync(join(directory, 'backups'));
      rename(directory, 'North field');
    },
    recovers: async (directory) => {
      expect(clearWork(directory)).toEqual([]);
      expect(readdirSync(directory).filter((name) => name.startsWith('backup-work'))).toEqual([]);
      const before = await soundBackups(directory);
      await stages.backup(directory);
      expect(await soundBackups(directory)).toBeGreaterThanOrEqual(Math.max(1, before));
      expect(siteName(directory)).toBe('North field');
    },
  },
  restore: { prepare: backedUp, recovers: restored('South field', 'North field') },
  undo: {
    prepare: async (directory) => {
      await backedUp(directory);
      await stages.restore(directory);
    },
    recovers: restored('North field', 'South field'),
  },
  update: {
    prepare: async (directory) => {
      await backedUp(directory);
      writeFileSync(join(directory, 'program'), '1.0.0');
      writeFileSync(join(directory, 'staged'), '1.1.0');
    },
    recovers: async (directory) => {
      const version = readFileSync(join(directory, 'program'), 'utf8');
      const at = { folder: join(directory, 'shell', 'updates'), directory, version };
      const starts = version === '1.0.0' ? [null] : [null, null, join(directory, 'program')];
      if (version === '1.1.0') {
        rename(directory, 'West field');
        migrateFurther(directory);
      }
      expect(starts.map(() => beginStart(at))).toEqual(starts);
      expect(clearWork(directory)).toEqual([]);
      expect(putBack(directory).fault).toBeNull();
      expect(readFileSync(join(directory, 'program'), 'utf8')).toBe('1.0.0');
      expect(siteName(directory)).toBe('South field');
    },
  },
  'backup of elsewhere': {
    prepare: async (directory) => {
      await backedUp(directory);
      const [file = ''] = readdirSync(join(directory, 'backups')).filter((name) => name.endsWith('.gz'));
      renameSync(join(directory, 'backups', file), join(directory, 'backups', 'uploads', 'whole'));
    },
    recovers: async (directory) => {
      clearWork(directory);
      if ((await soundBackups(directory)) === 0) await stages['backup of elsewhere'](directory);
      expect(await soundBackups(directory)).toBe(1);
      expect(siteName(directory)).toBe('South field');
    },
  },
};

it.each(Object.entries(cases))(
  `${kills} kills of a %s leave what was there or what was to be, and the next start goes on`,
  { timeout: 60_000 + kills * 5_000 },
  async (name, { prepare, recovers }) => {
    const stage = name as Stage; // a key of the table
    const before = join(folder, 'before');
    await prepare(before);
    const copy = (to: string): string => {
      const directory = join(folder, to);
      if (existsSync(before)) cpSync(before, directory, { recursive: true });
      return directory;
    };
    const changes = await run(stage, copy('whole'), 0);
    const seed = Date.now() % 1_000_000;
    const moments = fc.sample(fc.integer({ min: 1, max: changes }), { numRuns: kills, seed });
    for (let at = 0; at < moments.length; at += atOnce) {
      await Promise.all(
        moments.slice(at, at + atOnce).map(async (moment, index) => {
          const directory = copy(`killed-${at + index}`);
          await run(stage, directory, moment);
          await recovers(directory).catch((cause: unknown) => {
            throw new Error(`seed ${seed}: killed at change ${moment} of ${changes}`, { cause });
          });
        }),
      );
    }
  },
);
