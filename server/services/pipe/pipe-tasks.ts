import { pipeSizes } from '../../domain/pipes/catalogue.ts';
import { inpOf } from '../../domain/pipes/inp.ts';
import { sizedNetwork, type HydraulicTask, type WaterNetwork } from '../../domain/pipes/network.ts';
import { planZone, type MapZone, type PlannedZone } from '../../domain/pipes/plan-zone.ts';
import { PlanError, planPipes, type PipeLayout, type PlanTask } from '../../domain/pipes/plan.ts';
import type { Step } from '../../domain/pipes/step.ts';
import { throwIfCancelled, type CancelFlag } from '../../worker/cancelling.ts';
import type { Hydraulics, PipeFigures } from '../../contract/pipe-hydraulics.ts';
import type { ReadNetwork, ReadPipesRequest } from '../../contract/pipe-inp.ts';
import { EpanetError, type Epanet } from './epanet.ts';
import { resultsOf } from './hydraulic-results.ts';
import type { InpFault } from './inp-fault.ts';
import { networkOnMap, NotDrawableError } from './read-network.ts';

/** Progress in thousandths, on shared memory. */
export type Progress = Int32Array<SharedArrayBuffer>;

export interface LaidTask extends PlanTask {
  /** null when pipes are laid without sizes. */
  hydraulics: HydraulicTask | null;
  zones: readonly MapZone[];
}

/** Pipes with their sizes, and their results. The hours stay in the thread: with many groups they are large. */
export interface SolvedNetwork {
  network: WaterNetwork;
  zones: PlannedZone[];
  hydraulics: Hydraulics;
  /** For each pipe of the layout. */
  figures: PipeFigures[];
}

export interface Laid {
  layout: PipeLayout;
  solved: SolvedNetwork | null;
}

/** The result; devices that cannot be joined are named, which an error could not carry across threads. */
export type PlanOutcome = Laid | Pick<PlanError, 'code' | 'message' | 'device_ids'>;

/** The network that was read, or its faults. */
export type ReadOutcome = ReadNetwork | { faults: readonly InpFault[] };

export const pipeTasks = {
  read: (epanet: Epanet, { inp, at }: ReadPipesRequest, cancelled?: CancelFlag): ReadOutcome => {
    try {
      const { raw, found, run } = epanet.read(inp, () => throwIfCancelled(cancelled));
      const { warnings, isTruncated: truncated } = run;
      return { ...networkOnMap(raw, found, { at, engine: epanet.name }), warnings, truncated };
    } catch (error) {
      throwIfCancelled(cancelled); // which the engine takes for a fault of the network
      if (error instanceof NotDrawableError)
        return { faults: [{ code: error.code, message: error.message, line: null }] };
      if (!(error instanceof EpanetError)) throw error;
      return { faults: error.faults.length > 0 ? error.faults : [{ code: 0, message: error.message, line: null }] };
    }
  },

  plan: (epanet: Epanet, task: LaidTask, progress: Progress, cancelled?: CancelFlag): PlanOutcome => {
    let done = 0;
    const step = (more = 0): void => {
      done += more;
      Atomics.store(progress, 0, Math.min(1000, Math.floor((1000 * done) / task.stations.length)));
      throwIfCancelled(cancelled);
    };
    try {
      const layout = planPipes(task, step);
      return {
        layout,
        solved: task.hydraulics && solved(epanet, { ...task, layout, hydraulics: task.hydraulics }, step),
      };
    } catch (error) {
      if (!(error instanceof PlanError)) throw error;
      const { code, message, device_ids } = error;
      return { code, message, device_ids };
    }
  },
};
export type PipeTasks = typeof pipeTasks;

type SolveTask = LaidTask & { layout: PipeLayout; hydraulics: HydraulicTask };

/** Zones come first, as they determine what their valves draw and need. */
function solved(epanet: Epanet, task: SolveTask, step: Step): SolvedNetwork {
  const solve = (inp: string): ReadonlyMap<string, number> | undefined => {
    step();
    return epanet.emitterFlows(inp);
  };
  const sizes = pipeSizes(task.hydraulics.series);
  const zones = task.zones.map((zone) => planZone(task, zone, { sizes, solve, step }));
  const demands = task.hydraulics.demands.map((demand, station) => {
    const own = zones.filter((zone) => zone.station === station);
    if (own.length === 0) return demand;
    const flow_m3_s = own.reduce((sum, { flow_m3_h }) => sum + flow_m3_h / 3600, 0);
    return { ...demand, flow_m3_s, needed_m: Math.max(...own.map(({ needed_m }) => needed_m)) };
  });
  const network = sizedNetwork(task, task.layout, { ...task.hydraulics, demands }, step);
  const inp = inpOf(network);
  const { hours, run } = epanet.solve(inp);
  if (hours.length < network.groups) throw new Error(`EPANET solved ${hours.length} of ${network.groups} groups`);
  const found = { network, inp, hours, warnings: run.warnings, engine: epanet.name, zones };
  return { network, zones, ...resultsOf(found, task) };
}
