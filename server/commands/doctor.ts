import { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../contract/message-of.ts';
import { checkChain } from '../auth/audit-chain.ts';
import { auditProof } from '../auth/audit-keeper.ts';
import { SecretBox } from '../auth/secret-box.ts';
import { isDamagedLock } from '../db/lock-file.ts';
import { integrityFaults } from '../db/integrity.ts';
import { versionOf } from '../db/migrate.ts';
import type { Migration } from '../db/migration.ts';
import { controlMigrations } from '../db/migrations/control.ts';
import { measurementsMigrations } from '../db/migrations/measurements.ts';
import { orangeryMigrations } from '../db/migrations/orangery.ts';
import { openDatabase, type Database } from '../db/open.ts';
import { AuditRepository } from '../db/repositories/audit.ts';
import { sealedSecrets, type SealedSecret } from '../db/repositories/sealed-secret.ts';
import { readSecretFile } from '../db/secret-file.ts';
import { readTogether } from '../db/transaction.ts';

/** The result of one check. A warning is worth knowing, a fault must be mended. */
export interface Finding {
  state: 'ok' | 'warning' | 'fault';
  subject: string;
  text: string;
}

interface DoctorOptions {
  directory: string;
  now: Date;
  /** Free bytes on the disk of a path; by default from the system. */
  freeBytes?: (path: string) => number;
}

const gigabyte = 1e9;
const scarceBytes = gigabyte;
const tooFewBytes = 0.1 * gigabyte;
const dayMs = 24 * 60 * 60 * 1000;
const renewedBeforeMs = 30 * dayMs;
const privateFiles = [
  'orangery.db',
  'control.db',
  'measurements.db',
  'secret.key',
  'tls/ca.key',
  'tls/leaf.key',
  'audit.key',
  'audit.head',
  'daemon.token',
  'remote.secret',
  'remote.loopback_secret',
];

const lists: Record<string, readonly Migration[]> = {
  'orangery.db': orangeryMigrations,
  'control.db': controlMigrations,
  'measurements.db': measurementsMigrations,
};

/** Checks everything in a data directory without changing it, even while a service runs. */
export function examine({ directory, now, freeBytes = freeOn }: DoctorOptions): Finding[] {
  return [
    ...Object.entries(lists).flatMap(([name, migrations]) => examineDatabase(directory, name, migrations)),
    ...examineCertificates(join(directory, 'tls'), now),
    ...examineSecretFiles(directory),
    ...examineLocks(directory),
    ...examineModes(directory),
    examineDisk(freeBytes(directory)),
  ];
}

function examineDatabase(directory: string, name: string, migrations: readonly Migration[]): Finding[] {
  const file = join(directory, name);
  if (!existsSync(file)) return [warning(name, 'is not there yet: the first start makes it')];
  try {
    const db = openDatabase(file, { readonly: true, migrations });
    try {
      return [...examineFile(db, name, migrations), ...(name === 'orangery.db' ? examineContent(db, directory) : [])];
    } finally {
      db.close();
    }
  } catch (error) {
    return [fault(name, messageOf(error))];
  }
}

function examineFile(db: Database, name: string, migrations: readonly Migration[]): Finding[] {
  const faults = integrityFaults(db).map((text) => fault(name, text));
  const version = versionOf(db);
  if (version < migrations.length) faults.push(warning(name, `has version ${version}: the next start migrates it`));
  return faults.length > 0 ? faults : [ok(name, `is whole, version ${version}`)];
}

function examineContent(db: Database, directory: string): Finding[] {
  if (versionOf(db) < orangeryMigrations.length) return []; // its tables may not be there yet
  return [examineAudit(db, directory), examineSecrets(sealedSecrets(db), join(directory, 'secret.key'))];
}

function examineAudit(db: Database, directory: string): Finding {
  const rows = new AuditRepository(db);
  const { records, broken } = readTogether(db, () => checkChain(rows, auditProof(directory)));
  if (broken === null) return ok('audit', `${records} records, each follows from the one before it`);
  return fault('audit', `record ${broken.id}: ${broken.what}; ${records} before it are whole`);
}

function examineSecrets(found: readonly SealedSecret[], keyFile: string): Finding {
  const box = new SecretBox(keyFile);
  const closed = Map.groupBy(found, ({ sealed }) => reasonAgainst(() => box.open(sealed)));
  const [reason] = [...closed.keys()].filter((one) => one !== null);
  if (reason === undefined) return ok('secrets', found.length === 0 ? 'none is stored' : `${found.length} open`);
  const owners = new Set((closed.get(reason) ?? []).map(({ of }) => of));
  return fault('secrets', `those of ${[...owners].join(', ')} cannot be read: ${reason}`);
}

function reasonAgainst(work: () => unknown): string | null {
  try {
    work();
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

/** Files of one secret each that grant access, and what happens when one is empty. */
const secretFiles: Record<string, string> = {
  'daemon.token': 'the next start of the service makes another',
  'remote.secret': 'the next start makes another, which programs on other machines need then',
  'remote.loopback_secret': 'no other program of this machine is let in: write a secret into it, or delete it',
  'audit.key': 'what was recorded cannot be proven: put back the file that the audit was made with',
};

function examineSecretFiles(directory: string): Finding[] {
  const there = Object.entries(secretFiles).filter(([name]) => existsSync(join(directory, name)));
  return there.flatMap(([name, consequence]) => {
    const why = reasonAgainst(() => {
      if (readSecretFile(join(directory, name)) === undefined) throw new Error(`is empty: ${consequence}`);
    });
    return why === null ? [] : [fault(name, why)];
  });
}

/** A damaged one is emptied by the next start, which loses only the id of the data directory. */
function examineLocks(directory: string): Finding[] {
  return ['service.lock', 'daemon.lock'].flatMap((name) => {
    const file = join(directory, name);
    return existsSync(file) && isDamagedLock(file) ? [warning(name, 'is damaged: the next start makes it anew')] : [];
  });
}

function examineCertificates(directory: string, now: Date): Finding[] {
  const [caFile, leafFile] = [join(directory, 'ca.crt'), join(directory, 'leaf.crt')];
  if (!existsSync(caFile)) return [warning('certificates', 'are not there yet: the first start makes them')];
  try {
    const ca = new X509Certificate(readFileSync(caFile));
    const leaf = new X509Certificate(readFileSync(leafFile));
    const follows = leaf.verify(ca.publicKey) ? [] : [fault('certificate', 'is not of the authority beside it')];
    return [validity('authority', ca, now), validity('certificate', leaf, now), ...follows];
  } catch (error) {
    return [fault('certificates', messageOf(error))];
  }
}

function validity(subject: string, { validFromDate, validToDate }: X509Certificate, now: Date): Finding {
  const left = validToDate.getTime() - now.getTime();
  const day = validToDate.toISOString().slice(0, 10);
  if (validFromDate > now) return fault(subject, 'is not valid yet: is the clock right?');
  if (left <= 0) return fault(subject, `ended on ${day}: a start of the service renews a certificate`);
  if (left < renewedBeforeMs) return warning(subject, `ends on ${day}: a running service renews a certificate by then`);
  return ok(subject, `is valid until ${day}`);
}

/** Windows keeps no such modes: every file would seem open there. */
function examineModes(directory: string): Finding[] {
  if (process.platform === 'win32') return [];
  const open = privateFiles.filter((name) => {
    const file = join(directory, name);
    return existsSync(file) && (statSync(file).mode & 0o077) !== 0;
  });
  if (open.length === 0) return [ok('private files', 'can be read by their owner alone')];
  return open.map((name) => fault(name, `can be read by others: chmod 600 ${join(directory, name)}`));
}

function examineDisk(free: number): Finding {
  const text = `${(free / gigabyte).toFixed(1)} GB free`;
  if (free < tooFewBytes) return fault('disk', `${text}: measurements will soon be lost`);
  return free < scarceBytes ? warning('disk', text) : ok('disk', text);
}

function freeOn(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}

function ok(subject: string, text: string): Finding {
  return { state: 'ok', subject, text };
}

function warning(subject: string, text: string): Finding {
  return { state: 'warning', subject, text };
}

function fault(subject: string, text: string): Finding {
  return { state: 'fault', subject, text };
}
