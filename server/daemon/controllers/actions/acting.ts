import { deviceSays } from '../../../contract/device-words.ts';
import type { Action, ActionOutcome, ActionResult } from '../../../contract/action.ts';
import type { OutputRef } from '../../../contract/output.ts';
import type { Reason } from '../../../contract/reason.ts';
import { explained, reasonText, type ReasonReader } from '../../../domain/control/reason-text.ts';
import { within, type Clock } from '../../clock.ts';
import type { Outputs } from '../output/outputs.ts';
import { runAction, type ActionSite, type ActionValue } from './action-list.ts';

/** An action that takes longer goes on, but the rest no longer waits for it, ms. */
const patienceMs = 5_000;

export interface ActingHost {
  clock: Clock;
  actions: ActionSite;
  /** Renders reasons for the people of the site, in its time zone. */
  reader: () => ReasonReader;
  outputs: Pick<Outputs, 'isCommandedBy' | 'letGo'>;
}

/** A controller that acts: its actions carry its name and reason, and it knows which outputs it switched. */
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

  /** The reason of a run of its actions, in words and as data. */
  explained(reason: Reason): { because: string; reason: Reason } {
    return explained(reason, this.#host.reader().time_zone);
  }

  async act(action: Action, reason: Reason, value?: ActionValue): Promise<ActionOutcome> {
    const ref = outputOf(action);
    if (ref !== undefined) this.#switched.set(keyOf(ref), ref);
    const { clock, actions } = this.#host;
    const said = { ...this.explained(reason), said: reasonText(reason, this.#host.reader()) };
    const cause = { controller_id: this.#id, word: this.#word, name: this.name, ...said, action: action.name };
    const late = (): ActionResult => ({
      outcome: 'failed',
      message: deviceSays('took_longer', { s: patienceMs / 1000 }),
    });
    const running = runAction(action, { site: actions, cause, value });
    const result = await within(running, { clock, timeoutMs: patienceMs, late });
    return { action_id: action.unique_id, name: action.name, kind: action.kind, ...result };
  }

  /**
   * Drives safe the outputs that still follow its commands, except those of these actions. Always resolves with true:
   * an output keeps retrying what its device did not confirm.
   */
  async letGo(except: readonly Action[] = []): Promise<boolean> {
    const kept = new Set(except.flatMap((action) => outputOf(action) ?? []).map(keyOf));
    const { outputs } = this.#host;
    const own: OutputRef[] = [];
    for (const [key, ref] of this.#switched) {
      if (kept.has(key)) continue;
      this.#switched.delete(key);
      if (outputs.isCommandedBy(this.#id, ref)) own.push(ref);
    }
    if (own.length > 0) await outputs.letGo(this.#id, own);
    return true;
  }
}

function outputOf(action: Action): OutputRef | undefined {
  return action.kind === 'output' ? { output_id: action.output_id, channel: action.channel } : undefined;
}

function keyOf({ output_id, channel }: OutputRef): string {
  return `${output_id}/${channel ?? ''}`;
}
