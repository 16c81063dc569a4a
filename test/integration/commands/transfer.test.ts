import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createServer } from 'node:https';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { expect, it, onTestFinished } from 'vitest';
import { run } from '../../../server/cli.ts';
import { mostSiteFileBytes } from '../../../server/contract/site-file.ts';
import { testFolder } from '../../support/database.ts';
import { loopbackCertificate } from '../../support/loopback-certificate.ts';
import { LanClient } from '../../support/lan-client.ts';
import { mycodoHouse, writeMycodo } from '../../support/mycodo.ts';
import { addAccount } from '../../support/service-accounts.ts';
import { dataFolder, launchService } from '../../support/service-process.ts';

it(
  'devices go from Mycodo into a running service, and from there into a file and back',
  { timeout: 60_000 },
  async () => {
    const directory = dataFolder();
    const key = await addAccount(directory);
    const service = launchService({ dataDirectory: directory });
    const url = await service.ready();
    const orangery = async (line: string, stdin = key) => {
      const said = { out: [] as string[], err: [] as string[] };
      const code = await run(line.split(' '), {
        env: { ORANGERY_DATA_DIR: directory, ORANGERY_HTTPS_PORT: new URL(url).port },
        stdin: Readable.from([stdin]),
        stdout: (text) => said.out.push(text),
        stderr: (text) => said.err.push(text),
      });
      return { code, ...said };
    };
    const mycodo = writeMycodo(join(testFolder(), 'mycodo.db'), mycodoHouse);

    const looked = await orangery(`import ${mycodo} --dry-run --key-stdin`);
    expect(looked).toMatchObject({ code: 0, err: [] });
    expect(looked.out).toContain('would make  input Bench');
    const taken = await orangery(`import ${mycodo} --key-stdin`);
    expect(taken.out.at(-1)).toBe('4 made, none of them activated, 0 refused');
    expect(taken.out).toContainEqual(expect.stringMatching(/^left out {2}input Air: there is no driver for DHT22/));

    const client = new LanClient({ url, dataDirectory: directory, key });
    expect((await client.get('/api/settings/inputs')).body).toMatchObject({
      inputs: [{ name: 'Bench', is_activated: false }],
    });
    client.close();

    const exported = await orangery('export --key-stdin');
    const file = join(testFolder(), 'devices.json');
    writeFileSync(file, exported.out.join('\n'));
    const again = await orangery(`import ${file} --key-stdin --json`);
    expect(JSON.parse(again.out[0] ?? '')).toMatchObject({ is_dry_run: false, refused: [], left_out: [] });

    const whole = await orangery('export site --key-stdin');
    expect(whole.out.join('\n')).toContain('"format": "orangery-site"');
    const siteFile = join(testFolder(), 'site.json');
    writeFileSync(siteFile, whole.out.join('\n'));
    const here = await orangery(`import ${siteFile} --key-stdin`);
    expect(here).toMatchObject({ code: 0, err: [] });
    expect(here.out).toContain('is here  input Bench');
    expect(here.out.at(-1)).toBe('0 made, none of them activated, 0 refused');
    const copied = await orangery(`import ${siteFile} --copies --dry-run --key-stdin --json`);
    expect(JSON.parse(copied.out[0] ?? '')).toMatchObject({ is_dry_run: true, refused: [], kept: [] });
    expect((await orangery(`import ${file} --copies --key-stdin`)).code).toBe(2);
    expect((await orangery('export maps --key-stdin')).code).toBe(2);

    expect(await orangery('export --key-stdin', 'a key of nobody')).toMatchObject({ code: 1, out: [] });
    expect((await orangery('export')).code).toBe(2);
    service.child.kill('SIGTERM');
    await service.ended;
    expect((await orangery('export --key-stdin')).code).toBe(3);
  },
);

const file = JSON.stringify({
  ...{ format: 'orangery-devices', version: 1, made_at: '2026-11-23T03:00:00.000Z', program_version: '0', entries: [] },
});

/** Sends an empty file to what listens on 127.0.0.1 alone and answers so. */
async function sentTo(answer: (response: ServerResponse) => void): Promise<{ code: number; err: string[] }> {
  const { key, cert, ca } = await loopbackCertificate();
  const directory = testFolder();
  mkdirSync(join(directory, 'tls'));
  writeFileSync(join(directory, 'tls', 'ca.crt'), ca);
  const server = createServer({ key, cert }, (_asked, response) => answer(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const path = join(directory, 'devices.json');
  writeFileSync(path, file);
  return imported(path, { directory, port: (server.address() as AddressInfo).port });
}

async function imported(path: string, { directory, port }: { directory: string; port: number }) {
  const err: string[] = [];
  const env = { ORANGERY_DATA_DIR: directory, ORANGERY_HTTPS_PORT: `${port}`, ORANGERY_HOST: '127.0.0.1' };
  const terminal = {
    env,
    stdin: Readable.from(['a key']),
    stdout: () => undefined,
    stderr: (line: string) => err.push(line),
  };
  return { code: await run(['import', path, '--key-stdin'], terminal), err };
}

it('a connection that breaks once the file was sent says that it may have been taken in part', async () => {
  const { code, err } = await sentTo((response) => response.destroy());
  expect([code, err]).toEqual([1, [expect.stringContaining('may have been taken in part')]]);
});

it('an answer that is no JSON is said in words', async () => {
  const { code, err } = await sentTo((response) => response.writeHead(502).end('<html>'));
  expect([code, err]).toEqual([
    1,
    [expect.stringMatching(/127\.0\.0\.1:\d+ answered 502, and not as this program does/)],
  ]);
});

it('an address where nobody listens is told from that', async () => {
  const { ca } = await loopbackCertificate();
  const directory = testFolder();
  mkdirSync(join(directory, 'tls'));
  writeFileSync(join(directory, 'tls', 'ca.crt'), ca);
  const path = join(directory, 'devices.json');
  writeFileSync(path, file);
  expect(await imported(path, { directory, port: 1 })).toMatchObject({ code: 3 });
  truncateSync(path, mostSiteFileBytes + 1_000_000);
  expect(await imported(path, { directory, port: 1 })).toMatchObject({ code: 1, err: [expect.stringContaining('larger than 10 MB')] }); // prettier-ignore
});
