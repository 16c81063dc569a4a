import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createServer } from 'node:https';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { expect, it, onTestFinished } from 'vitest';
import { run } from '../../../server/cli.ts';
import type { Input } from '../../../server/contract/input.ts';
import { mostSiteFileBytes } from '../../../server/contract/site-file.ts';
import { freePort } from '../../support/daemon-process.ts';
import { testFolder } from '../../support/database.ts';
import { loopbackCertificate } from '../../support/loopback-certificate.ts';
import { LanClient } from '../../support/lan-client.ts';
import { hasInflux, startInflux } from '../../support/influx.ts';
import { mycodoHouse, writeMycodo, type MycodoRows } from '../../support/mycodo.ts';
import { addAccount } from '../../support/service-accounts.ts';
import { dataFolder, launchService } from '../../support/service-process.ts';

it(
  'devices go from Mycodo into a running service, and from there into a file and back',
  { timeout: 60_000 },
  async () => {
    const directory = dataFolder();
    const key = await addAccount(directory);
    const daemonPort = String(await freePort());
    const service = launchService({ dataDirectory: directory, env: { ORANGERY_DAEMON_PORT: daemonPort } });
    const url = await service.ready();
    const orangery = async (line: string, stdin = key) => {
      const said = { out: [] as string[], err: [] as string[] };
      const code = await run(line.split(' '), {
        env: {
          ORANGERY_DATA_DIR: directory,
          ORANGERY_DAEMON_PORT: daemonPort,
          ORANGERY_HTTPS_PORT: new URL(url).port,
        },
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
    if (hasInflux()) await takeHistory(mycodo, { orangery, client });
    client.close();

    const exported = await orangery('export --key-stdin');
    expect(exported.out).toHaveLength(1); // as short as it can be: what takes it has a limit
    const file = join(testFolder(), 'devices.json');
    writeFileSync(file, exported.out.join('\n'));
    const again = await orangery(`import ${file} --key-stdin --json`);
    expect(JSON.parse(again.out[0] ?? '')).toMatchObject({ is_dry_run: false, refused: [], left_out: [] });

    const whole = await orangery('export site --key-stdin');
    expect(whole.out.join('\n')).toContain('"format":"orangery-site"');
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

interface Used {
  orangery: (line: string, stdin?: string) => Promise<{ code: number; out: string[]; err: string[] }>;
  client: LanClient;
}

/**
 * What the thermometer measured there, over more than a page, in degrees Fahrenheit as its owner had them converted.
 */
async function takeHistory(mycodo: string, { orangery, client }: Used): Promise<void> {
  const influx = await startInflux('mycodo_db');
  if (influx === null) throw new Error('influxd does not start');
  onTestFinished(() => influx.stop());
  const [bench, air] = mycodoHouse['input'] ?? [];
  const fromMs = Date.parse('2026-11-20T00:00:00Z');
  const at = (n: number): number => fromMs + n * 15_000;
  await influx.write([
    ...Array.from({ length: 5_200 }, (_, n) => lineOf(bench, n === 5_100 ? 212 : 68, at(n))),
    lineOf(air, 1, at(0)),
    `F,device_id=${bench?.['unique_id']},channel=1 value=1 ${at(1)}`,
  ]);
  const line = `measurements import ${mycodo} --influx ${influx.url}`;
  for (const _twice of [1, 2]) {
    const { code, out } = await orangery(line);
    expect([code, out]).toEqual([
      0,
      ['took  Bench, temperature: 5200 samples', 'left out  Air, temperature: no input here has its name'],
    ]);
  }
  const { inputs } = (await client.get('/api/settings/inputs')).body as { inputs: Input[] }; // as its contract has it
  const series = `series=${inputs[0]?.unique_id}/${inputs[0]?.channels[0]?.measurement_id}`;
  const span = `from=${new Date(at(0)).toISOString()}&to=${new Date(at(5_200)).toISOString()}`;
  const { body } = await client.get(
    `/api/measurements/aggregated?${series}&${span}&bucket=month&aggregates=count,min,max`,
  );
  expect(body).toMatchObject({ series: [{ unit: 'C', count: [5200], min: [20], max: [100] }] });
  const told = await orangery(`${line} --json`);
  expect([told.err, JSON.parse(told.out[0] ?? '')]).toMatchObject([[], { taken: [{ stored: 5200, refused: 0 }] }]);
  const elsewhere = await orangery(`${line} --database other`);
  expect(elsewhere).toMatchObject({ code: 1, err: [expect.stringContaining('database not found')] });
  expect(await orangery(`measurements import ${mycodo} --influx http://127.0.0.1:1`)).toMatchObject({ code: 1 });
  expect(await orangery(`${line} --daemon-port 1`)).toMatchObject({ code: 3 });
  expect((await orangery(`measurements import ${mycodo}`)).code).toBe(2);
  const [letter, empty] = [join(testFolder(), 'letter.txt'), join(testFolder(), 'empty.db')];
  writeFileSync(letter, 'Dear bank');
  writeFileSync(empty, '');
  for (const [file, said] of [
    [letter, 'file is not a database'],
    [empty, 'holds no inputs'],
  ] as const)
    expect(await orangery(`measurements import ${file} --influx ${influx.url}`)).toMatchObject({
      code: 1,
      err: [expect.stringContaining(said)],
    });
}

/** As Mycodo writes it: its unit names the measurement, tags the channel. */
function lineOf(input: MycodoRows[string][number] | undefined, value: number, timeMs: number): string {
  return `F,device_id=${input?.['unique_id']},channel=0,measure=temperature value=${value} ${timeMs}`;
}

const file = JSON.stringify({
  format: 'orangery-devices',
  version: 1,
  made_at: '2026-11-23T03:00:00.000Z',
  program_version: '0',
  entries: [],
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
