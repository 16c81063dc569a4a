import type { PidAutotune, PidAutotuneStart } from '../../../contract/pid-autotune.ts';
import type { Clock } from '../../clock.ts';
import {
  beginRelayTuning,
  relayTuningShare,
  relayTuningStep,
  type RelayTuningSettings,
  type RelayTuningState,
} from '../../../domain/control/relay-tuning.ts';

/** A relay trial of one PID, from which its gains are proposed. */
export class PidTrial {
  readonly #settings: RelayTuningSettings;
  readonly #clock: Clock;
  /** Elapsed ms. */
  readonly #began: number;
  #state: RelayTuningState = beginRelayTuning;
  #isAborted = false;

  constructor(asked: PidAutotuneStart, about: { setpoint: number; low: number; high: number }, clock: Clock) {
    this.#settings = { ...asked, ...about };
    this.#clock = clock;
    this.#began = clock.elapsed();
  }

  get isRunning(): boolean {
    return this.#state.phase === 'running' && !this.#isAborted;
  }

  /** The control to apply; null once it is over. */
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
    return { ...nothing, phase: 'running', cycles: state.cycles.length, progress: this.#progress() };
  }

  #progress(): NonNullable<PidAutotune['progress']> {
    const now = this.#clock.elapsed();
    const leftMs = this.#began + this.#settings.max_s * 1000 - now;
    const share = relayTuningShare(this.#state, this.#settings, now / 1000);
    return {
      done_pct: Math.round(100 * share),
      ends_at: new Date(this.#clock.now() + Math.max(0, leftMs)).toISOString(),
    };
  }
}

const nothing = { reason: null, cycles: 0, progress: null, ku: null, tu_s: null, proposals: [] };

/** Of a PID that has not been tried since its start. */
export const noTrial: Omit<PidAutotune, 'pid_id'> = { ...nothing, phase: 'idle' };
