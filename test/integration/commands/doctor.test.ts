import { chmodSync, closeSync, openSync, readFileSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { examine, type Finding } from '../../../server/commands/doctor.ts';
import { openDatabases } from '../../../server/databases.ts';
import { systemActor } from '../../../server/auth/system-actor.ts';
import { controlMigrations } from '../../../server/db/migrations/control.ts';
import { openDatabase, type Database } from '../../../server/db/open.ts';
import { composeAccounts, type Accounts } from '../../../server/composition/accounts.ts';
import { openCertificates } from '../../../server/tls/certificates.ts';
import { goodPassword } from '../../support/accounts.ts';
import { testFolder } from '../../support/database.ts';

const now = new Date();
const dayMs = 86_400_000;

let directory: string;

/** A data directory as a service leaves it: one user with a second factor, an audit of three records. */
beforeEach(async () => {
  directory = testFolder();
  await withDatabase(async ({ accounts, factors, settings }) => {
    const kim = await accounts.create({ username: 'kim', role: 'Admin', password: goodPassword }, systemActor);
    await factors.enrol(goodPassword, { ...systemActor, user_id: kim.unique_id, username: 'kim' });
    settings.save({ zoom: 9 }, systemActor);
  });
  await openCertificates({
    directory: join(directory, 'tls'),
    hostName: 'test',
    addresses: () => [],
    extraNames: [],
    now: () => now,
  });
});

async function withDatabase(work: (accounts: Accounts, db: Database) => unknown): Promise<void> {
  const db = openDatabases(directory);
  await work(composeAccounts({ db, now: Date.now, passwordCost: { log2N: 1, r: 8, p: 1 } }), db);
  db.close();
}

function look(changed: { now?: Date; freeBytes?: number } = {}): Finding[] {
  return examine({ directory, now: changed.now ?? now, freeBytes: () => changed.freeBytes ?? 50e9 });
}

function troubles(findings: Finding[]): string[] {
  return findings
    .filter(({ state }) => state !== 'ok')
    .map(({ state, subject, text }) => `${state} ${subject}: ${text}`);
}

function overwrite(name: string, position: number, bytes: Buffer): void {
  const descriptor = openSync(join(directory, name), 'r+');
  writeSync(descriptor, bytes, 0, bytes.length, position);
  closeSync(descriptor);
}

describe('a sound data directory', () => {
  it('is all well', () => {
    const findings = look();
    expect(troubles(findings)).toEqual([]);
    expect(findings.map(({ subject }) => subject)).toEqual([
      'orangery.db',
      'audit',
      'secrets',
      'control.db',
      'measurements.db',
      'authority',
      'certificate',
      'private files',
      'disk',
    ]);
    expect(findings.find(({ subject }) => subject === 'audit')?.text).toMatch(/^3 records/);
  });

  it('is not changed by looking, also while a service holds it', async () => {
    await withDatabase((_, db) => {
      const before = db.prepare('SELECT total_changes()').pluck().get();
      expect(troubles(look())).toEqual([]);
      expect(db.prepare('SELECT total_changes()').pluck().get()).toBe(before);
    });
  });
});

describe('before the first start', () => {
  it('warns, and makes nothing', () => {
    directory = testFolder();
    expect(troubles(look()).every((line) => line.startsWith('warning'))).toBe(true);
    expect(troubles(look())).toHaveLength(4);
  });
});

describe('it finds', () => {
  it('a damaged page', () => {
    const pageSize = 4096;
    const pages = statSync(join(directory, 'orangery.db')).size / pageSize;
    for (let page = 2; page < pages; page += 1) overwrite('orangery.db', page * pageSize, Buffer.alloc(200, 0xff));
    expect(troubles(look()).join('\n')).toMatch(/^fault orangery\.db: /);
  });

  it('a file that is no database', () => {
    rmSync(join(directory, 'control.db'));
    writeFileSync(join(directory, 'control.db'), 'not a database at all, whatever its name', { mode: 0o600 });
    expect(troubles(look())).toEqual(['fault control.db: file is not a database']);
  });

  it('a file of a newer program', () => {
    const db = openDatabase(join(directory, 'control.db'));
    db.pragma(`user_version = ${controlMigrations.length + 1}`);
    db.close();
    expect(troubles(look())).toEqual([expect.stringMatching(/^fault control\.db: .* install the newer program$/)]);
  });

  it('rows that refer to nothing', async () => {
    await withDatabase((_, db) => {
      db.pragma('foreign_keys = OFF');
      db.exec("UPDATE users SET role = 'Nobody'");
    });
    expect(troubles(look())).toEqual(['fault orangery.db: rows of users refer to nothing']);
  });

  it('an audit that somebody edited', async () => {
    await withDatabase((_, db) => {
      db.exec("DROP TRIGGER audit_is_written_once; UPDATE audit SET username = 'eve' WHERE id = 2");
    });
    expect(troubles(look())).toEqual(['fault audit: record 2: was changed; 1 before it are whole']);
  });

  it('secrets without their key', () => {
    rmSync(join(directory, 'secret.key'));
    expect(troubles(look())).toEqual([
      expect.stringMatching(/^fault secrets: those of second factors cannot be read: .*secret\.key cannot be used/),
    ]);
  });

  it('secrets of any kind without their key, where there is no second factor', async () => {
    const device = (kind: string, period = ''): string =>
      `INSERT INTO ${kind} (unique_id, name, driver, options, is_activated ${period && ', period_s'})
       VALUES ('${kind}', 'x', 'mqtt', @options, 1 ${period})`;
    const stores: Record<string, string> = {
      'notification targets': `INSERT INTO notification_targets (unique_id, target, sealed_secret) VALUES ('a', '{}', @sealed)`,
      settings: `INSERT INTO settings (key, value) VALUES ('wms_layers', json_array(json_object('password', json(@password))))`,
      inputs: device('inputs', ', 60'),
      outputs: device('outputs'),
      displays: device('lcds'),
    };
    for (const [of, sql] of Object.entries(stores)) {
      await withDatabase(({ secrets }, db) => {
        db.exec('DELETE FROM totp; DELETE FROM notification_targets; DELETE FROM inputs; DELETE FROM outputs;');
        db.exec("DELETE FROM settings WHERE key = 'wms_layers'");
        const sealed = secrets.seal('hunter2');
        const password = JSON.stringify({ sealed });
        db.prepare(sql).run({ sealed, password, options: JSON.stringify({ password: { sealed } }) });
      });
      expect(troubles(look())).toEqual([]);
      rmSync(join(directory, 'secret.key'));
      expect(troubles(look())).toEqual([expect.stringContaining(`those of ${of} cannot be read`)]);
      await withDatabase((_, db) => db.exec('DELETE FROM lcds'));
    }
  });

  it('without any secret, none is missing', async () => {
    await withDatabase((_, db) => db.exec('DELETE FROM totp'));
    rmSync(join(directory, 'secret.key'));
    expect(look().find(({ subject }) => subject === 'secrets')).toMatchObject({ state: 'ok', text: 'none is stored' });
  });

  it.each(['daemon.token', 'remote.secret', 'remote.loopback_secret', 'audit.key'])('an empty %s', (name) => {
    writeFileSync(join(directory, name), '\n', { mode: 0o600 });
    expect(troubles(look())).toContainEqual(expect.stringMatching(`^fault ${name}: is empty: `));
  });

  it.each(['daemon.lock', 'service.lock'])('a damaged %s', (name) => {
    writeFileSync(join(directory, name), 'garbage'.repeat(200), { mode: 0o600 });
    expect(troubles(look())).toEqual([`warning ${name}: is damaged: the next start makes it anew`]);
  });

  it('a certificate that ends soon, has ended, or is not yet valid', () => {
    expect(troubles(look({ now: new Date(now.getTime() + 370 * dayMs) }))).toEqual([
      expect.stringMatching(/^warning certificate: ends on/),
    ]);
    expect(troubles(look({ now: new Date(now.getTime() + 400 * dayMs) }))).toEqual([
      expect.stringMatching(/^fault certificate: ended on/),
    ]);
    expect(troubles(look({ now: new Date(now.getTime() - 400 * dayMs) }))).toEqual([
      expect.stringMatching(/^fault certificate: is not valid yet/),
    ]);
  });

  it('a certificate of another authority, and one that cannot be read', async () => {
    const other = testFolder();
    await openCertificates({ directory: other, hostName: 'x', addresses: () => [], extraNames: [], now: () => now });
    writeFileSync(join(directory, 'tls/leaf.crt'), readFileSync(join(other, 'leaf.crt')));
    expect(troubles(look())).toEqual(['fault certificate: is not of the authority beside it']);
    rmSync(join(directory, 'tls/leaf.crt'));
    expect(troubles(look())).toEqual([expect.stringMatching(/^fault certificates: ENOENT/)]);
  });

  it('private files that others can read', () => {
    chmodSync(join(directory, 'tls/ca.key'), 0o644);
    expect(troubles(look())).toEqual([expect.stringMatching(/^fault tls\/ca\.key: can be read by others: chmod 600/)]);
  });

  it.each([
    [0.5e9, 'warning disk: 0.5 GB free'],
    [0.05e9, 'fault disk: 0.1 GB free: measurements will soon be lost'],
  ])('%i bytes of free disk', (freeBytes, line) => {
    expect(troubles(look({ freeBytes }))).toEqual([line]);
  });

  it('the real disk', () => {
    const disk = examine({ directory, now }).find(({ subject }) => subject === 'disk');
    expect(Number.parseFloat(disk?.text ?? '')).toBeGreaterThan(0);
  });
});
