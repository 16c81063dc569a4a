import type { Action, ActionResult } from '../../../contract/action.ts';
import type { OutputRef } from '../../../contract/output.ts';
import { within, type Clock } from '../../clock.ts';
import type { Outputs } from '../output/outputs.ts';
import { actorOf, runAction, type ActionSite, type ActionValue } from './action-list.ts';

/** An action that takes longer goes on, but nobody waits for it, ms. */
const PATIENCE_MS = 5_000;

export interface ActingHost {
  clock: Clock;
  actions: ActionSite;
  outputs: Pick<Outputs, 'stateOf' | 'letGo'>;
}

/** A controller that acts: its actions have its name and reason, and it knows which outputs it switched. */
export class Acting {
  name: string;
  readonly #word: string;
  readonly #id: string;
  readonly #host: ActingHost;
  readonly #switched = new Map<string, OutputRef>();

  constructor({ word, unique_id, name }: { word: string; unique_id: string; name: string }, host: ActingHost) {
    this.name = name;
    this.#word = word;
    this.#id = unique_id;
    this.#host = host;
  }

  act(action: Action, because: string, value?: ActionValue): Promise<ActionResult> {
    if (action.kind === 'output') {
      const ref = { output_id: action.output_id.toLowerCase(), channel: action.channel };
      this.#switched.set(`${ref.output_id}/${ref.channel ?? ''}`, ref);
    }
    const { clock, actions } = this.#host;
    const cause = { controller_id: this.#id, word: this.#word, name: this.name, because };
    const late = (): ActionResult => ({ isDone: false, message: `took longer than ${PATIENCE_MS / 1000} s` });
    return within(runAction(action, { site: actions, cause, value }), { clock, timeoutMs: PATIENCE_MS, late });
  }

  /** Drives safe what still does as it said. Resolves with true: what a device did not confirm is tried on. */
  async letGo(): Promise<boolean> {
    const { outputs } = this.#host;
    const actor = actorOf({ word: this.#word, name: this.name });
    const own = [...this.#switched.values()].filter((ref) => outputs.stateOf(ref)?.actor === actor);
    this.#switched.clear();
    await outputs.letGo(this.#id, own);
    return true;
  }
}
