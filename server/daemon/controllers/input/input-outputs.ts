import type { OutputCommand } from '../../../contract/daemon.ts';
import type { Input } from '../../../contract/input.ts';
import type { OutputRef } from '../../../contract/output.ts';
import { within, type Clock } from '../../clock.ts';
import { DriverError } from '../../drivers/driver.ts';
import type { Result } from '../../drivers/outcomes.ts';
import { Turns } from '../../turns.ts';

/** Switching twice and reading end by themselves within this time, ms: what takes longer hangs, and loses its turn. */
const longestTurnMs = 20_000;

type PreOutput = NonNullable<Input['pre_output']>;

interface InputOutputsOptions {
  clock: Clock;
  command: (command: OutputCommand) => Promise<Result>;
}

interface Turn<Value> {
  input: Input;
  used: PreOutput;
  read: () => Promise<Value>;
  signal: AbortSignal;
  /** Another has the output now. */
  isLost: () => boolean;
}

/** Switches outputs for the inputs that need them: a pump before a reading, the power of a sensor that hangs. */
export class InputOutputs {
  readonly #options: InputOutputsOptions;
  readonly #turns = new Turns();

  constructor(options: InputOutputsOptions) {
    this.#options = options;
  }

  /**
   * Reads with the input's output switched on before, or as long; inputs that share one take turns, and one that hangs holds up the
   * next for its lead time and 20 s at most. Throws DriverError.
   */
  around<Value>(input: Input, read: () => Promise<Value>, signal: AbortSignal): Promise<Value> {
    const used = input.pre_output;
    if (used === null) return read();
    return this.#turns.take(`${used.output_id}/${used.channel ?? ''}`, () => {
      const lost = new AbortController();
      const late = (): never => {
        const reason = new DriverError('timed_out', 'it hung, and lost its turn at the output that it shares');
        lost.abort(reason);
        void this.#switch(input, used, false).catch(() => undefined); // the output keeps its own reason
        throw reason;
      };
      const isLost = (): boolean => lost.signal.aborted;
      const ends = AbortSignal.any([signal, lost.signal]);
      const reading = this.#inTurn({ input, used, read, signal: ends, isLost });
      return within(reading, { clock: this.#options.clock, timeoutMs: used.lead_s * 1000 + longestTurnMs, late });
    });
  }

  /** Takes the power from a sensor for a while. */
  async powerCycle(input: Input, signal: AbortSignal): Promise<void> {
    const used = input.power_output;
    if (used === null) return;
    try {
      await this.#switch(input, used, false);
      await this.#pause(used.off_s, signal);
    } finally {
      await this.#switch(input, used, true, { keep: true }); // a sensor must not stay without power for a rest of its output
    }
  }

  /** What goes on after its turn was lost touches nothing any more. */
  async #inTurn<Value>({ input, used, read, signal, isLost }: Turn<Value>): Promise<Value> {
    signal.throwIfAborted();
    let isOn = false;
    try {
      await this.#switch(input, used, true);
      isOn = true;
      await this.#pause(used.lead_s, signal);
      if (used.while_measuring) return await read();
      isOn = false;
      await this.#switch(input, used, false);
      return await read();
    } finally {
      if (isOn && !isLost()) await this.#switch(input, used, false).catch(() => undefined); // the output keeps its own reason
    }
  }

  async #switch(
    input: Input,
    { output_id, channel }: OutputRef,
    state: boolean,
    more: Pick<OutputCommand, 'keep'> = {},
  ): Promise<void> {
    const actor = `input ${input.name}`.slice(0, 200);
    const { outcome, message } = await this.#options.command({
      output_id,
      state,
      source: 'automatic',
      actor,
      ...more,
      ...(channel !== undefined && { channel }),
    });
    if (outcome !== 'failed' && outcome !== 'blocked') return;
    throw new DriverError('unreachable', `its output cannot be switched ${state ? 'on' : 'off'}: ${message}`);
  }

  async #pause(seconds: number, signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      const over = (): void => {
        timer.cancel();
        signal.removeEventListener('abort', over); // the signal lives as long as the input, which reads for months
        resolve();
      };
      const timer = this.#options.clock.after(seconds * 1000, over);
      signal.addEventListener('abort', over);
    });
    signal.throwIfAborted();
  }
}
