import { spawnSync } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { rootCertificates } from 'node:tls';
import { beforeEach, describe, expect, it } from 'vitest';
import { run } from '../../server/cli.ts';
import { lockDataDirectory } from '../../server/data-directory.ts';
import { acquireInstanceLock } from '../../server/db/instance-lock.ts';
import { measurementsMigrations } from '../../server/db/migrations/measurements.ts';
import { orangeryMigrations } from '../../server/db/migrations/orangery.ts';
import { openDatabase } from '../../server/db/open.ts';
import { chainOf } from '../../server/services/commissioning/chain.ts';
import { composeAccounts } from '../../server/composition/accounts.ts';
import { actor, goodPassword, lanAddress } from '../support/accounts.ts';
import { checkId, sampleCheck } from '../support/commissioning-check.ts';
import { testFolder } from '../support/database.ts';

let directory: string;

beforeEach(() => {
  directory = join(testFolder(), 'data');
});

interface Ran {
  code: number;
  stdout: string[];
  stderr: string[];
}

async function orangery(line: string, stdin = ''): Promise<Ran> {
  const ran: Ran = { code: -1, stdout: [], stderr: [] };
  ran.code = await run(line.split(' '), {
    env: { ORANGERY_DATA_DIR: directory },
    stdin: Readable.from([stdin]),
    stdout: (text) => ran.stdout.push(text),
    stderr: (text) => ran.stderr.push(text),
  });
  return ran;
}

const createKim = 'admin create --username kim --password-stdin';

describe('admin create', () => {
  it('makes an administrator who can log in, before the first start of the service', async () => {
    expect(await orangery(createKim, `${goodPassword}\n`)).toEqual({
      code: 0,
      stdout: ['administrator kim made'],
      stderr: [],
    });
    const db = openDatabase(join(directory, 'orangery.db'), { migrations: orangeryMigrations });
    const { logins } = composeAccounts({ db, now: Date.now });
    const { session } = await logins.logIn({ username: 'kim', password: goodPassword }, actor());
    expect(session.user.role).toBe('Admin');
    db.close();
  });

  it.each([
    ['a common password', createKim, 'password123\n', 'password is one of the most common passwords'],
    ['a short password', createKim, 'short', 'password must have at least 10 characters'],
    ['a username that is none', 'admin create --username ki/m --password-stdin', goodPassword, 'username must be'],
  ])('says in one line what is wrong with %s, and makes nothing', async (_, line, stdin, message) => {
    const ran = await orangery(line, stdin);
    expect(ran).toMatchObject({ code: 1, stdout: [] });
    expect(ran.stderr).toEqual([expect.stringContaining(`orangery: ${message}`)]);
    expect((await orangery('admin api-key --username kim --name script')).stderr).toEqual([
      'orangery: there is no user kim',
    ]);
  });

  it('refuses a username that is taken', async () => {
    await orangery(createKim, goodPassword);
    expect(await orangery(createKim, goodPassword)).toMatchObject({
      code: 1,
      stderr: ['orangery: the username is taken'],
    });
  });
});

describe('admin api-key', () => {
  it('prints a key that opens at once, also beside a running service', async () => {
    const release = lockDataDirectory(directory);
    const db = openDatabase(join(directory, 'orangery.db'), { migrations: orangeryMigrations });
    const { authenticator } = composeAccounts({ db, now: Date.now });
    await orangery(createKim, goodPassword);
    const { code, stdout } = await orangery('admin api-key --username KIM --name script --scope readonly');
    const found = authenticator.authenticate({
      address: lanAddress,
      api_key: { key: stdout[0] ?? '', carrier: 'header' },
    });
    db.close();
    release();
    expect(code).toBe(0);
    expect(found?.actor).toMatchObject({ username: 'kim', scope: 'readonly' });
  });

  it('refuses to migrate the file of a running service', async () => {
    const release = lockDataDirectory(directory);
    const ran = await orangery(createKim, goodPassword);
    release();
    expect(ran.code).toBe(1);
    expect(ran.stderr).toEqual([expect.stringContaining('is in use by another Orangery service')]);
  });
});

describe('admin password', () => {
  it('sets a password without the one before, and ends the sessions', async () => {
    await orangery(createKim, goodPassword);
    const db = openDatabase(join(directory, 'orangery.db'), { migrations: orangeryMigrations });
    const { logins, authenticator } = composeAccounts({ db, now: Date.now });
    const { token } = await logins.logIn({ username: 'kim', password: goodPassword }, actor());
    const ran = await orangery('admin password --username KIM --password-stdin', 'broad-window-77\n');
    expect(ran).toEqual({ code: 0, stdout: ['password of kim set'], stderr: [] });
    expect(authenticator.authenticate({ address: lanAddress, session_cookie: token })).toBeNull();
    await logins.logIn({ username: 'kim', password: 'broad-window-77' }, actor());
    db.close();
  });

  it('refuses a weak one and an unknown user in one line', async () => {
    await orangery(createKim, goodPassword);
    const set = (username: string, password: string): Promise<Ran> =>
      orangery(`admin password --username ${username} --password-stdin`, password);
    expect((await set('kim', 'password123')).stderr).toEqual([expect.stringContaining('most common passwords')]);
    expect((await set('lee', goodPassword)).stderr).toEqual(['orangery: there is no user lee']);
  });
});

describe('admin totp-off', () => {
  it('takes away a second factor, once', async () => {
    await orangery(createKim, goodPassword);
    const db = openDatabase(join(directory, 'orangery.db'), { migrations: orangeryMigrations });
    const { accounts, factors } = composeAccounts({ db, now: Date.now });
    const user_id = accounts.find('kim')?.unique_id ?? '';
    await factors.enrol(goodPassword, actor({ user_id, username: 'kim' }));
    db.close();
    expect(await orangery('admin totp-off --username kim')).toMatchObject({ code: 0 });
    expect(await orangery('admin totp-off --username kim')).toMatchObject({
      code: 1,
      stderr: ['orangery: there is no second factor'],
    });
  });
});

describe('doctor', () => {
  it('prints a line a finding and ends with 0 where all is well', async () => {
    await orangery(createKim, goodPassword);
    const { code, stdout, stderr } = await orangery('doctor');
    expect({ code, stderr }).toEqual({ code: 0, stderr: [] });
    expect(stdout).toContain('ok       audit: 1 records, each follows from the one before it');
    expect(stdout).toContain('warning  control.db: is not there yet: the first start makes it');
  });

  it('ends with 1 where something must be mended', async () => {
    await orangery(createKim, goodPassword);
    const db = openDatabase(join(directory, 'orangery.db'));
    db.exec("DROP TRIGGER audit_is_written_once; UPDATE audit SET username = 'eve'");
    db.close();
    const { code, stdout, stderr } = await orangery('doctor');
    expect({ code, stderr }).toEqual({ code: 1, stderr: [`orangery: 1 fault in ${directory}`] });
    const asJson = await orangery('doctor --json');
    expect([asJson.code, asJson.stdout.length, asJson.stderr.length]).toEqual([1, 1, 1]);
    const error = { code: 'found_wrong', message: `1 fault in ${directory}` };
    expect(JSON.parse(asJson.stderr[0] ?? '')).toEqual({ error });
    expect(stdout).toContain('fault    audit: record 1: was changed; 0 before it are whole');
  });

  it('makes no data directory', async () => {
    expect(await orangery('doctor')).toMatchObject({
      code: 1,
      stdout: [],
      stderr: [expect.stringContaining('there is no')],
    });
    expect(existsSync(directory)).toBe(false);
  });
});

describe('measurements rebuild', () => {
  const empty = (): void => {
    mkdirSync(directory, { recursive: true });
    openDatabase(join(directory, 'measurements.db'), { migrations: measurementsMigrations }).close();
  };

  it('says what it computed anew', async () => {
    empty();
    expect(await orangery('measurements rebuild')).toMatchObject({
      code: 0,
      stdout: ['rollups of 0 series computed anew, 0 days'],
    });
  });

  it('refuses beside a daemon, which alone writes measurements', async () => {
    empty();
    const lock = acquireInstanceLock(join(directory, 'daemon.lock'));
    const { code, stderr } = await orangery('measurements rebuild');
    lock.release();
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: [expect.stringContaining('daemon.lock is locked by process')],
    });
  });
});

describe('fingerprint', () => {
  it('prints the SHA-256 of the certificate authority', async () => {
    mkdirSync(join(directory, 'tls'), { recursive: true });
    const certificate = rootCertificates[0] ?? ''; // any will do
    writeFileSync(join(directory, 'tls', 'ca.crt'), certificate);
    const digest = createHash('sha256').update(new X509Certificate(certificate).raw).digest('hex');
    const { code, stdout } = await orangery('fingerprint');
    expect(code).toBe(0);
    expect(stdout).toEqual([digest.toUpperCase().replaceAll(/(..)(?=.)/g, '$1:')]);
  });

  it('says that there is none before the first start', async () => {
    expect(await orangery('fingerprint')).toMatchObject({
      code: 1,
      stderr: [expect.stringContaining('the first start of the service makes it')],
    });
  });
});

describe('a line that is not understood', () => {
  it.each([
    ['admin', 'admin needs one of create, api-key, password, totp-off'],
    ['admin remove', 'there is no command "admin remove"'],
    ['fingerprint --colour', "Unknown option '--colour'"],
    ['admin create --username kim', 'admin create needs --password-stdin'],
    ['admin api-key --username kim', '--name is needed'],
    ['admin password --username kim', 'admin password needs --password-stdin'],
    ['admin totp-off', '--username is needed'],
  ])('%s: one line and exit code 2', async (line, message) => {
    const ran = await orangery(line);
    expect(ran).toMatchObject({ code: 2, stdout: [] });
    expect(ran.stderr).toEqual([expect.stringContaining(message)]);
  });
});

it('is the command that the package installs', () => {
  const command = resolve(import.meta.dirname, '../../build/orangery.js');
  const { status, stdout } = spawnSync(process.execPath, [command, '--help'], { encoding: 'utf8' });
  expect(stdout).toContain('Usage: orangery COMMAND');
  expect(status).toBe(0);
  const left = spawnSync('sh', ['-c', '{ "$0" "$1" --help; echo "$?" >&2; } | true', process.execPath, command], {
    encoding: 'utf8',
  });
  expect(left.stderr).toBe('0\n'); // also where nobody reads to the end
});

describe('commissioning verify', () => {
  const report = chainOf(sampleCheck('00000000-0000-4000-8000-0000000000f1'));
  const written = (content: unknown): string => {
    const file = join(testFolder(), 'report.json');
    writeFileSync(file, JSON.stringify(content));
    return file;
  };

  it('says that a report is whole, and by what hash it is the printed one', async () => {
    const { code, stdout } = await orangery(`commissioning verify ${written(report)} --sha256 ${report.sha256}`);
    expect([code, stdout]).toEqual([0, [`whole: check ${checkId}, 3 links, SHA-256 ${report.sha256}`]]);
  });

  it.each([
    ['was changed', { ...report, links: report.links.slice(1) }, ''],
    ['links at its end are missing', { ...report, links: report.links.slice(0, 2) }, ''],
    ['it is no report', {}, ''],
    ['its hash is', report, ` --sha256 ${'0'.repeat(64)}`],
  ])('says that %s', async (message, content, option) => {
    const { code, stderr } = await orangery(`commissioning verify ${written(content)}${option}`);
    expect([code, stderr]).toEqual([1, [expect.stringContaining(message)]]);
  });

  it('needs a file', async () => {
    expect((await orangery('commissioning verify')).code).toBe(2);
    expect((await orangery('commissioning verify /nowhere/report.json')).code).toBe(1);
  });
});

describe('for programs', () => {
  it('answers and refuses in one line of JSON', async () => {
    const made = await orangery(`${createKim} --json`, goodPassword);
    expect(JSON.parse(made.stdout[0] ?? '')).toMatchObject({ username: 'kim', role: 'Admin' });
    const found = await orangery('doctor --json');
    expect(JSON.parse(found.stdout[0] ?? '')).toMatchObject({ findings: expect.any(Array) as unknown });
    const refused = await orangery('restore /nowhere --json');
    expect([refused.code, refused.stdout]).toEqual([1, []]);
    expect(JSON.parse(refused.stderr[0] ?? '')).toMatchObject({ error: { code: 'not_a_backup' } });
    const misread = await orangery('restore --json');
    expect([misread.code, JSON.parse(misread.stderr[0] ?? '')]).toMatchObject([2, { error: { code: 'usage' } }]);
  });

  it('refuses an option that a command would pass over', async () => {
    expect(await orangery('doctor --folder /tmp')).toMatchObject({
      code: 2,
      stderr: ['orangery: doctor has no option --folder; see orangery --help'],
    });
  });

  it('tells of a command what it does, its options and the exit codes', async () => {
    const { code, stdout } = await orangery('backup check --help');
    expect([code, stdout[0]]).toEqual([0, expect.stringContaining('Usage: orangery backup check FILE [OPTIONS]')]);
    expect(stdout[0]).toContain('--passphrase-stdin');
    expect(stdout[0]).toContain('3  the control daemon');
  });
});
