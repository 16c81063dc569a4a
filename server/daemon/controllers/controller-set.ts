import type { ControllerWord } from '../../contract/controller-kinds.ts';
import type { ControllerStatus, ControlLive } from '../../contract/daemon.ts';
import { within, type Clock } from '../clock.ts';
import type { Controllers, ControlSite, RunningKind } from './controller-kind.ts';
import { runningKinds } from './kinds.ts';

/** The controllers of every kind. */
export class ControllerSet {
  readonly #running: ReadonlyMap<ControllerWord, Controllers>;

  constructor(site: ControlSite) {
    this.#running = new Map(runningKinds.map((kind) => [kind.word, kind.run(site)]));
  }

  /** The controllers of one kind, with all methods of that kind. */
  of<Running extends Controllers>(kind: RunningKind<Running>): Running {
    return this.called(kind.word) as Running; // made by that kind's run
  }

  called(word: ControllerWord): Controllers {
    const found = this.#running.get(word);
    if (found === undefined) throw new Error(`nothing runs controllers of the kind ${word}`);
    return found;
  }

  /** With the words of their kinds, in the order in which they start. */
  entries(): (readonly [ControllerWord, Controllers])[] {
    return [...this.#running];
  }

  has(id: string): boolean {
    return this.#all().some((controllers) => controllers.has(id));
  }

  /** False when what it drove is not known to be safe. */
  async deactivate(id: string): Promise<boolean> {
    const ended = await Promise.all(this.#all().map((controllers) => controllers.deactivate(id)));
    return ended.every((isSafe) => isSafe);
  }

  statuses(): ControllerStatus[] {
    return this.#all().flatMap((controllers) => controllers.statuses());
  }

  live(): ControlLive[] {
    return this.#all().flatMap((controllers) => controllers.live?.() ?? []);
  }

  /**
   * Stops controllers before what they command; none waits for another. False when an output is not where it should be
   * in time.
   */
  async stop(isSafeForced: boolean, time: { clock: Clock; timeoutMs: number }): Promise<boolean> {
    const ends = this.entries()
      .toReversed()
      .map(([word, controllers]) => within(controllers.stop(isSafeForced), { ...time, late: () => word !== 'output' }));
    return (await Promise.all(ends)).every((isThere) => isThere);
  }

  #all(): Controllers[] {
    return [...this.#running.values()];
  }
}
