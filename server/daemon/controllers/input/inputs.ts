import type { ControllerStatus } from '../../../contract/daemon.ts';
import type { Input } from '../../../contract/input.ts';
import type { EventRing } from '../../events/events.ts';
import { phaseOf } from '../../grid.ts';
import { RemoteFailure } from '../../../contract/remote/failure.ts';
import { messageOf } from '../../../contract/message-of.ts';
import type { Controllers } from '../controller-kind.ts';
import { InputController, type InputHost } from './input.ts';

export interface InputsOptions extends Omit<InputHost, 'statusChanged' | 'replace' | 'phase'> {
  events: EventRing;
}

/** All running inputs. */
export class Inputs implements Controllers<Input> {
  readonly #options: InputsOptions;
  readonly #running = new Map<string, InputController>();
  #activated = 0;

  constructor(options: InputsOptions) {
    this.#options = options;
  }

  has(id: string): boolean {
    return this.#running.has(id);
  }

  /** Starts an input that was not running. */
  activate(input: Input): void {
    if (this.#running.has(input.unique_id)) return;
    const controller: InputController = new InputController(input, {
      ...this.#options,
      phase: phaseOf(this.#activated),
      replace: () => void this.#replace(controller),
      statusChanged: (status) => this.#publish(status),
    });
    this.#activated += 1;
    this.#running.set(input.unique_id, controller);
    controller.start();
    this.#publish(controller.status());
  }

  async reconfigure(input: Input): Promise<void> {
    await this.#running.get(input.unique_id)?.reconfigure(input);
  }

  /** Always true: it drives nothing. */
  async deactivate(id: string): Promise<boolean> {
    const controller = this.#running.get(id);
    this.#running.delete(id);
    if (controller === undefined) return true;
    await controller.stop();
    this.#options.live.forget(id);
    this.#publish({ ...controller.status(), state: 'stopped', reason: null });
    return true;
  }

  /**
   * Reads an input now; resolves once the reading is stored, with the error message or null. Throws RemoteFailure
   * `not_active`.
   */
  async measure(id: string): Promise<string | null> {
    const controller = this.#running.get(id);
    if (controller === undefined) throw new RemoteFailure('not_active', `input ${id} is not active`);
    return controller.measure().then(
      () => null,
      (error: unknown) => messageOf(error),
    );
  }

  /** Always true. */
  async stop(): Promise<boolean> {
    const running = [...this.#running.values()];
    this.#running.clear();
    await Promise.all(running.map((controller) => controller.stop()));
    return true;
  }

  statuses(): ControllerStatus[] {
    return [...this.#running.values()].map((controller) => controller.status());
  }

  async #replace(stalled: InputController): Promise<void> {
    await stalled.stop();
    if (this.#running.get(stalled.id) !== stalled) return; // it was let go meanwhile
    this.#running.delete(stalled.id);
    this.activate(stalled.settings);
  }

  #publish(status: ControllerStatus): void {
    this.#options.events.push({ kind: 'controller', ...status });
  }
}
