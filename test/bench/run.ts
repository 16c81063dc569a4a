import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { lockHolder } from '../../server/daemon-discovery.ts';
import { freshDataDirectory, removeDataDirectory, startService } from '../support/running-service.ts';
import { makeSimulatedSite, ServiceClient, type SimulatedSite } from '../support/service-client.ts';
import { timeLargeMap, timeMapSaves } from './map-saves.ts';
import { benchMeasurementQueries } from './measurement-queries.ts';
import { timeAuditQueries } from './audit.ts';
import { bindHundred, loadRuntime, timeCapacity, type Load } from './facility.ts';
import { timeIngest, whileIngesting } from './samples.ts';
import { longestWait } from './wait-probe.ts';

/** What was measured, in the words and units of one row of the table. */
interface Figure {
  what: string;
  value: string;
}

const runs = 5;
const largeRuns = 3;

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}

function spread(values: readonly number[], unit: string): string {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return `${Math.round(median(values))} ${unit} (${Math.round(low)} to ${Math.round(high)})`;
}

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
  removeDataDirectory(dataDirectory);
  return [{ what: `start to ready, median of ${runs}`, value: spread(times, 'ms') }];
}

function residentMb(pid: number | null | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

/** What 50 panels ask for together, each four times a second. */
const panelRate = 200;

async function benchRuntime(client: ServiceClient, site: SimulatedSite): Promise<Figure[]> {
  const { unique_id } = site.facility;
  const small = await loadRuntime(client, unique_id);
  await bindHundred(client, site);
  const large = await loadRuntime(client, unique_id);
  const panels = await loadRuntime(client, unique_id, panelRate);
  const row = (what: string, load: Load): Figure => ({
    what,
    value: `${load.requests_per_s} requests/s, p50 ${load.p50_ms} ms, p99 ${load.p99_ms} ms`,
  });
  return [
    row('GET runtime of 7 bindings, 50 TLS connections, all they can', small),
    row('… of 100 bindings', large),
    row('… of 100 bindings, each connection four times a second', panels),
  ];
}

function benchCapacity(): Figure[] {
  const times = Array.from({ length: runs }, timeCapacity);
  const of = (pick: (row: (typeof times)[number]) => number): string => `${median(times.map(pick)).toFixed(3)} ms`;
  return [
    { what: `compute, median of ${runs}`, value: of((row) => row.compute_ms) },
    { what: 'wind rose of 36 directions x 10 speeds', value: of((row) => row.rose_ms) },
  ];
}

/** Samples that are durable with their rollups: many at once of 500 sensors, and one each of many. */
async function benchSamples(): Promise<Figure[]> {
  const dense = await timeIngest({ channels: 500, rounds: 200, period_ms: 1000 });
  const wide = await timeIngest({ channels: 10_000, rounds: 10, period_ms: 1000 });
  return [
    { what: 'samples stored durably with rollups, 500 sensors', value: spread(dense.rates, 'samples/s') },
    { what: '… 10,000 sensors, one sample each a batch', value: spread(wide.rates, 'samples/s') },
    { what: '… on disk', value: `${dense.bytes_a_sample.toFixed(1)} bytes a sample` },
    { what: '… on disk with rollups', value: `${dense.bytes_with_rollups.toFixed(1)} bytes a sample` },
  ];
}

/** What another process that writes 5,000 samples a second to the same disk does to the panels. */
async function benchWhileIngesting(client: ServiceClient, { facility }: SimulatedSite): Promise<Figure[]> {
  const alone: number[] = [];
  const beside: number[] = [];
  let memory_mb = NaN;
  for (let run = 0; run < largeRuns; run += 1) {
    alone.push((await loadRuntime(client, facility.unique_id, panelRate)).p99_ms);
    await whileIngesting(async (pid) => {
      beside.push((await loadRuntime(client, facility.unique_id, panelRate)).p99_ms);
      memory_mb = residentMb(pid);
    });
  }
  const ratio = median(beside) / median(alone);
  return [
    { what: `p99 of these panels beside 5,000 samples/s, median of ${largeRuns}`, value: `${ratio.toFixed(2)} times` },
    { what: '… memory of the process that writes them', value: `${Math.round(memory_mb)} MB` },
  ];
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

async function benchLargeMap(client: ServiceClient): Promise<Figure[]> {
  const rows: Awaited<ReturnType<typeof timeLargeMap>>[] = [];
  const wait = (work: () => Promise<unknown>): Promise<number> => longestWait(client, work);
  for (let run = 0; run < largeRuns; run += 1) rows.push(await timeLargeMap((...sent) => client.ask(...sent), wait));
  const of = (pick: (row: (typeof rows)[number]) => number): string => spread(rows.map(pick), 'ms');
  return [
    { what: `full save of 100,000 features, median of ${largeRuns}`, value: of((row) => row.full_save_ms) },
    { what: '… longest wait of another client meanwhile', value: of((row) => row.wait_at_save_ms) },
    { what: 'full load of that map', value: of((row) => row.full_load_ms) },
    { what: '… longest wait of another client meanwhile', value: of((row) => row.wait_at_load_ms) },
    { what: 'delta of 100 on it', value: of((row) => row.small_delta_ms) },
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
    const site = await makeSimulatedSite(client);
    const memory = (): string =>
      `${Math.round(residentMb(service.process.pid))} / ${Math.round(residentMb(lockHolder(service.dataDirectory)))} MB`;
    const idle = memory();
    const figures = [
      ...(await benchRuntime(client, site)),
      ...(await benchWhileIngesting(client, site)),
      ...(await benchMaps(client)),
      ...(await benchLargeMap(client)),
    ];
    figures.push({ what: 'memory of server / daemon, at rest', value: idle });
    figures.push({ what: '… after all of the above', value: memory() });
    client.close();
    return figures;
  } finally {
    await service.stop();
    removeDataDirectory(service.dataDirectory);
  }
}

const figures = [
  ...(await benchStart()),
  ...(await benchSamples()),
  ...(await benchMeasurementQueries()),
  ...(await benchService()),
  ...benchAudit(),
  ...benchCapacity(),
];
console.log(`\nNode ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? 'processor'}\n`);
console.log('| what | figure |\n| --- | --- |');
for (const { what, value } of figures) console.log(`| ${what} | ${value} |`);
