import { LinkProperty, NodeProperty, Project, Workspace } from 'epanet-js';
import type { HourResult } from './hour-result.ts';
import { inpFaults, type InpFault } from './inp-fault.ts';
import { rawNetwork, type RawNetwork } from './read-network.ts';

/** EPANET could not read or solve a network. */
export class EpanetError extends Error {
  override readonly name = 'EpanetError';
  readonly faults: readonly InpFault[];

  constructor(message: string, faults: readonly InpFault[], options: ErrorOptions) {
    super(message, options);
    this.faults = faults;
  }
}

/** More time steps than these are not solved: a network that runs for weeks. */
const mostSteps = 1000;
const files = { input: 'network.inp', report: 'network.rpt', output: 'network.bin' };

/** EPANET 2.3 in WebAssembly. It solves one network at a time, without waiting: for a worker thread. */
export class Epanet {
  readonly #workspace: Workspace;

  private constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  /** Loads the engine, once. */
  static async load(): Promise<Epanet> {
    const workspace = new Workspace();
    await workspace.loadModule();
    return new Epanet(workspace);
  }

  get name(): string {
    const version = this.#workspace.version;
    return `EPANET ${Math.floor(version / 10_000)}.${Math.floor(version / 100) % 100}.${version % 100}`;
  }

  /** Solves a network hour by hour. Throws EpanetError with what EPANET says. */
  solve(inp: string): HourResult[] {
    return this.#opened(inp, hoursOf);
  }

  /** The same with what stands in the file. */
  read(inp: string): { raw: RawNetwork; hours: HourResult[] } {
    return this.#opened(inp, (project) => ({ raw: rawNetwork(project), hours: hoursOf(project) }));
  }

  /** What runs out of each emitter, where nothing else is taken, at the first hour, by its node. Throws EpanetError. */
  emitterFlows(inp: string): Map<string, number> {
    return this.#opened(inp, (project) => {
      project.openH();
      project.initH(0);
      project.runH();
      const coefficients = project.getNodeValues(NodeProperty.Emitter);
      const flows = project.getNodeValues(NodeProperty.Demand);
      project.closeH();
      const own = flows.flatMap((flow, at) =>
        (coefficients[at] ?? 0) > 0 ? [[project.getNodeId(at + 1), flow] as const] : [],
      );
      return new Map(own);
    });
  }

  #opened<Result>(inp: string, use: (project: Project) => Result): Result {
    const project = new Project(this.#workspace);
    this.#workspace.writeFile(files.input, inp);
    try {
      project.open(files.input, files.report, files.output);
      const found = use(project);
      closeQuietly(project);
      return found;
    } catch (cause) {
      closeQuietly(project); // which writes the report
      const message = cause instanceof Error ? cause.message : String(cause);
      throw new EpanetError(message, inpFaults(this.#report(), inp), { cause });
    }
  }

  #report(): string {
    try {
      return this.#workspace.readFile(files.report);
    } catch {
      return '';
    }
  }
}

function hoursOf(project: Project): HourResult[] {
  const hours: HourResult[] = [];
  project.openH();
  project.initH(0);
  for (let more = 1; more > 0 && hours.length < mostSteps; more = project.nextH()) {
    project.runH();
    hours.push(resultsOf(project));
  }
  project.closeH();
  return hours;
}

/** A project that failed to open has nothing to close, and says so. */
function closeQuietly(project: Project): void {
  try {
    project.close();
  } catch {
    return;
  }
}

function resultsOf(project: Project): HourResult {
  const pressures = project.getNodeValues(NodeProperty.Pressure);
  const heads = project.getNodeValues(NodeProperty.Head);
  const demands = project.getNodeValues(NodeProperty.Demand);
  const flows = project.getLinkValues(LinkProperty.Flow);
  const speeds = project.getLinkValues(LinkProperty.Velocity);
  const losses = project.getLinkValues(LinkProperty.Headloss);
  const nodes = pressures.map(
    (pressure_m, at) =>
      [project.getNodeId(at + 1), { pressure_m, head_m: heads[at] ?? 0, demand: demands[at] ?? 0 }] as const,
  );
  const links = flows.map((flow, at) => {
    return [project.getLinkId(at + 1), { flow, velocity_m_s: speeds[at] ?? 0, head_loss_m: losses[at] ?? 0 }] as const;
  });
  return { nodes: new Map(nodes), links: new Map(links) };
}
