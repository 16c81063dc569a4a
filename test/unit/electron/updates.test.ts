import { generateKeyPairSync, sign } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { putBack } from '../../../server/backup/put-back.ts';
import { openDatabases } from '../../../server/databases.ts';
import { SettingRepository } from '../../../server/db/repositories/setting.ts';
import { signUpdate } from '../../../build/sign-update.ts';
import { feedName, isNewer, openFeed, signatureName, type UpdateFeed } from '../../../electron/updates/feed.ts';
import { configure } from '../../support/daemon-site.ts';
import { testFolder } from '../../support/database.ts';
import { electron, resetElectron } from '../../support/fake-electron.ts';
import { migrateFurther } from '../../support/newer.ts';
import { startUpstream, upstreamOutbound } from '../../support/upstream.ts';

vi.mock('electron', () => electron);
const { Updates } = await import('../../../electron/updates/updates.ts');
const { wordsOf } = await import('../../../electron/words.ts');

/** PEM. */
function pair(): { publicKey: string; privateKey: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return {
    publicKey: String(publicKey.export({ type: 'spki', format: 'pem' })),
    privateKey: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
  };
}

const [own, other] = [pair(), pair()];
const program = Buffer.from('new program');
const words = wordsOf('en').updates;

const noted = vi.fn<(outcome: object) => void>();

let release: string;
let directory: string;
let appImage: string;

beforeEach(async () => {
  resetElectron();
  noted.mockReset();
  [release, directory] = [testFolder(), testFolder()];
  appImage = join(directory, 'Orangery.AppImage');
  writeFileSync(appImage, 'old program');
  vi.stubEnv('APPIMAGE', appImage);
  await publish(program);
});
afterEach(() => vi.unstubAllEnvs());

async function publish(content: Buffer, version = '9.0.0'): Promise<void> {
  const arch = process.arch === 'arm64' ? 'arm64' : 'x86_64';
  for (const name of readdirSync(release)) rmSync(join(release, name), { recursive: true });
  writeFileSync(join(release, `Orangery-${version}-${arch}.AppImage`), content);
  await signUpdate(release, { version, key: own.privateKey });
}

const folder = () => join(directory, 'updates');
const staged = () => (existsSync(folder()) ? readdirSync(folder()) : []);

function updates({
  url = null,
  keys = [own.publicKey],
  version = '1.0.0',
}: { url?: string | null; keys?: string[]; version?: string } = {}) {
  const outbound = upstreamOutbound();
  return new Updates({
    folder: folder(),
    directory,
    version,
    words: () => wordsOf('en'),
    publisher: { url, keys },
    outbound,
  });
}

/** Answers the dialogs one after the other by the place of the button. */
function answer(...responses: number[]): void {
  for (const response of responses) electron.dialog.showMessageBox.mockResolvedValueOnce({ response });
}
const said = (): string[] =>
  electron.dialog.showMessageBox.mock.calls.map((call) => (call.at(-1) as { detail: string }).detail); // as Electron takes them

function choose(file = join(release, feedName)): void {
  electron.dialog.showOpenDialog.mockResolvedValueOnce({ filePaths: [file] });
}

/** A server of files that knows ranges, as those of releases do; a download breaks off after so many. */
function files(breaksAfter = Infinity) {
  let parts = 0;
  return (request: IncomingMessage, response: ServerResponse): void => {
    const file = join(release, (request.url ?? '').slice(1));
    if (!existsSync(file)) return void response.writeHead(404).end();
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    if (from === undefined || to === undefined) return void response.writeHead(200).end(readFileSync(file));
    parts += 1;
    if (parts > breaksAfter) return void response.destroy();
    response.writeHead(206).end(readFileSync(file).subarray(Number(from), Number(to) + 1));
  };
}

describe('a feed', () => {
  const bytes = (): Buffer => readFileSync(join(release, feedName));
  const signature = (): string => readFileSync(join(release, signatureName), 'latin1');

  it('is taken by the signature of the publisher, also by a second key', () => {
    const feed = openFeed(bytes(), signature(), [other.publicKey, own.publicKey]);
    expect(feed).toMatchObject({ version: '9.0.0', files: [{ kind: 'appimage', bytes: program.length }] });
    expect(openFeed(bytes(), signature(), ['no key', own.publicKey])).toEqual(feed);
  });

  it.each<[string, () => [Buffer, string, string[]]]>([
    ['by another', () => [bytes(), signature(), [other.publicKey]]],
    ['by nobody', () => [bytes(), '', [own.publicKey]]],
    ['where no key is known', () => [bytes(), signature(), []]],
    [
      'with a byte changed',
      () => [Buffer.from(bytes().toString().replace('9.0.0', '9.0.1')), signature(), [own.publicKey]],
    ],
    [
      'of another form',
      () => {
        const odd = Buffer.from(JSON.stringify({ ...(JSON.parse(bytes().toString()) as UpdateFeed), files: [] }));
        return [odd, sign(null, odd, own.privateKey).toString('base64'), [own.publicKey]];
      },
    ],
    [
      'without being JSON',
      () => [Buffer.from('{'), sign(null, Buffer.from('{'), own.privateKey).toString('base64'), [own.publicKey]],
    ],
    [
      'with a file outside its folder',
      () => {
        const odd = Buffer.from(
          bytes()
            .toString()
            .replace(/"name": "[^"]+"/, '"name": "../../etc/passwd"'),
        );
        return [odd, sign(null, odd, own.privateKey).toString('base64'), [own.publicKey]];
      },
    ],
  ])('signed %s is refused', (_what, given) => {
    expect(() => openFeed(...given())).toThrow(expect.objectContaining({ code: 'unsigned' }) as Error);
  });

  it.each([
    ['1.0.1', '1.0.0', true],
    ['1.10.0', '1.9.9', true],
    ['2.0.0', '1.99.99', true],
    ['1.0.0', '1.0.0', false],
    ['1.9.9', '1.10.0', false],
  ])('of %s is newer than %s: %s', (version, than, is) => expect(isNewer(version, than)).toBe(is));
});

describe('an update', () => {
  it('from a disk is checked, staged, and takes the place of the program at the end', async () => {
    const one = updates();
    choose();
    answer(0, 0);
    expect(await one.fromFile()).toBe(true);
    expect(said()[0]).toContain('Version 9.0.0');
    expect(readFileSync(appImage, 'latin1')).toBe('old program'); // until the end
    expect(await one.apply()).toBe(true);
    expect(readFileSync(appImage).equals(program)).toBe(true);
    expect(statSync(appImage).mode & 0o111).not.toBe(0);
    expect(readFileSync(`${appImage}.former`, 'latin1')).toBe('old program');
    const next = updates({ version: '9.0.0' });
    expect(next.begin()).toBeNull();
    next.confirm();
    await next.tellOutcome(noted);
    expect(noted).not.toHaveBeenCalled();
    expect([existsSync(`${appImage}.former`), next.begin(), await one.apply()]).toEqual([false, null, false]);
  });

  it('whose staged file the disk has changed since does not take the place of the program', async () => {
    const one = updates();
    choose();
    answer(0, 1);
    await one.fromFile();
    const [name = ''] = staged().filter((file) => file.endsWith('.AppImage'));
    writeFileSync(join(folder(), name), Buffer.alloc(program.length, 'other'));
    await expect(one.apply()).rejects.toThrow('is not what was signed any more');
    expect(readFileSync(appImage, 'latin1')).toBe('old program');
    expect(readdirSync(directory).filter((file) => file.endsWith('.new'))).toEqual([]);
  });

  it('that does not start twice gives way to the former program', async () => {
    const one = updates();
    choose();
    answer(0, 1);
    expect(await one.fromFile()).toBe(false);
    await one.apply();
    const next = updates({ version: '9.0.0' });
    expect([next.begin(), next.begin(), next.begin()]).toEqual([null, null, appImage]);
    expect(readFileSync(appImage, 'latin1')).toBe('old program');
    expect(updates().begin()).toBeNull();
    await updates().tellOutcome(noted);
    expect([said().at(-1), noted.mock.calls.length]).toEqual([expect.stringContaining('failed to start twice'), 1]);
    await updates().tellOutcome(noted);
    expect(noted).toHaveBeenCalledOnce();
  });

  it.each([
    ['that was ended by force before it could is said', false, 'is ready but not installed'],
    ['that the disk refuses is said, and why', true, 'could not be installed. This version stays in use.\n\nENOENT'],
  ])('%s at the next start', async (_what, isApplied, text) => {
    const one = updates();
    choose();
    answer(0, 1);
    await one.fromFile();
    if (isApplied) {
      for (const name of staged()) if (name.endsWith('.AppImage')) rmSync(join(folder(), name));
      await expect(one.apply()).rejects.toThrow('ENOENT');
    }
    await updates().tellOutcome(noted);
    expect([said().at(-1), noted.mock.calls.length]).toEqual([expect.stringContaining(text), 1]);
  });

  describe('with a configuration', () => {
    const rename = (site_name: string): void =>
      configure(directory, (db) => new SettingRepository(db).save({ site_name }));
    const siteName = (): unknown => {
      const db = openDatabases(directory);
      const { site_name } = new SettingRepository(db).all();
      db.close();
      return site_name;
    };

    async function installed() {
      openDatabases(directory).close();
      rename('North field');
      const one = updates();
      choose();
      answer(0, 1);
      await one.fromFile();
      await one.apply();
      return updates({ version: '9.0.0' });
    }

    it('that migrated each database gives way to the former program with the former ones', async () => {
      const next = await installed();
      next.begin();
      rename('South field');
      migrateFurther(directory);
      expect(() => siteName()).toThrow('install the newer program');
      expect([next.begin(), next.begin()]).toEqual([null, appImage]);
      expect(putBack(directory)).toMatchObject({ fault: null, isDecided: true });
      expect(siteName()).toBe('North field');
    });

    it('that migrated measurements without a copy gives way too', async () => {
      const next = await installed();
      migrateFurther(directory);
      for (const name of readdirSync(directory)) if (name.startsWith('measurements.db.')) rmSync(join(directory, name));
      expect([next.begin(), next.begin(), next.begin()]).toEqual([null, null, appImage]);
      putBack(directory);
      expect(siteName()).toBe('North field');
    });

    it('that migrated nothing leaves what was changed since', async () => {
      const next = await installed();
      rename('South field');
      expect([next.begin(), next.begin(), next.begin()]).toEqual([null, null, appImage]);
      expect(putBack(directory).isDecided).toBe(false);
      expect(siteName()).toBe('South field');
    });

    it('is not taken back for starts that a person ended', async () => {
      const next = await installed();
      for (const _ of [1, 2, 3, 4]) {
        expect(next.begin()).toBeNull();
        next.excuse();
      }
      expect([next.begin(), next.begin(), next.begin()]).toEqual([null, null, appImage]);
    });
  });

  it('of a server comes in parts, and goes on where it broke off', async () => {
    const large = Buffer.alloc(9_000_000, 'new program '); // more than one part
    await publish(large);
    const server = await startUpstream(files(1));
    const one = updates({ url: server.origin });
    answer(0);
    expect(await one.check()).toBe(false);
    expect(said()[1]).toContain(words.faults.unreachable);
    expect(staged()).toEqual([expect.stringMatching(/\.partial$/)]);
    server.answer = files();
    server.asked.splice(0);
    answer(0, 1);
    await one.check();
    expect(server.asked.filter((path) => path.endsWith('.AppImage'))).toHaveLength(1);
    expect(await one.apply()).toBe(true);
    expect(readFileSync(appImage).equals(large)).toBe(true);
  });

  it('that waits stays until a newer one is whole, however often the line breaks', async () => {
    const programs = () => staged().filter((name) => name.startsWith('Orangery'));
    const server = await startUpstream(files());
    const one = updates({ url: server.origin });
    answer(0, 1);
    await one.check();
    await publish(Buffer.alloc(9_000_000, 'newer program '), '9.1.0');
    server.answer = files(1);
    answer(0);
    await one.check();
    expect(programs()).toEqual([expect.stringMatching(/9\.0\.0.*AppImage$/), expect.stringMatching(/\.partial$/)]);
    server.answer = files();
    answer(0, 1);
    await one.check();
    expect(programs()).toEqual([expect.stringMatching(/9\.1\.0.*AppImage$/)]);
    expect(await one.apply()).toBe(true);
    expect(statSync(appImage).size).toBe(9_000_000);
  });

  it('is not fetched by who wants it later', async () => {
    choose();
    answer(1);
    expect(await updates().fromFile()).toBe(false);
    expect(staged()).toEqual([]);
  });

  it.each<[keyof typeof words.faults, () => Promise<unknown>]>([
    ['no_source', () => updates().check()],
    ['no_keys', () => updates({ keys: [], url: 'https://localhost:1' }).check()],
    ['no_keys', () => updates({ keys: [] }).fromFile()],
    ['unreachable', () => updates({ url: 'https://localhost:1' }).check()],
    ['unreachable', () => (rmSync(join(release, signatureName)), choose(), updates().fromFile())],
    ['unsigned', () => (choose(), updates({ keys: [other.publicKey] }).fromFile())],
    ['not_newer', () => (choose(), updates({ version: '9.0.0' }).fromFile())],
    ['no_file', () => (vi.stubEnv('APPIMAGE', ''), choose(), updates().fromFile())],
    [
      'damaged',
      () => {
        const [name = ''] = readdirSync(release).filter((one) => one.endsWith('.AppImage'));
        writeFileSync(join(release, name), Buffer.alloc(program.length, 'other'));
        choose();
        answer(0);
        return updates().fromFile();
      },
    ],
    ['disk', () => (writeFileSync(folder(), 'a file in its place'), choose(), answer(0), updates().fromFile())],
  ])('is refused: %s, which is said, and nothing of it is left', async (code, ask) => {
    expect(await ask()).toBe(false);
    expect(said().at(-1)).toContain(words.faults[code]);
    expect(existsSync(folder()) && statSync(folder()).isDirectory() ? staged() : []).toEqual([]);
    expect(readFileSync(appImage, 'latin1')).toBe('old program');
  });

  it('that the system installs is shown, not started', async () => {
    vi.stubEnv('APPIMAGE', '');
    mkdirSync(join(release, 'deb'));
    writeFileSync(
      join(release, 'deb', `orangery_9.0.0_${process.arch === 'arm64' ? 'arm64' : 'amd64'}.deb`),
      'a package',
    );
    await signUpdate(join(release, 'deb'), { version: '9.0.0', key: own.privateKey });
    choose(join(release, 'deb', feedName));
    answer(0, 0);
    const one = updates();
    expect([await one.fromFile(), await one.apply()]).toEqual([false, false]);
    expect(electron.shell.showItemInFolder).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/\.deb$/));
  });
});
