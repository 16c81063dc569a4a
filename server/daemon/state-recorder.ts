import type { DaemonEvent, LiveState } from '../contract/daemon.ts';
import type { OutputOrigin, OutputState } from '../contract/output.ts';
import type { MeasurementWriter, StateMark } from '../measurement/store.ts';
import type { Clock } from './clock.ts';

interface RecorderOptions {
  clock: Clock;
  outputs: { states(): LiveState['outputs'] };
  writer: Pick<MeasurementWriter, 'mark'>;
}

/**
 * Records in the measurement store the state of each output channel, from the daemon's events and the states
 * themselves.
 */
export class StateRecorder {
  readonly #options: RecorderOptions;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  hear(event: DaemonEvent): void {
    if (event.kind === 'output') this.#mark([event]);
  }

  /** Confirms all states: an unconfirmed one counts as unknown after a while. */
  vouch(): void {
    this.#mark(this.#options.outputs.states());
  }

  #mark(channels: LiveState['outputs']): void {
    const timeMs = Math.round(this.#options.clock.now());
    const marks: StateMark[] = channels.map((one) => ({
      output_id: one.output_id,
      channel: one.channel,
      time_ms: timeMs,
      state: percentOf(one.contact ?? one.state), // how long a contact was on and how often is counted, not estimated
      origin: originOf(one),
    }));
    this.#options.writer.mark(marks).catch(() => undefined); // the store tells of it by its conditions
  }
}

/** What drove it there; null when nothing did: after a start, or by its own device. */
function originOf({ source, actor, reason, rule, cause }: OutputOrigin): OutputOrigin | null {
  return source === null && rule === null ? null : { source, actor, reason, rule, ...(cause && { cause }) };
}

function percentOf(state: OutputState): number | null {
  if (state === 'on') return 100;
  return state === 'off' ? 0 : state;
}
