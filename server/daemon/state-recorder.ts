import type { DaemonEvent, LiveState } from '../contract/daemon.ts';
import type { OutputState } from '../contract/output.ts';
import type { MeasurementWriter, StateMark } from '../measurement/store.ts';
import type { Clock } from './clock.ts';

interface RecorderOptions {
  clock: Clock;
  outputs: { states(): LiveState['outputs'] };
  writer: Pick<MeasurementWriter, 'mark'>;
}

/** Keeps in the measurement store in which state each output channel is, as the daemon's events and registers say. */
export class StateRecorder {
  readonly #options: RecorderOptions;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  hear(event: DaemonEvent): void {
    if (event.kind === 'output') this.#mark([event]);
  }

  /** Says all states again: what nobody vouches for counts as unknown after a while. */
  vouch(): void {
    this.#mark(this.#options.outputs.states());
  }

  #mark(channels: LiveState['outputs']): void {
    const time_ms = Math.round(this.#options.clock.now());
    const marks: StateMark[] = channels.map(({ output_id, channel, state, contact }) => ({
      output_id,
      channel,
      time_ms,
      state: percentOf(contact ?? state), // how long a contact was on and how often is counted, not estimated
    }));
    this.#options.writer.mark(marks).catch(() => undefined); // the store tells of it by its conditions
  }
}

function percentOf(state: OutputState): number | null {
  if (state === 'on') return 100;
  return state === 'off' ? 0 : state;
}
