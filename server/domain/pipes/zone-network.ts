import type { PipeSize } from './catalogue.ts';
import { head_m_per_bar, roughness_mm, velocity_m_s } from './head-loss.ts';
import { euclidean } from './plane.ts';
import type { ZoneLayout } from './zone.ts';

/** The emitters of a zone, and their requirements. */
export interface EmitterTask {
  flow_l_h: number;
  /** The pressure at which an emitter has that flow. */
  pressure_bar: number;
  /** x of q = k p^x: 0.5 for a turbulent emitter, near 0 for a compensating one. */
  exponent: number;
  inner_mm: number;
  least_uniformity_pct: number;
  most_velocity_m_s: number;
}

export interface ZoneResult {
  header: PipeSize;
  emitters: number;
  flow_m3_h: number;
  /** At the inlet of the header. */
  inlet_bar: number;
  /**
   * Mean of the lowest quarter of flows over the mean of all (Keller & Karmeli 1974, low-quarter distribution
   * uniformity), percent.
   */
  uniformity_pct: number;
  least_l_h: number;
  most_l_h: number;
  /** Of each emitter, line after line. */
  flows_l_h: readonly number[];
}

/** Solves a network: flows of its emitters in m3/h, by name. undefined when it has no solution. */
export type SolveEmitters = (inp: string) => ReadonlyMap<string, number> | undefined;

interface ZoneTask {
  layout: ZoneLayout;
  emitter: EmitterTask;
  /** For the header, smallest first. */
  sizes: readonly PipeSize[];
}

/** The narrowest header with sufficiently even emitters; the most even result when none is. */
export function sizedZone({ layout, emitter, sizes }: ZoneTask, solve: SolveEmitters): ZoneResult | undefined {
  const emitters = layout.laterals.reduce((sum, { emitters_m }) => sum + emitters_m.length, 0);
  const flow_m3_s = (emitters * emitter.flow_l_h) / 3.6e6;
  let best: ZoneResult | undefined;
  for (const header of sizes) {
    if (velocity_m_s({ inner_mm: header.inner_mm, flow_m3_s }) > emitter.most_velocity_m_s) continue;
    const found = evenedOut({ layout, emitter, header }, solve);
    if (found !== undefined && found.uniformity_pct > (best?.uniformity_pct ?? 0)) best = found;
    if (best !== undefined && best.uniformity_pct >= emitter.least_uniformity_pct) return best;
  }
  return best;
}

type Sized = Omit<ZoneTask, 'sizes'> & { header: PipeSize };

/**
 * Finds the inlet pressure at which the mean emitter has its flow: that flow grows with the power x of the pressure, so
 * a few steps suffice.
 */
function evenedOut(task: Sized, solve: SolveEmitters): ZoneResult | undefined {
  const { emitter, header } = task;
  let inlet_bar = emitter.pressure_bar;
  let flows_l_h: number[] = [];
  const names = task.layout.laterals.flatMap(({ emitters_m }, row) => emitters_m.map((_, at) => emitterName(row, at)));
  for (let step = 0; step < 6; step += 1) {
    const flows = solve(zoneInp(task, inlet_bar));
    if (flows === undefined) return undefined;
    flows_l_h = names.map((name) => (flows.get(name) ?? 0) * 1000);
    const ratio = emitter.flow_l_h / meanOf(flows_l_h);
    if (Math.abs(ratio - 1) < 0.001) break;
    inlet_bar *= Math.min(3, ratio ** (1 / emitter.exponent));
  }
  const sorted = flows_l_h.toSorted((one, other) => one - other);
  const mean = meanOf(flows_l_h);
  const quarter = sorted.slice(0, Math.max(1, Math.ceil(sorted.length / 4)));
  return {
    header,
    inlet_bar,
    emitters: flows_l_h.length,
    flow_m3_h: (mean * flows_l_h.length) / 1000,
    uniformity_pct: (100 * meanOf(quarter)) / mean,
    least_l_h: sorted[0] ?? 0,
    most_l_h: sorted.at(-1) ?? 0,
    flows_l_h,
  };
}

function emitterName(row: number, at: number): string {
  return `E${row}_${at}`;
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, one) => sum + one, 0) / Math.max(1, values.length);
}

/**
 * A zone in EPANET's format: the header with its lines, each emitter a node. Small lines are partly laminar, so
 * friction is by Darcy-Weisbach.
 */
function zoneInp({ layout: { laterals, inlet }, emitter, header }: Sized, inlet_bar: number): string {
  const junctions: string[] = [];
  const pipes: string[] = [];
  const emitters: string[] = [];
  const coefficient = emitter.flow_l_h / 1000 / (emitter.pressure_bar * head_m_per_bar) ** emitter.exponent;
  const pipe = (from: string, to: string, length_m: number, inner_mm: number): void => {
    pipes.push(
      `P${pipes.length} ${from} ${to} ${Math.max(0.01, length_m).toFixed(4)} ${inner_mm} ${roughness_mm} 0 Open`,
    );
  };
  for (const [row, { from, emitters_m }] of laterals.entries()) {
    const start = row === inlet ? 'IN' : `H${row}`;
    if (row !== inlet) junctions.push(`${start} 0 0`);
    const before = laterals[row - 1];
    if (before !== undefined)
      pipe(row - 1 === inlet ? 'IN' : `H${row - 1}`, start, euclidean.distance(before.from, from), header.inner_mm);
    for (const [at, away_m] of emitters_m.entries()) {
      const name = emitterName(row, at);
      junctions.push(`${name} 0 0`);
      emitters.push(`${name} ${coefficient.toFixed(9)}`);
      pipe(at === 0 ? start : emitterName(row, at - 1), name, away_m - (emitters_m[at - 1] ?? 0), emitter.inner_mm);
    }
  }
  return [
    '[JUNCTIONS]',
    ...junctions,
    '[RESERVOIRS]',
    `IN ${(inlet_bar * head_m_per_bar).toFixed(6)}`,
    '[PIPES]',
    ...pipes,
    '[EMITTERS]',
    ...emitters,
    '[REPORT]',
    'Status No',
    'Messages No',
    '[OPTIONS]',
    'Units CMH',
    'Headloss D-W',
    'Viscosity 1',
    'Trials 200',
    'Accuracy 0.0001',
    `Emitter Exponent ${emitter.exponent}`,
    '[END]',
    '',
  ].join('\n');
}
