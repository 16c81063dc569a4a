import type { ControllerStatus } from '../../contract/daemon.ts';
import type { EventRing } from '../events/events.ts';

/** The last reported status of each controller. */
export class ToldStatuses {
  readonly #states = new Map<string, ControllerStatus['state']>();

  constructor(events: Pick<EventRing, 'subscribe'>) {
    events.subscribe((event) => {
      if (event.kind === 'controller') this.#states.set(event.controller_id, event.state);
    });
  }

  /** Whether a controller runs without a fault; null before its first status. */
  isWell(id: string): boolean | null {
    const state = this.#states.get(id);
    return state === undefined ? null : state === 'running';
  }
}
