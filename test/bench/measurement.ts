import { lockHolder } from '../../server/supervision/discovery.ts';
import { freshDataDirectory, removeDataDirectory, startService } from '../support/running-service.ts';
import { makeSimulatedSite, ServiceClient } from '../support/service-client.ts';
import { bindHundred } from './facility.ts';
import { median, spread, type Figure } from './figure.ts';
import { benchMeasurementQueries } from './measurement-queries.ts';
import { askAsPanels } from './panels.ts';
import { residentMb } from './resident.ts';
import { measureFast, timeIngest, whileIngesting } from './samples.ts';

const loadRuns = 3;

/** The measurement store: writing, reading, and what it costs the rest. */
export async function benchMeasurement(): Promise<Figure[]> {
  return [...(await benchSamples()), ...(await benchMeasurementQueries()), ...(await benchWhileIngesting())];
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

/**
 * What 5,000 samples a second do to 50 panels: written by another process to the same disk, and measured by the daemon
 * itself.
 */
async function benchWhileIngesting(): Promise<Figure[]> {
  const dataDirectory = freshDataDirectory();
  const service = await startService({ dataDirectory, env: { ORANGERY_LOG_LEVEL: 'warn' } });
  try {
    const client = await ServiceClient.setUp(service);
    const site = await makeSimulatedSite(client);
    await bindHundred(client, site);
    const p99 = async (): Promise<number> => (await askAsPanels(client, site.facility.unique_id, 4)).p99_ms;
    const [alone, beside, within]: [number[], number[], number[]] = [[], [], []];
    const memory = { writer: NaN, daemon: NaN };
    await p99(); // warms up
    for (let run = 0; run < loadRuns; run += 1) {
      alone.push(await p99());
      await whileIngesting(async (pid) => {
        beside.push(await p99());
        memory.writer = residentMb(pid);
      });
      await measureFast(client, async () => {
        within.push(await p99());
        memory.daemon = residentMb(lockHolder(dataDirectory));
      });
    }
    client.close();
    const ratio = (loaded: readonly number[]): string =>
      `${(median(loaded) / median(alone)).toFixed(2)} times (${median(alone).toFixed(1)} ms, then ${median(loaded).toFixed(1)} ms)`;
    const what = `p99 of 50 panels, each four times a second, beside 5,000 samples/s, median of ${loadRuns}`;
    return [
      { what, value: ratio(beside) },
      { what: '… that the daemon itself measures', value: ratio(within) },
      { what: '… memory of a process that only writes them', value: `${Math.round(memory.writer)} MB` },
      { what: '… memory of the daemon that measures them', value: `${Math.round(memory.daemon)} MB` },
    ];
  } finally {
    await service.stop();
    removeDataDirectory(dataDirectory);
  }
}
