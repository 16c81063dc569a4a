import type { FrictionFormula } from '../../contract/pipe-hydraulics.ts';
import type { PipeSize } from './catalogue.ts';
import { headLoss_m, velocity_m_s } from './head-loss.ts';
import type { Step } from './step.ts';

/** A pipe of a tree to be sized. Parents come before their children. */
export interface SizedRun {
  /** Index of the pipe that feeds it; null at the source. */
  parent: number | null;
  length_m: number;
  minor: number;
  /** Its flow, by the group of devices that is open. */
  flows_m3_s: readonly number[];
  /** Of an existing pipe, which stays as it is. */
  fixed_mm?: number;
}

/** The head that may be lost on the way to the end of a pipe, for a group, m. */
export interface HeadTarget {
  pipe: number;
  group: number;
  allowed_m: number;
}

export interface SizingTask {
  runs: readonly SizedRun[];
  targets: readonly HeadTarget[];
  /** Smallest first. */
  sizes: readonly PipeSize[];
  friction: FrictionFormula;
  most_velocity_m_s: number;
  step?: Step;
}

/** Sizes by index, or the targets that even the largest cannot meet. */
export type Sizing = { sizes: number[] } | { unmet: readonly HeadTarget[] } | { tooFast: readonly number[] };

/**
 * The smallest sizes at which no water runs too fast; then, while a target is missed, on the way to the one missed by
 * most the pipe is widened that saves most head for its cost; last, each pipe is narrowed again if all targets still
 * hold. In small trees each pipe is then widened as a trial, and the others narrowed. No pipe is wider than the one
 * that feeds it.
 */
export function sizePipes(task: SizingTask): Sizing {
  const tree = new SizedTree(task);
  const tooFast = tree.startAtVelocity();
  if (tooFast.length > 0) return { tooFast };
  for (let worst = tree.worst(); worst !== undefined; worst = tree.worst()) {
    task.step?.();
    if (!tree.widenTowards(worst)) return { unmet: tree.unmetAtWidest() };
  }
  tree.narrow();
  tree.exchange();
  return { sizes: tree.sizes };
}

/** Pipes times groups up to which exchanges are tried: the work grows with the cube. */
const mostExchanged = 250;
const mostRounds = 4;

/** A head missed by less counts as reached, m. */
const tolerance_m = 1e-6;

class SizedTree {
  readonly sizes: number[];
  readonly #task: SizingTask;
  readonly #children: number[][];
  readonly #groups: number;
  /** Smallest size allowed by velocity. */
  readonly #least: number[];
  /** Head loss in each pipe by group, pipe after pipe. */
  readonly #losses: Float64Array;

  constructor(task: SizingTask) {
    this.#task = task;
    this.#groups = task.runs[0]?.flows_m3_s.length ?? 0;
    this.#children = task.runs.map(() => []);
    for (const [at, { parent }] of task.runs.entries()) if (parent !== null) this.#children[parent]?.push(at);
    this.#least = task.runs.map((run) => this.#slowEnough(run));
    this.sizes = [...this.#least];
    this.#losses = new Float64Array(task.runs.length * this.#groups);
  }

  /** Returns the pipes for which no size is wide enough. */
  startAtVelocity(): number[] {
    const tooFast = [...this.#least.keys()].filter((at) => this.#least[at] === -1);
    if (tooFast.length === 0) for (const at of this.sizes.keys()) this.#set(at, this.sizes[at] ?? 0);
    return tooFast;
  }

  /** The target that is missed by most. */
  worst(): HeadTarget | undefined {
    const lost = this.#lostTo();
    let [found, most]: [HeadTarget | undefined, number] = [undefined, tolerance_m];
    for (const target of this.#task.targets) {
      const missing = (lost[target.pipe * this.#groups + target.group] ?? 0) - target.allowed_m;
      if (missing > most) [found, most] = [target, missing];
    }
    return found;
  }

  /** False when nothing on the way can be widened. */
  widenTowards({ pipe, group }: HeadTarget): boolean {
    const { runs, sizes } = this.#task;
    let best: { at: number; gain: number } | undefined;
    for (let at: number | null = pipe; at !== null; at = runs[at]?.parent ?? null) {
      const size = this.sizes[at] ?? 0;
      const parent = runs[at]?.parent ?? null;
      const isHeld = parent !== null && !this.#isFixed(parent) && (this.sizes[parent] ?? 0) <= size;
      if (this.#isFixed(at) || size + 1 >= sizes.length || isHeld) continue;
      const saved = this.#loss(at, size, group) - this.#loss(at, size + 1, group);
      const gain = saved / Math.max(1e-12, this.#cost(at, size + 1) - this.#cost(at, size));
      if (gain > (best?.gain ?? 0) * (1 - 1e-9)) best = { at, gain };
    }
    if (best === undefined) return false;
    this.#set(best.at, (this.sizes[best.at] ?? 0) + 1);
    return true;
  }

  unmetAtWidest(): HeadTarget[] {
    for (const at of this.sizes.keys()) this.#set(at, this.#task.sizes.length - 1);
    const lost = this.#lostTo();
    const missed = this.#task.targets.filter(
      ({ pipe, group, allowed_m }) => (lost[pipe * this.#groups + group] ?? 0) > allowed_m + tolerance_m,
    );
    return missed;
  }

  /** Narrows the most expensive first, until none can be. */
  narrow(): void {
    const saved = (at: number): number =>
      this.#cost(at, this.sizes[at] ?? 0) - this.#cost(at, (this.sizes[at] ?? 0) - 1);
    for (let isNarrowing = true; isNarrowing;) {
      isNarrowing = false;
      const wide = [...this.sizes.keys()].filter(
        (at) => !this.#isFixed(at) && (this.sizes[at] ?? 0) > (this.#least[at] ?? 0),
      );
      for (const at of wide.toSorted((one, other) => saved(other) - saved(one))) {
        const size = this.sizes[at] ?? 0;
        if ((this.#children[at] ?? []).some((child) => !this.#isFixed(child) && (this.sizes[child] ?? 0) >= size))
          continue;
        this.#task.step?.();
        this.#set(at, size - 1);
        if (this.worst() === undefined) isNarrowing = true;
        else this.#set(at, size);
      }
    }
  }

  /** Widens a pipe, or it and all before it, if that lets others be narrowed by more than it costs. */
  exchange(): void {
    if (this.sizes.length * this.#groups > mostExchanged) return;
    for (let round = 0, isBetter = true; isBetter && round < mostRounds; round += 1) {
      isBetter = false;
      for (const at of this.sizes.keys()) {
        for (const more of [1, 2]) isBetter = this.#isCheaperAfter(() => this.#widenWithParents(at, more)) || isBetter;
      }
    }
  }

  /** Keeps a change, with the narrowing it allows, if the total is cheaper; otherwise reverts it. */
  #isCheaperAfter(change: () => void): boolean {
    const [before, cost] = [[...this.sizes], this.#total()];
    change();
    this.narrow();
    if (this.#total() < cost * (1 - 1e-9)) return true;
    for (const [at, size] of before.entries()) if (this.sizes[at] !== size) this.#set(at, size);
    return false;
  }

  #widenWithParents(pipe: number, more: number): void {
    const size = Math.min(this.#task.sizes.length - 1, (this.sizes[pipe] ?? 0) + more);
    for (let at: number | null = pipe; at !== null; at = this.#task.runs[at]?.parent ?? null) {
      if (!this.#isFixed(at) && (this.sizes[at] ?? 0) < size) this.#set(at, size);
    }
  }

  #isFixed(at: number): boolean {
    return this.#task.runs[at]?.fixed_mm !== undefined;
  }

  #total(): number {
    return this.sizes.reduce((sum, size, at) => sum + this.#cost(at, size), 0);
  }

  #slowEnough({ flows_m3_s, fixed_mm }: SizedRun): number {
    if (fixed_mm !== undefined) return 0;
    const { sizes, most_velocity_m_s } = this.#task;
    const flow_m3_s = Math.max(0, ...flows_m3_s);
    return sizes.findIndex(({ inner_mm }) => velocity_m_s({ inner_mm, flow_m3_s }) <= most_velocity_m_s);
  }

  #cost(at: number, size: number): number {
    if (this.#isFixed(at)) return 0;
    return (this.#task.sizes[size]?.cost ?? 0) * (this.#task.runs[at]?.length_m ?? 0);
  }

  #loss(at: number, size: number, group: number): number {
    const run = this.#task.runs[at];
    const inner_mm = run?.fixed_mm ?? this.#task.sizes[size]?.inner_mm;
    if (run === undefined || inner_mm === undefined) return 0;
    const flow_m3_s = run.flows_m3_s[group] ?? 0;
    return headLoss_m(this.#task.friction, { ...run, inner_mm, flow_m3_s });
  }

  #set(at: number, size: number): void {
    this.sizes[at] = size;
    for (let group = 0; group < this.#groups; group += 1)
      this.#losses[at * this.#groups + group] = this.#loss(at, size, group);
  }

  /** Head loss from the source to the end of each pipe, by group. */
  #lostTo(): Float64Array {
    const lost = Float64Array.from(this.#losses);
    for (const [at, { parent }] of this.#task.runs.entries()) {
      if (parent === null) continue;
      for (let group = 0; group < this.#groups; group += 1) {
        const place = at * this.#groups + group;
        lost[place] = (lost[place] ?? 0) + (lost[parent * this.#groups + group] ?? 0);
      }
    }
    return lost;
  }
}
