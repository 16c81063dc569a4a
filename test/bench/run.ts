import { cpus } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { lockHolder } from '../../server/supervision/discovery.ts';
import { LanClient } from '../support/lan-client.ts';
import { freshDataDirectory, removeDataDirectory, startService } from '../support/running-service.ts';
import { makeSimulatedSite, ServiceClient } from '../support/service-client.ts';
import { timeAuditQueries } from './audit.ts';
import { benchClimate } from './climate.ts';
import { benchCommissioning } from './commissioning.ts';
import { benchControl } from './control.ts';
import { benchDaemon } from './daemon.ts';
import { benchFacility } from './facility.ts';
import { benchFairness } from './fairness.ts';
import { isBeyond, median, spread, type Figure } from './figure.ts';
import { timeLargeMap, timeMapSaves } from './map-saves.ts';
import { benchMapView } from './map-view.ts';
import { benchMeasurement } from './measurement.ts';
import { benchPackage } from './package.ts';
import { benchPage } from './page.ts';
import { benchPipes } from './pipes.ts';
import { benchOutside } from './outside.ts';
import { benchScene } from './scene.ts';
import { benchSetup } from './setup.ts';
import { residentMb } from './resident.ts';
import { longestWait, waits, type Probe } from './wait-probe.ts';

const runs = 5;
const largeRuns = 3;

/** From the command to the line that says ready, with a data directory that is there already. */
async function benchStart(): Promise<Figure[]> {
  const dataDirectory = freshDataDirectory();
  const times: number[] = [];
  for (let run = 0; run <= runs; run += 1) {
    const from = performance.now();
    const service = await startService({ dataDirectory });
    if (run > 0) times.push(performance.now() - from);
    await service.stop();
  }
  const returnedMs = await timeReturn(dataDirectory);
  removeDataDirectory(dataDirectory);
  return [
    { what: `start to ready, median of ${runs}`, value: spread(times, 'ms') },
    {
      what: `kill -9 of the daemon to the next one that controls, median of ${largeRuns}`,
      value: spread(returnedMs, 'ms'),
    },
  ];
}

/** Each kill meets a service that has just started: one whose daemon died often waits longer before it tries again. */
async function timeReturn(dataDirectory: string): Promise<number[]> {
  const times: number[] = [];
  for (let run = 0; run < largeRuns; run += 1) {
    const service = await startService({ dataDirectory });
    const client = new LanClient(service);
    const daemon = lockHolder(dataDirectory);
    if (typeof daemon !== 'number') throw new Error('the service has no daemon');
    const from = performance.now();
    process.kill(daemon, 'SIGKILL');
    for (const status of [503, 200]) while ((await client.get('/api/health')).status !== status) await pause(5);
    times.push(performance.now() - from);
    client.close();
    await service.stop();
  }
  return times;
}

async function benchMaps(client: ServiceClient): Promise<Figure[]> {
  const rows: Awaited<ReturnType<typeof timeMapSaves>>[] = [];
  for (let run = 0; run < runs; run += 1) rows.push(await timeMapSaves((...sent) => client.ask(...sent)));
  const of = (pick: (row: (typeof rows)[number]) => number): string => spread(rows.map(pick), 'ms');
  return [
    { what: `full save of 10,000 features, median of ${runs}`, value: of((row) => row.full_save_ms) },
    { what: '… the same again, unchanged', value: of((row) => row.unchanged_save_ms) },
    { what: 'delta of 10,000 modified features', value: of((row) => row.delta_save_ms) },
    { what: 'delta of 100 on that map', value: of((row) => row.small_delta_ms) },
    { what: 'reading that map', value: of((row) => row.read_ms) },
  ];
}

/** A setting, and a feature on a map of its own. */
function smallWrites(geo_id: string): Probe[] {
  const feature = {
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [127, 37] },
    properties: { type: 'label', name: 'turn' },
  };
  return [
    { method: 'POST', path: '/api/geo/settings', body: { site_name: 'turn' } },
    { method: 'POST', path: '/api/geo/overlays/delta', body: { geo_id, added: [feature] } },
  ];
}

async function benchLargeMap(client: ServiceClient): Promise<Figure[]> {
  const rows: Awaited<ReturnType<typeof timeLargeMap>>[] = [];
  const wait: Parameters<typeof timeLargeMap>[1] = {
    longest: (work) => longestWait(client, work),
    ofWrites: (geo_id, work) => waits(client, smallWrites(geo_id), work),
  };
  for (let run = 0; run < largeRuns; run += 1) rows.push(await timeLargeMap((...sent) => client.ask(...sent), wait));
  const of = (pick: (row: (typeof rows)[number]) => number): string => spread(rows.map(pick), 'ms');
  return [
    { what: `full save of 100,000 features, median of ${largeRuns}`, value: of((row) => row.full_save_ms) },
    { what: '… longest wait of another client meanwhile', value: of((row) => row.wait_at_save_ms) },
    { what: 'the same beside small writes of another client', value: of((row) => row.watched_save_ms) },
    { what: '… median of those writes', value: of((row) => median(row.small_writes_ms)) },
    { what: '… longest of them', value: of((row) => Math.max(...row.small_writes_ms)) },
    { what: 'full load of that map', value: of((row) => row.full_load_ms) },
    { what: '… longest wait of another client meanwhile', value: of((row) => row.wait_at_load_ms) },
    { what: 'delta of 100 on it', value: of((row) => row.small_delta_ms) },
    { what: 'delta of 100,000 modified features', value: of((row) => row.full_delta_ms) },
    { what: 'list of designs', value: of((row) => row.list_ms) },
  ];
}

function benchAudit(): Figure[] {
  const times = timeAuditQueries();
  const slowest = Math.max(
    ...[times.newest_ms, times.by_kind_ms, times.by_user_ms, times.by_kind_and_user_ms],
    ...[times.by_time_ms, times.deep_page_ms],
  );
  return [
    {
      what: `audit of ${times.records.toLocaleString('en')} records, newest page`,
      value: `${times.newest_ms.toFixed(1)} ms`,
    },
    { what: '… slowest page of any filter', value: `${slowest.toFixed(1)} ms` },
  ];
}

async function benchService(): Promise<Figure[]> {
  const service = await startService({ env: { ORANGERY_LOG_LEVEL: 'warn' } });
  try {
    const client = await ServiceClient.setUp(service);
    await makeSimulatedSite(client);
    const memory = (): string =>
      `${Math.round(residentMb(service.process.pid))} / ${Math.round(residentMb(lockHolder(service.dataDirectory)))} MB`;
    const idle = memory();
    const figures = [...(await benchMaps(client)), ...(await benchLargeMap(client))];
    figures.push({ what: 'memory of server / daemon, at rest', value: idle });
    figures.push({ what: '… after all of the above', value: memory() });
    client.close();
    return figures;
  } finally {
    await service.stop();
    removeDataDirectory(service.dataDirectory);
  }
}

const groups: Record<string, () => Figure[] | Promise<Figure[]>> = {
  start: benchStart,
  setup: benchSetup,
  package: benchPackage,
  measurement: benchMeasurement,
  facility: benchFacility,
  climate: benchClimate,
  commissioning: benchCommissioning,
  daemon: benchDaemon,
  control: benchControl,
  service: benchService,
  fairness: benchFairness,
  audit: benchAudit,
  outside: benchOutside,
  pipes: benchPipes,
  page: benchPage,
  scene: benchScene,
  map: benchMapView,
};

const named = process.argv.slice(2);
const unknown = named.find((name) => !Object.hasOwn(groups, name));
if (unknown !== undefined) throw new Error(`${unknown} is none of ${Object.keys(groups).join(', ')}`);
const figures: Figure[] = [];
for (const [name, bench] of Object.entries(groups)) {
  if (named.length > 0 && !named.includes(name)) continue;
  try {
    figures.push(...(await bench()));
  } catch (error) {
    console.error(`${name} ended early:`, error); // the others are measured all the same
    process.exitCode = 1;
  }
}
console.log(`\nNode ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? 'processor'}\n`);
console.log('| what | figure | at most |\n| --- | --- | --- |');
for (const figure of figures) {
  const { what, value, limit } = figure;
  const most = limit === undefined ? '' : `${limit.most} ${limit.unit}${isBeyond(figure) ? ', exceeded' : ''}`;
  console.log(`| ${what} | ${value} | ${most} |`);
}
if (figures.some(isBeyond)) process.exitCode = 1;
