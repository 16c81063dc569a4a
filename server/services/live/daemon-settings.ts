import { messageOf } from '../../contract/message-of.ts';
import type { DaemonPort } from './daemon-port.ts';

interface DaemonSettingsOptions {
  daemon: Pick<DaemonPort, 'controller_refresh'>;
  log: { warn(message: string): void };
}

/**
 * Notifies the daemon and the listeners of changed settings. They are already stored and the daemon reads them at each
 * start, so a daemon that cannot be reached is a warning in the log, not a failure of the change.
 */
export class DaemonSettings {
  readonly #options: DaemonSettingsOptions;
  readonly #listeners = new Set<(id: string) => void>();

  constructor(options: DaemonSettingsOptions) {
    this.#options = options;
  }

  /** Calls the listener with the id of each device whose settings were stored; returns an unsubscribe function. */
  subscribe(listener: (id: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Call where the daemon is notified by other means. */
  stored(id: string): void {
    for (const listener of this.#listeners) listener(id);
  }

  /** Call after a device was made, changed or deleted. */
  async changed(id: string): Promise<void> {
    this.stored(id);
    const { daemon, log } = this.#options;
    try {
      const [status, message] = await daemon.controller_refresh(id);
      if (status !== 0) log.warn(`the daemon on changed settings: ${message}`);
    } catch (error) {
      log.warn(`the daemon does not know the settings of ${id} yet: ${messageOf(error)}`);
    }
  }
}
