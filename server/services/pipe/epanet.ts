import { AnalysisStatistic, CountType, LinkProperty, NodeProperty, Option, Project, Workspace } from 'epanet-js';
import { solveWarnings, type SolveWarning } from '../../contract/pipe-hydraulics.ts';
import type { Step } from '../../domain/pipes/step.ts';
import { Extremes } from './extremes.ts';
import type { HourResult } from './hour-result.ts';
import { inpFaults, type InpFault } from './inp-fault.ts';
import { numbered, rawNetwork, type RawNetwork } from './read-network.ts';

/** EPANET could not read or solve a network. */
export class EpanetError extends Error {
  override readonly name = 'EpanetError';
  readonly faults: readonly InpFault[];

  constructor(message: string, faults: readonly InpFault[], options: ErrorOptions) {
    super(message, options);
    this.faults = faults;
  }
}

/** A warning of EPANET about a step that it solved, code 1 to 6. */
class EpanetWarning extends Error {
  override readonly name = 'EpanetWarning';
  readonly code: number;

  constructor(code: number) {
    super(`warning ${code} of EPANET`);
    this.code = code;
  }
}

/** Lower codes are warnings. */
const firstError = 100;

/** The package prints warnings and goes on; asking for their text throws them here. */
class WarningWorkspace extends Workspace {
  override getError(code: number): string {
    if (code < firstError) throw new EpanetWarning(code);
    return super.getError(code);
  }
}

/** How the hours of a network were solved. */
export interface HoursRun {
  /** EPANET's warnings about any of them. */
  warnings: SolveWarning[];
  /** Whether the network runs for longer than was solved. */
  isTruncated: boolean;
}

/** The most time steps that are solved, for a network that runs for weeks. */
const mostSteps = 1000;
/** The most results: nodes and links at every step. */
const mostResults = 5_000_000;
const files = { input: 'network.inp', report: 'network.rpt', output: 'network.bin' };

/** EPANET 2.3 in WebAssembly. It solves one network at a time and blocks: for a worker thread. */
export class Epanet {
  readonly #workspace: Workspace;

  private constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  /** Loads the engine, once. */
  static async load(): Promise<Epanet> {
    const workspace = new WarningWorkspace();
    await workspace.loadModule();
    return new Epanet(workspace);
  }

  get name(): string {
    const version = this.#workspace.version;
    return `EPANET ${Math.floor(version / 10_000)}.${Math.floor(version / 100) % 100}.${version % 100}`;
  }

  /** Solves a network hour by hour. Throws EpanetError with EPANET's faults. */
  solve(inp: string): { hours: HourResult[]; run: HoursRun } {
    return this.#opened(inp, hoursOf);
  }

  /**
   * The contents of the file, and the extremes over its hours. `step` is called before each hour, and may throw to end
   * it.
   */
  read(inp: string, step: Step = () => undefined): { raw: RawNetwork; found: Extremes; run: HoursRun } {
    const solved = this.#opened(inp, (project) => {
      const found = new Extremes();
      project.setReport('MESSAGES YES');
      const run = runHours(project, { before: step, after: () => found.add(project) });
      return { raw: rawNetwork(project, inp), found, run };
    });
    // EPANET writes this warning only into its report.
    if (/^ *WARNING: .*disconnected/m.test(this.#report())) solved.run.warnings.push('disconnected');
    return solved;
  }

  /**
   * The flow from each emitter in the first hour, by node, when nothing else is drawn; undefined when no balance is
   * found. Throws EpanetError.
   */
  emitterFlows(inp: string): Map<string, number> | undefined {
    return this.#opened(inp, (project) => {
      project.openH();
      project.initH(0);
      const isBalanced = !warningsOf(project).includes('unbalanced');
      const coefficients = project.getNodeValues(NodeProperty.Emitter);
      const flows = project.getNodeValues(NodeProperty.Demand);
      project.closeH();
      const own = flows.flatMap((flow, at) =>
        (coefficients[at] ?? 0) > 0 ? [[project.getNodeId(at + 1), flow] as const] : [],
      );
      return isBalanced ? new Map(own) : undefined;
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

function hoursOf(project: Project): { hours: HourResult[]; run: HoursRun } {
  const nodes = numbered(project.getCount(CountType.NodeCount)).map((node) => project.getNodeId(node));
  const links = numbered(project.getCount(CountType.LinkCount)).map((link) => project.getLinkId(link));
  const hours: HourResult[] = [];
  const run = runHours(project, { after: () => hours.push(resultsOf(project, { nodes, links })) });
  return { hours, run };
}

/** Solves an opened network hour by hour. */
function runHours(project: Project, { before, after }: { before?: () => void; after: () => void }): HoursRun {
  const results = project.getCount(CountType.NodeCount) + project.getCount(CountType.LinkCount);
  const most = Math.max(1, Math.min(mostSteps, Math.floor(mostResults / results)));
  const warnings = new Set<SolveWarning>();
  project.openH();
  project.initH(0);
  let more = 1;
  for (let steps = 0; more > 0 && steps < most; steps += 1) {
    before?.();
    for (const warning of warningsOf(project)) warnings.add(warning);
    after();
    more = project.nextH();
  }
  project.closeH();
  return { warnings: [...warnings], isTruncated: more > 0 };
}

/** Solves the next hour. EPANET returns only one warning, so whether it found a balance is checked as well. */
function warningsOf(project: Project): SolveWarning[] {
  const told: SolveWarning[] = [];
  try {
    project.runH();
  } catch (error) {
    if (!(error instanceof EpanetWarning)) throw error;
    told.push(...solveWarnings.slice(error.code - 1, error.code));
  }
  const isBalanced = project.getStatistic(AnalysisStatistic.RelativeError) <= project.getOption(Option.Accuracy);
  return isBalanced || told.includes('unbalanced') ? told : [...told, 'unbalanced'];
}

/** A project that failed to open has nothing to close, and throws. */
function closeQuietly(project: Project): void {
  try {
    project.close();
  } catch {
    return;
  }
}

function resultsOf(project: Project, names: Record<'nodes' | 'links', readonly string[]>): HourResult {
  const pressures = project.getNodeValues(NodeProperty.Pressure);
  const heads = project.getNodeValues(NodeProperty.Head);
  const demands = project.getNodeValues(NodeProperty.Demand);
  const flows = project.getLinkValues(LinkProperty.Flow);
  const speeds = project.getLinkValues(LinkProperty.Velocity);
  const losses = project.getLinkValues(LinkProperty.Headloss);
  const nodes = names.nodes.map(
    (id, at) => [id, { pressure_m: pressures[at] ?? 0, head_m: heads[at] ?? 0, demand: demands[at] ?? 0 }] as const,
  );
  const links = names.links.map(
    (id, at) => [id, { flow: flows[at] ?? 0, velocity_m_s: speeds[at] ?? 0, head_loss_m: losses[at] ?? 0 }] as const,
  );
  return { nodes: new Map(nodes), links: new Map(links) };
}
