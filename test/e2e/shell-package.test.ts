import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extractAll } from '@electron/asar';
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildIfNeeded } from '../support/built.ts';
import { LanClient } from '../support/lan-client.ts';
import { dataFolder, launchService, processesOf } from '../support/service-process.ts';

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'orangery-package-'));
const unpacked = join(folder, 'app');
const output = join(folder, `linux${process.arch === 'x64' ? '' : `-${process.arch}`}-unpacked`);

/**
 * What a binary of Electron carries for its fuses: a mark, the version, how many there are, and each as it is shipped.
 */
const shippedFuses = '101011010';
const fuseWire = `dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX\x01${String.fromCharCode(shippedFuses.length)}${shippedFuses}`;

/** A folder that looks like Electron's to the packager: what is packed around it is ours. */
function standInForElectron(): string {
  const electron = join(folder, 'electron');
  mkdirSync(join(electron, 'resources'), { recursive: true });
  mkdirSync(join(electron, 'locales'));
  for (const name of ['LICENSE', 'LICENSES.chromium.html', 'chrome-sandbox', 'electron', 'locales/en-US.pak']) {
    writeFileSync(join(electron, name), '');
  }
  writeFileSync(join(electron, 'electron'), fuseWire);
  chmodSync(join(electron, 'electron'), 0o755);
  return electron;
}

function filesOf(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' });
}

describe.runIf(process.platform === 'linux')('the package for Linux', () => {
  beforeAll(() => {
    buildIfNeeded();
    const cli = createRequire(import.meta.url).resolve('electron-builder/cli.js');
    const packed = spawnSync(
      process.execPath,
      [
        cli,
        '--linux',
        'dir',
        '--config',
        'build/electron-builder.json',
        `-c.electronDist=${standInForElectron()}`,
        `-c.directories.output=${folder}`,
      ],
      { cwd: root, encoding: 'utf8' },
    );
    expect(packed.status, packed.stdout + packed.stderr).toBe(0);
    extractAll(join(output, 'resources/app.asar'), unpacked);
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('has what runs, and no sources, maps or native builds of other machines', () => {
    for (const name of [
      'package.json',
      'LICENSE',
      'dist/main/index.js',
      'dist/preload/index.cjs',
      'dist/renderer/index.html',
    ])
      expect(existsSync(join(unpacked, name)), name).toBe(true);
    const files = filesOf(unpacked);
    expect(files.filter((name) => /\.(map|ts|vue|c|cc|cpp|gyp)$/.test(name))).toEqual([]);
    const natives = files.filter((name) => name.endsWith('.node'));
    expect(natives.length).toBeGreaterThan(0);
    expect(natives.filter((name) => !name.includes(`linux-${process.arch}`))).toEqual([]);
  });

  it('runs nothing but itself: as no Node, by no variable, under no debugger, from its archive alone', async () => {
    const binary = join(output, 'orangery-desktop');
    const wire = await getCurrentFuseWire(binary);
    const isOn = (fuse: FuseV1Options): boolean => wire[fuse] === FuseState.ENABLE;
    expect({
      node: isOn(FuseV1Options.RunAsNode),
      variables: isOn(FuseV1Options.EnableNodeOptionsEnvironmentVariable),
      debugger: isOn(FuseV1Options.EnableNodeCliInspectArguments),
      fileProtocol: isOn(FuseV1Options.GrantFileProtocolExtraPrivileges),
      archiveAlone: isOn(FuseV1Options.OnlyLoadAppFromAsar),
      archiveWhole: isOn(FuseV1Options.EnableEmbeddedAsarIntegrityValidation),
      cookies: isOn(FuseV1Options.EnableCookieEncryption),
    }).toEqual({
      node: false,
      variables: false,
      debugger: false,
      fileProtocol: false,
      archiveAlone: true,
      archiveWhole: true,
      cookies: true,
    });
  });

  it('says of which packages it is made, and shows its symbol', () => {
    const bill = JSON.parse(readFileSync(join(unpacked, 'dist/renderer/sbom.cdx.json'), 'utf8')) as {
      bomFormat: string;
      components: { name: string; licenses?: unknown[] }[];
    };
    expect(bill.bomFormat).toBe('CycloneDX');
    const names = bill.components.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['better-sqlite3', 'koa', 'vue', 'leaflet', 'zod', 'serialport']));
    expect(names).not.toEqual(expect.arrayContaining(['vitest']));
    expect(bill.components.filter(({ licenses }) => licenses === undefined)).toEqual([]);
    for (const name of ['tray.png', 'tray@2x.png', 'tray-alarm.png', 'tray-alarm@2x.png']) {
      expect(existsSync(join(unpacked, 'dist/icons', name)), name).toBe(true);
    }
  });

  it('has a service that starts, serves the pages and stops', async () => {
    const dataDirectory = dataFolder();
    const service = launchService({ dataDirectory, entry: join(unpacked, 'dist/main/main.js') });
    const client = new LanClient({ url: await service.ready(), dataDirectory });
    expect((await client.get('/api/health')).body).toEqual({ status: 'up' });
    const page = await client.request('GET', '/', { headers: { accept: 'text/html' } });
    expect(page.headers['content-type']).toMatch(/^text\/html/);
    const description = await client.request('GET', '/api', { headers: { accept: 'text/html' } });
    expect(description.status).toBe(200);
    client.close();
    service.child.kill('SIGTERM');
    expect(await service.ended).toBe(0);
    expect(processesOf(dataDirectory)).toEqual([]);
  });
});
