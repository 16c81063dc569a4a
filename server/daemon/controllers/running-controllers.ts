import type { ControllerSettings } from '../../contract/controller-kind.ts';
import type { ControllerStatus } from '../../contract/daemon.ts';
import type { EventRing } from '../events/events.ts';
import type { ControlStore } from '../store/control-store.ts';
import type { ControllerStateRow } from '../../db/repositories/controller-state.ts';
import type { Controllers } from './controller-kind.ts';
import type { Controller } from './controller.ts';

/** A controller that acts by itself. */
export interface ActingController<Settings extends ControllerSettings> extends Controller {
  start(): void;
  stop(): Promise<void>;
  reconfigure(settings: Settings): Promise<void>;
  /** Drives safe what it switched on; false when that is not known to be safe. */
  letGo(): Promise<boolean>;
  /** Whether its stored state survives deactivation, so that switching it off and on cannot evade a cap. */
  readonly isRemembered?: boolean;
}

/**
 * Makes a controller; `kept` is the JSON that it stored before, undefined when there is none; `all` is what every
 * controller stored.
 */
type Make<Settings, One> = (
  settings: Settings,
  statusChanged: (status: ControllerStatus) => void,
  kept: string | undefined,
  all: readonly ControllerStateRow[],
) => One;

/** All running controllers of one kind that act by themselves. */
export class RunningControllers<
  Settings extends ControllerSettings,
  One extends ActingController<Settings>,
> implements Controllers<Settings> {
  readonly #events: Pick<EventRing, 'push'>;
  readonly #store: Pick<ControlStore, 'load' | 'remove'>;
  readonly #make: Make<Settings, One>;
  readonly #running = new Map<string, One>();

  constructor(
    { events, store }: { events: Pick<EventRing, 'push'>; store: Pick<ControlStore, 'load' | 'remove'> },
    make: Make<Settings, One>,
  ) {
    this.#events = events;
    this.#store = store;
    this.#make = make;
  }

  has(id: string): boolean {
    return this.#running.has(id);
  }

  get(id: string): One | undefined {
    return this.#running.get(id);
  }

  all(): One[] {
    return [...this.#running.values()];
  }

  /** Starts from what the last daemon kept of it. */
  async activate(settings: Settings): Promise<void> {
    const { unique_id } = settings;
    if (this.#running.has(unique_id)) return;
    const { controllers } = await this.#store.load();
    if (this.#running.has(unique_id)) return; // another call was faster
    const kept = controllers.find(({ controller_id }) => controller_id === unique_id)?.state;
    const controller = this.#make(settings, (status) => this.#publish(status), kept, controllers);
    this.#running.set(unique_id, controller);
    controller.start();
    this.#publish(controller.status());
  }

  async reconfigure(settings: Settings): Promise<void> {
    await this.#running.get(settings.unique_id)?.reconfigure(settings);
  }

  /** Its stored state is forgotten, so that it starts afresh the next time, unless it is remembered. */
  async deactivate(id: string): Promise<boolean> {
    const controller = this.#running.get(id);
    this.#running.delete(id);
    if (controller === undefined) return true;
    await controller.stop();
    const isSafe = await controller.letGo();
    if (controller.isRemembered !== true) await this.#store.remove(id);
    this.#publish({ ...controller.status(), state: 'stopped', reason: null });
    return isSafe;
  }

  /** Always true: outputs end with the daemon by their own settings. */
  async stop(): Promise<boolean> {
    await Promise.all([...this.#running.values()].map((controller) => controller.stop()));
    return true;
  }

  statuses(): ControllerStatus[] {
    return [...this.#running.values()].map((controller) => controller.status());
  }

  #publish(status: ControllerStatus): void {
    this.#events.push({ kind: 'controller', ...status });
  }
}
