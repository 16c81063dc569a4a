import autocannon from 'autocannon';
import { measurementsOfRole, sensorRoles } from '../../server/contract/facility-binding.ts';
import type { Envelope, Facility } from '../../server/contract/facility.ts';
import type { Input } from '../../server/contract/input.ts';
import type { Output } from '../../server/contract/output.ts';
import { computeCapacity } from '../../server/domain/capacity/compute.ts';
import { windRose } from '../../server/domain/wind/wind-result.ts';
import { removeDataDirectory, startService } from '../support/running-service.ts';
import { makeSimulatedSite, ServiceClient, type SimulatedSite } from '../support/service-client.ts';
import { median, type Figure } from './figure.ts';
import { askAsPanels, type Waits } from './panels.ts';

const envelope: Envelope = {
  material: 'vinyl_double',
  bay_width_m: 8,
  length_m: 50,
  eave_height_m: 2.5,
  ridge_height_m: 4,
};
const calls = 2_000;
const roses = 200;

/** ms for one call, as the mean of many: one alone is shorter than the clock is fine. */
function perCall(count: number, work: () => unknown): number {
  const from = performance.now();
  for (let call = 0; call < count; call += 1) work();
  return (performance.now() - from) / count;
}

function timeCapacity(): { compute_ms: number; rose_ms: number } {
  const openings = (['right', 'left', 'ridge'] as const).map((face) => ({
    id: face,
    name: face,
    face,
    area_m2: 30,
    centre_height_m: face === 'ridge' ? 4 : 1.25,
  }));
  const request = { envelope, bay_count: 5, structure: 'connected' as const, openings };
  return {
    compute_ms: perCall(calls, () => computeCapacity(request)),
    rose_ms: perCall(roses, () => windRose(request, { speed_count: 10, indoor_temp: 28, outdoor_temp: 20 })),
  };
}

/** What a simulated sensor of one channel measures. */
const roles = sensorRoles.filter((role) => measurementsOfRole[role].includes('temperature'));
const sensors = 60;
const actuators = 40;

/** Binds 100 devices to the house of a site; the sensors measure every second. */
export async function bindHundred(client: ServiceClient, { facility }: SimulatedSite): Promise<Facility> {
  const make = async <T>(kind: 'inputs' | 'outputs', index: number): Promise<T> => {
    const more = kind === 'inputs' ? { period_s: 1, options: { part: 'sensor' } } : { options: { part: 'switch' } };
    const body = { name: `${kind} ${index}`, driver: 'simulated', ...more };
    return (await client.ask('POST', `/api/settings/${kind}`, body)).body as T; // the made device
  };
  const inputs: Input[] = [];
  const outputs: Output[] = [];
  for (let index = 0; index < sensors; index += 1) inputs.push(await make<Input>('inputs', index));
  for (let index = 0; index < actuators; index += 1) outputs.push(await make<Output>('outputs', index));
  const saved = await client.ask('POST', '/api/geo/facility', {
    unique_id: facility.unique_id,
    sensors: inputs.map(({ unique_id, channels, name }, index) => ({
      role: roles[index % roles.length],
      device_id: unique_id,
      measurement_id: channels[0]?.measurement_id,
      name,
    })),
    actuators: outputs.map(({ unique_id, name }) => ({ role: 'circulation_fan', device_id: unique_id, name })),
  });
  if (saved.status !== 200) throw new Error(`binding answered ${saved.status}: ${JSON.stringify(saved.body)}`);
  return saved.body as Facility; // the saved facility
}

interface Load {
  requests_per_s: number;
  p50_ms: number;
  p99_ms: number;
}

/** GET runtime on 50 TLS connections, each asking again as soon as it was answered: what the machine can carry. */
async function loadRuntime(client: ServiceClient, facilityId: string): Promise<Load> {
  const result = await autocannon({
    url: `${client.url}/api/geo/facility/${facilityId}/runtime`,
    connections: 50,
    duration: 10,
    headers: { accept: 'application/vnd.orangery.v1+json', 'x-api-key': client.key },
    tlsOptions: { ca: client.ca },
  });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} refusals, ${result.errors} errors`);
  return {
    requests_per_s: Math.round(result.requests.average),
    p50_ms: result.latency.p50,
    p99_ms: result.latency.p99,
  };
}

const runs = 5;

function benchCapacity(): Figure[] {
  const times = Array.from({ length: runs }, timeCapacity);
  const of = (pick: (row: (typeof times)[number]) => number): string => `${median(times.map(pick)).toFixed(3)} ms`;
  return [
    { what: `compute, median of ${runs}`, value: of((row) => row.compute_ms) },
    { what: 'wind rose of 36 directions x 10 speeds', value: of((row) => row.rose_ms) },
  ];
}

async function benchRuntime(): Promise<Figure[]> {
  const service = await startService({ env: { ORANGERY_LOG_LEVEL: 'warn' } });
  try {
    const client = await ServiceClient.setUp(service);
    const site = await makeSimulatedSite(client);
    const { unique_id } = site.facility;
    const small = await loadRuntime(client, unique_id);
    await bindHundred(client, site);
    const large = await loadRuntime(client, unique_id);
    const panels = await askAsPanels(client, unique_id, 4);
    const hasty = await askAsPanels(client, unique_id, 20);
    client.close();
    const waits = ({ p50_ms, p99_ms }: Waits): string => `p50 ${p50_ms.toFixed(1)} ms, p99 ${p99_ms.toFixed(1)} ms`;
    const row = (what: string, load: Load): Figure => ({
      what,
      value: `${load.requests_per_s} requests/s, p50 ${load.p50_ms} ms, p99 ${load.p99_ms} ms`,
    });
    return [
      row('GET runtime of 7 bindings, 50 TLS connections, all they can', small),
      row('… of 100 bindings', large),
      { what: '… of 100 bindings, 50 panels that ask four times a second', value: waits(panels) },
      { what: '… that ask 20 times a second', value: waits(hasty) },
    ];
  } finally {
    await service.stop();
    removeDataDirectory(service.dataDirectory);
  }
}

/** What facilities cost: a calculation, a rose, and their runtime for 50 panels. */
export async function benchFacility(): Promise<Figure[]> {
  return [...benchCapacity(), ...(await benchRuntime())];
}
