import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { isIPv6, type AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { zipSync } from 'fflate';
import { Client, FormData } from 'undici';
import type { Cadastre } from '../../server/contract/cadastre.ts';
import type { Job } from '../../server/contract/job.ts';
import { isAllowed } from '../../server/outbound/address-policy.ts';
import { writeMbTiles } from '../support/mbtiles.ts';
import { geoJsonOf, type ParcelRow } from '../support/parcel-files.ts';
import { pixel } from '../support/providers.ts';
import { freshDataDirectory, removeDataDirectory, startService } from '../support/running-service.ts';
import { ServiceClient } from '../support/service-client.ts';
import { median, percentile, type Figure } from './figure.ts';
import { load, type Load, type TileTarget } from './tile-load.ts';
import { longestWait } from './wait-probe.ts';

const tileBytes = 20_000;
const parcels = 100_000;
const searches = 200;
/** What many screens that look at maps at once ask for, tiles/s. */
const asked_per_s = 3_000;
/** One key is answered 300 readings a second: this many devices look at the map, a connection each. */
const devices = 16;
const rounds = 3;
const round_s = 2;

/**
 * What maps and parcels of this machine take: tiles beside a server that does nothing else, an import and its searches.
 */
export async function benchOutside(): Promise<Figure[]> {
  const dataDirectory = freshDataDirectory();
  mkdirSync(join(dataDirectory, 'base-maps'));
  const data = Buffer.concat([pixel, Buffer.alloc(tileBytes - pixel.length)]);
  writeMbTiles(join(dataDirectory, 'base-maps/farm.mbtiles'), { tiles: [[2, 1, 0, data]] });
  const service = await startService({ dataDirectory, env: { ORANGERY_LOG_LEVEL: 'warn' } });
  try {
    const client = await ServiceClient.setUp(service);
    const figures = [...(await benchTiles(client, data)), ...(await benchCadastre(client))];
    client.close();
    return figures;
  } finally {
    await service.stop();
    removeDataDirectory(dataDirectory);
  }
}

/**
 * Ours and one that does nothing else in turns, so that whatever else the machine does meets both; medians of the
 * rounds.
 */
async function benchTiles(client: ServiceClient, data: Buffer): Promise<Figure[]> {
  const relayed = await relayedTile(client, data);
  const plain = fork(join(import.meta.dirname, 'plain-tile-server.ts'), [String(tileBytes)]);
  const [{ url, ca }] = (await once(plain, 'message')) as [{ url: string; ca: string }]; // what it sends
  const keys = await Promise.all(Array.from({ length: devices }, () => keyOf(client)));
  const own: TileTarget = {
    url: `${client.url}/api/geo/base_maps/farm/2/1/3`,
    ca: client.ca,
    keys,
    bodyBytes: tileBytes,
  };
  const targets = [own, { ...own, url: relayed }, { ...own, url, ca }];
  const rates = [undefined, asked_per_s];
  const taken = rates.map(() => targets.map((): Load[] => []));
  try {
    for (const target of targets) await load(target, round_s); // both are compiled by then
    for (let round = 0; round < rounds; round += 1) {
      for (const [at, rate] of rates.entries()) {
        for (const [of, target] of targets.entries()) taken[at]?.[of]?.push(await load(target, round_s, rate));
      }
    }
  } finally {
    plain.kill();
  }
  const [[file = [], kept = [], plainFree = []] = [], [fileAsked = [], keptAsked = [], plainAsked = []] = []] = taken;
  const each = `tiles of 20 kB over TLS, ${devices} connections`;
  return [
    { what: `${each}, each as fast as it can: of a map file`, value: told(file) },
    { what: '… of an outside service, from the cache', value: told(kept) },
    { what: '… of a server that does nothing else', value: told(plainFree) },
    { what: `${each}, ${asked_per_s.toLocaleString('en')} a second asked for: of a map file`, value: told(fileAsked) },
    { what: '… of an outside service, from the cache', value: told(keptAsked) },
    { what: '… of a server that does nothing else', value: told(plainAsked) },
  ];
}

/** The address of a tile that a server of the farm gave once: from then on it comes from the cache. */
async function relayedTile(client: ServiceClient, data: Buffer): Promise<string> {
  const host = lanAddress();
  if (host === undefined) throw new Error('this machine has no address in a local network to relay from');
  const server = createServer((_, response) => response.writeHead(200, { 'content-type': 'image/png' }).end(data));
  server.listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on TCP
  const template = {
    id: 'bench',
    name: 'Bench',
    url: `http://${isIPv6(host) ? `[${host}]` : host}:${port}/{z}/{x}/{y}.png`,
    attribution: 'Bench',
  };
  await client.ask('POST', '/api/geo/settings', { providers: { tiles: { enabled: true, templates: [template] } } });
  const path = '/api/geo/tile_proxy?layer=bench&z=2&x=1&y=3';
  const { status } = await client.ask('GET', path);
  server.close();
  if (status !== 200) throw new Error(`the tile was answered with ${status}`);
  return `${client.url}${path}`;
}

/** Loopback may not be asked. */
function lanAddress(): string | undefined {
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return all.map(({ address }) => address).find((address) => isAllowed(address, 'lan'));
}

function told(loads: readonly Load[]): string {
  const of = (pick: (load: Load) => number): number => median(loads.map(pick));
  const { per_s, p50, p99 } = {
    per_s: of((one) => one.per_s),
    p50: of((one) => one.p50_ms),
    p99: of((one) => one.p99_ms),
  };
  return `${Math.round(per_s).toLocaleString('en')} tiles/s, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;
}

async function keyOf(client: ServiceClient): Promise<string> {
  const { body } = await client.ask('GET', '/api/auth/session');
  const { user } = body as { user: { unique_id: string } }; // the session of a key
  const made = await client.ask('POST', `/api/settings/users/${user.unique_id}/api_keys`, { name: 'panel' });
  return (made.body as { key: string }).key; // a new key
}

async function benchCadastre(client: ServiceClient): Promise<Figure[]> {
  const bytes = Buffer.from(zipSync({ 'parcels.geojson': geoJsonOf(Array.from({ length: parcels }, rowOf)) }));
  let importMs = 0;
  const waitMs = await longestWait(client, async () => {
    const from = performance.now();
    await importParcels(client, bytes);
    importMs = performance.now() - from;
  });
  return [
    {
      what: `import of ${parcels.toLocaleString('en')} parcels, upload included`,
      value: `${(importMs / 1000).toFixed(1)} s`,
    },
    { what: '… longest wait of another client meanwhile', value: `${waitMs} ms` },
    { what: '… finding one of them by its address, over TLS', value: await searchTimes(client, 'address') },
    { what: '… by its number', value: await searchTimes(client, 'PNU') },
  ];
}

async function searchTimes(client: ServiceClient, property: string): Promise<string> {
  const times: number[] = [];
  for (let run = 0; run < searches; run += 1) {
    const address = rowOf(null, (run * 7919) % parcels).properties[property];
    const from = performance.now();
    const { status } = await client.ask('POST', '/api/geo/parcel/from_address', { address });
    times.push(performance.now() - from);
    if (status !== 200) throw new Error(`a search was answered with ${status}`);
  }
  return [50, 99].map((percent) => `p${percent} ${percentile(times, percent).toFixed(1)} ms`).join(', ');
}

function rowOf(_: unknown, at: number): ParcelRow {
  const [village, lot, part] = [Math.floor(at / 1_000), Math.floor((at % 1_000) / 4) + 1, (at % 4) + 1];
  return {
    corner: [126.5 + (at % 400) / 1_000, 36.5 + Math.floor(at / 400) / 1_000],
    side: 0.0004,
    properties: {
      address: `경기도 화성시 송산면 제${village}리 ${lot}-${part}대`,
      PNU: `41590${String(at).padStart(14, '0')}`,
    },
  };
}

async function importParcels({ url, key, ca }: ServiceClient, bytes: Buffer): Promise<void> {
  const connection = new Client(url, { connect: { ca } });
  const headers = { accept: 'application/vnd.orangery.v1+json', 'x-api-key': key };
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)]), 'parcels.zip');
  const path = '/api/geo/cadastres?name=Bench';
  const begun = await connection.request({ method: 'POST', path, headers, body: form });
  const { job_id } = (await begun.body.json()) as { job_id: string }; // a job that began
  for (;;) {
    const answer = await connection.request({ method: 'GET', path: `/api/jobs/${job_id}`, headers });
    const { status, result } = (await answer.body.json()) as Job; // as declared
    if (status === 'done' && (result as Cadastre).parcel_count === parcels) break; // what an import gives
    if (status !== 'running') throw new Error(`the import ended as ${status}`);
    await delay(50);
  }
  await connection.close();
}
