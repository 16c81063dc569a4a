import type { ControllerStatus } from '../../../contract/daemon.ts';
import type { Method } from '../../../contract/method.ts';
import type { EventRing } from '../../events/events.ts';
import type { Controllers } from '../controller-kind.ts';
import type { MethodCurves } from './curves.ts';

/** Methods do nothing by themselves: this keeps their followers up to date. */
export class Methods implements Controllers<Method> {
  readonly #curves: MethodCurves;
  readonly #events: Pick<EventRing, 'push'>;
  readonly #running = new Set<string>();

  constructor(curves: MethodCurves, events: Pick<EventRing, 'push'>) {
    this.#curves = curves;
    this.#events = events;
  }

  has(id: string): boolean {
    return this.#running.has(id);
  }

  activate({ unique_id }: Method): void {
    this.#curves.forget();
    this.#running.add(unique_id);
    this.#events.push({ kind: 'controller', ...statusOf(unique_id) });
  }

  async reconfigure(): Promise<void> {
    this.#curves.forget();
  }

  async deactivate(id: string): Promise<boolean> {
    this.#curves.forget();
    if (this.#running.delete(id)) this.#events.push({ kind: 'controller', ...statusOf(id), state: 'stopped' });
    return true;
  }

  async stop(): Promise<boolean> {
    return true;
  }

  statuses(): ControllerStatus[] {
    return [...this.#running].map(statusOf);
  }
}

function statusOf(controller_id: string): ControllerStatus {
  return { controller_id, controller_type: 'Method', state: 'running', reason: null };
}
