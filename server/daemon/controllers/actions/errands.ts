import { deviceSays } from '../../../contract/device-words.ts';
import type { ActionResult } from '../../../contract/action.ts';
import type { Errand } from '../../../contract/errand.ts';
import type { Clock } from '../../clock.ts';
import type { EventRing } from '../../events/events.ts';

/**
 * What one controller may hand over, at once and a minute, so that a rule that runs every second does not fill a
 * mailbox.
 */
const mostAMinute = 30;
/** Controllers whose pace is remembered; any beyond these start with their full allowance. */
const mostKnown = 2_000;

/** An errand as a controller asks for it, before its end is known. */
export interface AskedErrand extends Omit<Errand, 'ends_at'> {
  /** Given up after this time, s. */
  keep_s: number;
}

interface Pace {
  left: number;
  at_ms: number;
}

/**
 * The way from actions to the service, which writes notes and sends messages: an event, kept until the service has
 * taken it. Control never waits for it.
 */
export class Errands {
  readonly #clock: Clock;
  readonly #events: Pick<EventRing, 'push'>;
  readonly #paces = new Map<string, Pace>();

  constructor({ clock, events }: { clock: Clock; events: Pick<EventRing, 'push'> }) {
    this.#clock = clock;
    this.#events = events;
  }

  /** Blocked when its controller has handed over too many. */
  handOver({ keep_s, ...errand }: AskedErrand): ActionResult {
    if (!this.#take(errand.cause.unique_id))
      return { outcome: 'blocked', message: deviceSays('too_many_messages', { n: mostAMinute }) };
    const ends_at = new Date(this.#clock.now() + keep_s * 1000).toISOString();
    this.#events.push({ kind: 'errand', ...errand, ends_at });
    return { outcome: 'pending', message: 'handed over' };
  }

  #take(controllerId: string): boolean {
    const nowMs = this.#clock.elapsed();
    const known = this.#paces.get(controllerId) ?? { left: mostAMinute, at_ms: nowMs };
    const left = Math.min(mostAMinute, known.left + ((nowMs - known.at_ms) * mostAMinute) / 60_000);
    if (this.#paces.size >= mostKnown) this.#paces.clear();
    this.#paces.set(controllerId, { left: left < 1 ? left : left - 1, at_ms: nowMs });
    return left >= 1;
  }
}
