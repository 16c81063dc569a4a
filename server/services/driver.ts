import type { DriverDescription } from '../contract/driver.ts';
import { Refusal } from '../contract/errors.ts';
import { messageOf, type DaemonPort } from './daemon-port.ts';

/** The drivers that the daemon has. */
export class DriverService {
  readonly #daemon: Pick<DaemonPort, 'drivers'>;

  constructor(daemon: Pick<DaemonPort, 'drivers'>) {
    this.#daemon = daemon;
  }

  /** Throws `daemon_unreachable`. */
  async list(): Promise<DriverDescription[]> {
    try {
      return await this.#daemon.drivers();
    } catch (cause) {
      throw new Refusal('daemon_unreachable', `the control daemon did not answer: ${messageOf(cause)}`, { cause });
    }
  }
}
