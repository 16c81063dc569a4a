import type { ControllerStatus } from '../../../contract/daemon.ts';
import type { Lcd, LcdDisplay } from '../../../contract/lcd.ts';
import type { EventRing } from '../../events/events.ts';
import { RemoteFailure } from '../../../contract/remote/failure.ts';
import { messageOf } from '../../../contract/message-of.ts';
import type { Controllers } from '../controller-kind.ts';
import { LcdController, type LcdHost } from './lcd.ts';

export interface LcdsOptions extends Omit<LcdHost, 'statusChanged' | 'shown'> {
  events: EventRing;
}

/** All running displays. */
export class Lcds implements Controllers<Lcd> {
  readonly #options: LcdsOptions;
  readonly #running = new Map<string, LcdController>();

  constructor(options: LcdsOptions) {
    this.#options = options;
  }

  has(id: string): boolean {
    return this.#running.has(id);
  }

  /** Starts a display that was not running. */
  activate(lcd: Lcd): void {
    if (this.#running.has(lcd.unique_id)) return;
    const controller = new LcdController(lcd, {
      ...this.#options,
      statusChanged: (status) => this.#publish(status),
      shown: (display) => this.#options.events.push({ kind: 'lcd', ...display }),
    });
    this.#running.set(lcd.unique_id, controller);
    controller.start();
    this.#publish(controller.status());
  }

  async reconfigure(lcd: Lcd): Promise<void> {
    await this.#running.get(lcd.unique_id)?.reconfigure(lcd);
  }

  /** Always true: it drives nothing. */
  async deactivate(id: string): Promise<boolean> {
    const controller = this.#running.get(id);
    this.#running.delete(id);
    if (controller === undefined) return true;
    await controller.stop();
    this.#publish({ ...controller.status(), state: 'stopped', reason: null });
    return true;
  }

  /**
   * Runs a command on a display; resolves with the error message, null when the display took it. Throws RemoteFailure
   * `not_active`.
   */
  async command(id: string, run: (controller: LcdController) => Promise<void>): Promise<string | null> {
    const controller = this.#running.get(id);
    if (controller === undefined) throw new RemoteFailure('not_active', `display ${id} is not active`);
    return run(controller).then(
      () => null,
      (error: unknown) => messageOf(error),
    );
  }

  /** Always true. */
  async stop(): Promise<boolean> {
    await Promise.all([...this.#running.values()].map((controller) => controller.stop()));
    return true;
  }

  displays(): LcdDisplay[] {
    return [...this.#running.values()].flatMap(({ display }) => (display === null ? [] : [display]));
  }

  statuses(): ControllerStatus[] {
    return [...this.#running.values()].map((controller) => controller.status());
  }

  #publish(status: ControllerStatus): void {
    this.#options.events.push({ kind: 'controller', ...status });
  }
}
