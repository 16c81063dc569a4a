import { deviceSays } from '../../../contract/device-words.ts';
import type { OutputCommand } from '../../../contract/daemon.ts';
import type { Input } from '../../../contract/input.ts';
import type { OutputRef } from '../../../contract/output.ts';
import { within, type Clock } from '../../clock.ts';
import { DriverError } from '../../drivers/driver.ts';
import type { Result } from '../../drivers/outcomes.ts';
import { Turns } from '../../turns.ts';

/**
 * Two switchings and a reading end by themselves within this time, ms: whatever takes longer hangs and loses its turn.
 */
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
  /** Whether the turn at the output has passed to another input. */
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
   * Reads with the input's output switched on before the reading, or until its end. Inputs that share an output take
   * turns; one that hangs delays the next by its lead time and 20 s at most. Throws DriverError.
   */
  around<Value>(input: Input, read: () => Promise<Value>, signal: AbortSignal): Promise<Value> {
    const used = input.pre_output;
    if (used === null) return read();
    return this.#turns.take(`${used.output_id}/${used.channel ?? ''}`, () => {
      const lost = new AbortController();
      const late = (): never => {
        const reason = new DriverError('timed_out', deviceSays('turn_lost'));
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

  /** Switches a sensor's power off for a while. */
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

  /** If it goes on after losing its turn, it no longer touches the output. */
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
    throw new DriverError('unreachable', deviceSays(state ? 'output_not_on' : 'output_not_off', { said: message }));
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
