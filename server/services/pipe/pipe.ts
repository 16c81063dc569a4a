import { randomUUID } from 'node:crypto';
import type { Actor } from '../../auth/actor.ts';
import { Refusal, refuseField } from '../../contract/errors.ts';
import { why } from '../../contract/refusal-reason.ts';
import type { FeatureCollection } from '../../contract/overlay.ts';
import type { ReadNetwork, ReadPipesRequest } from '../../contract/pipe-inp.ts';
import type { PipePrices } from '../../contract/pipe-prices.ts';
import type { PipeFeature, PipePlan, PipeRequest } from '../../contract/pipe.ts';
import { cancelFlag } from '../../worker/cancelling.ts';
import { WorkerClient } from '../../worker/client.ts';
import { workerEntry } from '../../worker-entry.ts';
import type { OverlayService } from '../map/overlay.ts';
import type { PlannedZone, ZoneWay } from '../../domain/pipes/plan-zone.ts';
import type { Epanet } from './epanet.ts';
import { billOf, pipePricesOf } from './bill.ts';
import { hydraulicTask } from './hydraulics.ts';
import type { Laid, LaidTask, PipeTasks } from './pipe-tasks.ts';
import { pipeTask, refuseIds, zonesOf, type PipeSitePorts } from './site.ts';

interface PipePorts extends PipeSitePorts {
  overlays: Pick<OverlayService, 'get' | 'saveDelta'>;
  /** From the settings. */
  prices: () => PipePrices;
}

interface Watching {
  /** Called with how many devices are joined. */
  report?: (done: number) => void;
  signal?: AbortSignal;
}

/** A thousand devices among a hundred houses take seconds; a plan that takes longer hangs. */
const timeoutMs = 120_000;
/** Memory of the thread, beside EPANET's. */
const mostMemoryMb = 1024;
/** Plans under way or waiting. */
const mostWaiting = 6;
const tellEveryMs = 250;

/** Lays pipes between the devices of a map: calculated in its own thread, saved as features on request. */
export class PipeService {
  readonly #ports: PipePorts;
  readonly #worker: WorkerClient<Epanet, PipeTasks>;
  #waiting = 0;

  constructor(ports: PipePorts) {
    this.#ports = ports;
    this.#worker = new WorkerClient({
      entry: workerEntry('pipe-worker', import.meta.url),
      data: null,
      timeoutMs,
      mostMemoryMb,
      // V8 may crash the whole process when threads with WebAssembly come and go:
      // https://github.com/nodejs/node/issues/64500
      idleMs: null,
    });
  }

  /**
   * Refuses with not_found, in_trash, unknown_reference, device_not_placed, device_on_other_map, devices_at_one_place,
   * no_way_for_pipes, pressure_unreachable, zone_not_layable, uneven_watering, rate_limited. The signal cancels it, and
   * nothing is saved.
   */
  async generate(request: PipeRequest, actor: Actor, watching: Watching = {}): Promise<PipePlan> {
    const site = await pipeTask(this.#ports, request);
    const prices = this.#ports.prices();
    const hydraulics = hydraulicTask(request, site, (series) => pipePricesOf(prices, series));
    const task = { ...site, hydraulics, zones: await zonesOf(this.#ports, request, site) };
    const plan = planOf(request, { task, prices, laid: await this.#layOut(task, request, watching) });
    if (request.save !== true) return plan;
    watching.signal?.throwIfAborted();
    const { geo_id, replaces } = request;
    const deleted = replaces === undefined ? [] : await this.#pipesOf(geo_id, replaces);
    const added = plan.features.filter(({ properties }) => properties.reuses === undefined);
    const { revision } = await this.#ports.overlays.saveDelta({ geo_id, added, deleted }, actor);
    return { ...plan, revision };
  }

  /** Reads an EPANET network with its flows. Refuses with unreadable_network and the faults by line, rate_limited. */
  async read(request: ReadPipesRequest, signal?: AbortSignal): Promise<ReadNetwork> {
    const flag = signal && cancelFlag(signal);
    const outcome = await this.#inTurn(() => this.#worker.run('read', request, flag), signal);
    if ('pipes' in outcome) return outcome;
    const errors = outcome.faults.map(({ code, message, line }) => ({
      path: line === null ? 'inp' : `inp:${line}`,
      code: `epanet_${code}`,
      message,
    }));
    const [first] = outcome.faults;
    const where = first?.line == null ? '' : `line ${first.line}: `;
    const members = { faults: outcome.faults };
    throw new Refusal('unreadable_network', `${where}${first?.message ?? 'it cannot be read'}`, { errors, members });
  }

  close(): Promise<void> {
    return this.#worker.end();
  }

  async #layOut(task: LaidTask, request: PipeRequest, { report, signal }: Watching): Promise<Laid> {
    const progress = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const tell = (): void => report?.(Math.floor((Atomics.load(progress, 0) * request.device_ids.length) / 1000));
    const telling = setInterval(tell, tellEveryMs);
    try {
      const flag = signal && cancelFlag(signal);
      const outcome = await this.#inTurn(() => this.#worker.run('plan', task, progress, flag), signal);
      if ('layout' in outcome) return outcome;
      const { code, message } = outcome;
      if (outcome.device_ids.length === 0) throw refuseField(code, 'options.via', why('via_blocked'));
      throw refuseIds(code, message, outcome.device_ids, request);
    } finally {
      clearInterval(telling);
    }
  }

  /** A cancelled plan ends at once, even while it waits for another; it counts until the thread has finished it. */
  async #inTurn<Result>(run: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    if (this.#waiting >= mostWaiting) {
      const headers = { 'Retry-After': '5' };
      throw new Refusal('rate_limited', `${mostWaiting} plans of pipes are worked out: wait for one to end`, {
        headers,
      });
    }
    signal?.throwIfAborted();
    this.#waiting += 1;
    const work = run().finally(() => (this.#waiting -= 1));
    if (signal === undefined) return work;
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const end = (): void => reject(signal.reason as Error); // that of an AbortController
    signal.addEventListener('abort', end, { once: true });
    return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', end));
  }

  /** Ids of the pipes that were saved as one plan. */
  async #pipesOf(geo_id: string, plan_id: string): Promise<string[]> {
    const text = (await this.#ports.overlays.get({ geo_id, type: 'pipe' })).toString();
    const { features } = JSON.parse(text) as FeatureCollection; // as the service makes it
    return features.flatMap(({ properties }) => (properties['plan_id'] === plan_id ? [properties.unique_id] : []));
  }
}

const defaultWaste_pct = 5;

const bounds = {
  euclidean: '0.824168 of the minimum spanning tree (Chung & Graham 1985), exact up to 3 places',
  network: 'half of the minimum spanning tree, with all that has water as one (Gilbert & Pollak 1968)',
  rectilinear: '2/3 of the minimum spanning tree (Hwang 1976) or half the way around all, exact up to 3 places',
};

interface Planned {
  task: LaidTask;
  prices: PipePrices;
  laid: Laid;
}

function planOf(request: PipeRequest, { task, prices, laid: { layout, solved } }: Planned): PipePlan {
  const { geo_id, options } = request;
  const plan_id = randomUUID();
  const metric = task.axis_deg === null ? 'euclidean' : 'rectilinear';
  const { total_length_m, reused_length_m, lower_bound_m, fittings } = layout;
  const sources = task.stations.slice(0, task.sources).flatMap(({ device_ids: [id] }) => id ?? []);
  return {
    type: 'FeatureCollection',
    map_uuid: geo_id,
    plan_id,
    source_device_id: sources[0] ?? '',
    source_device_ids: sources,
    revision: null,
    features: [
      ...featuresOf(plan_id, { layout, solved }, task.lines),
      ...zoneFeatures(plan_id, task, solved?.zones ?? []),
    ],
    total_length_m,
    reused_length_m,
    lower_bound_m,
    fittings,
    ...billOf({
      layout,
      network: solved?.network ?? null,
      zones: solved?.zones ?? [],
      series: solved?.hydraulics.series ?? null,
      prices,
      waste_pct: options?.waste_pct ?? defaultWaste_pct,
    }),
    hydraulics: solved?.hydraulics ?? null,
    method: {
      metric,
      axis_deg: task.axis_deg,
      clearance_m: task.clearance_m,
      obstacle_count: task.barriers.length,
      algorithm:
        'Batched iterated 1-Steiner (Kahng & Robins 1992) on ways around obstacles (A* on the visibility graph)',
      bound: sources.length > 1 || reused_length_m > 0 ? bounds.network : bounds[metric],
    },
  };
}

function featuresOf(plan_id: string, { layout, solved }: Laid, lines: LaidTask['lines']): PipeFeature[] {
  return layout.pipes.map(({ coordinates, length_m, from, to, serves, line }, at) => ({
    type: 'Feature' as const,
    geometry: { type: 'LineString' as const, coordinates },
    properties: {
      type: 'pipe' as const,
      name: '',
      unique_id: randomUUID(),
      plan_id,
      length_m,
      from,
      to,
      serves,
      role: serves > 1 ? ('main' as const) : ('branch' as const),
      ...solved?.figures[at],
      ...(line !== null && { reuses: lines?.[line]?.feature_id }),
    },
  }));
}

/** Headers and drip lines of the zones, as lines of the map. */
function zoneFeatures(plan_id: string, { zones }: LaidTask, planned: readonly PlannedZone[]): PipeFeature[] {
  return planned.flatMap(({ zone_id, header, header_ways, laterals }) => {
    const line = (role: 'header' | 'lateral', { coordinates, length_m }: ZoneWay, size: object): PipeFeature => ({
      type: 'Feature',
      geometry: { type: 'LineString', coordinates },
      properties: {
        type: 'pipe',
        name: '',
        unique_id: randomUUID(),
        plan_id,
        role,
        from: zone_id,
        to: zone_id,
        serves: 0,
        length_m,
        ...size,
      },
    });
    const inner_mm = zones.find((zone) => zone.zone_id === zone_id)?.emitter.inner_mm;
    const sized = { diameter_mm: header.diameter_mm, inner_mm: header.inner_mm };
    return [
      ...header_ways.map((way) => line('header', way, sized)),
      ...laterals.map((way) => line('lateral', way, { inner_mm })),
    ];
  });
}
