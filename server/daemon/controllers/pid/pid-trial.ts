import type { PidAutotune, PidAutotuneStart } from '../../../contract/pid-autotune.ts';
import {
  beginRelayTuning,
  relayTuningStep,
  type RelayTuningSettings,
  type RelayTuningState,
} from '../../../domain/control/relay-tuning.ts';

/** The trial of one PID, by which its gains are proposed. */
export class PidTrial {
  readonly #settings: RelayTuningSettings;
  #state: RelayTuningState = beginRelayTuning;
  #isAborted = false;

  constructor(asked: PidAutotuneStart, about: { setpoint: number; low: number; high: number }) {
    this.#settings = { ...asked, ...about };
  }

  get isRunning(): boolean {
    return this.#state.phase === 'running' && !this.#isAborted;
  }

  /** What its outputs are asked for; null once it is over. */
  step(time_s: number, measurement: number | null): number | null {
    if (this.#isAborted) return null;
    const next = relayTuningStep(this.#state, this.#settings, { time_s, measurement });
    this.#state = next.state;
    return next.control;
  }

  abort(): void {
    this.#isAborted = this.isRunning;
  }

  view(): Omit<PidAutotune, 'pid_id'> {
    const state = this.#state;
    if (state.phase === 'done')
      return { ...nothing, phase: 'done', ...state.point, proposals: state.proposals.map((one) => ({ ...one })) };
    if (state.phase === 'failed') return { ...nothing, phase: 'failed', reason: state.reason };
    if (this.#isAborted) return { ...nothing, phase: 'failed', reason: 'aborted' };
    return { ...nothing, phase: 'running', cycles: state.cycles.length };
  }
}

const nothing = { reason: null, cycles: 0, ku: null, tu_s: null, proposals: [] };

/** Of a PID that was not tried since it runs. */
export const noTrial: Omit<PidAutotune, 'pid_id'> = { ...nothing, phase: 'idle' };
