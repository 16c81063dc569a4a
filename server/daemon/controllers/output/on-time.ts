import type { OutputState } from '../../../contract/output.ts';
import { isOn } from '../../../contract/output-state.ts';

/** How long a channel has been on and must stay off. Times are elapsed ms; an unknown state ends neither. */
export class OnTime {
  /** null when off. */
  on_since: number | null = null;
  min_off_until = -Infinity;
  /** How long it must stay off after it switches off, s. */
  min_off_s = 0;

  /** Takes the state in which the channel was found or to which it was driven. */
  observe(state: OutputState, elapsedMs: number): void {
    if (state === null) return;
    if (isOn(state)) {
      this.on_since ??= elapsedMs;
      return;
    }
    if (this.on_since !== null) this.min_off_until = elapsedMs + this.min_off_s * 1000;
    this.on_since = null;
  }

  /** How much longer it must stay off, s; 0 when it may switch on. */
  remainingOffS(elapsedMs: number): number {
    return this.on_since === null ? Math.max(0, (this.min_off_until - elapsedMs) / 1000) : 0;
  }

  /** When it may switch on again, elapsed ms; null when it may already. */
  offUntil(elapsedMs: number): number | null {
    return this.remainingOffS(elapsedMs) > 0 ? this.min_off_until : null;
  }

  /** How long it has been on, s: 0 when off, null when unknown. */
  onSeconds(state: OutputState, elapsedMs: number): number | null {
    if (state === null) return null;
    return this.on_since === null ? 0 : Math.max(0, (elapsedMs - this.on_since) / 1000);
  }
}
