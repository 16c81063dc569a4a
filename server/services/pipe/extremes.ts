import { LinkProperty, NodeProperty, type Project } from 'epanet-js';

/**
 * The extremes of nodes and links over the added hours, by index from 0 and in the units of the file. Keeps no hour.
 */
export class Extremes {
  steps = 0;
  readonly leastHead: number[] = [];
  readonly mostHead: number[] = [];
  /** Farthest from 0, with its sign. */
  readonly demand: number[] = [];
  /** Farthest from 0, with the velocity and head loss at that flow. */
  readonly flow: number[] = [];
  readonly velocity: number[] = [];
  readonly headLoss: number[] = [];

  /** Adds the hour that was solved last. */
  add(project: Project): void {
    this.steps += 1;
    const demands = project.getNodeValues(NodeProperty.Demand);
    for (const [at, head] of project.getNodeValues(NodeProperty.Head).entries()) {
      this.leastHead[at] = Math.min(this.leastHead[at] ?? head, head);
      this.mostHead[at] = Math.max(this.mostHead[at] ?? head, head);
      this.demand[at] = farther(this.demand[at], demands[at] ?? 0);
    }
    const speeds = project.getLinkValues(LinkProperty.Velocity);
    const losses = project.getLinkValues(LinkProperty.Headloss);
    for (const [at, flow] of project.getLinkValues(LinkProperty.Flow).entries()) {
      if (farther(this.flow[at], flow) === this.flow[at]) continue;
      this.flow[at] = flow;
      this.velocity[at] = speeds[at] ?? 0;
      this.headLoss[at] = losses[at] ?? 0;
    }
  }
}

function farther(known: number | undefined, value: number): number {
  return known === undefined || Math.abs(value) > Math.abs(known) ? value : known;
}
