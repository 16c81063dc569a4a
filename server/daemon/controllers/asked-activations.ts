import type { AskedActivation } from '../../db/repositories/asked-activation.ts';
import { namedBy, type Configuration } from '../configuration/configuration.ts';
import type { ControlStore } from '../store/control-store.ts';

interface AskedOptions {
  configuration: Configuration;
  store: Pick<ControlStore, 'saveAsked'>;
}

/**
 * The controllers that programs activated or deactivated. Control follows this, even after a restart, until the service
 * has stored it: a request is forgotten once the settings agree, or when the service itself states the settings.
 */
export class AskedActivations {
  readonly #options: AskedOptions;
  readonly #asked = new Map<string, boolean>();

  constructor(options: AskedOptions) {
    this.#options = options;
  }

  /** Takes over what the last daemon left. */
  start(left: readonly AskedActivation[]): void {
    for (const { controller_id, is_active } of left) this.#asked.set(controller_id, is_active);
    this.look();
  }

  /** Called now and then: forgets what the service has stored, and requests for controllers whose settings are gone. */
  look(): void {
    for (const [id, isActive] of [...this.#asked]) if (!this.#differs(id, isActive)) this.forget(id);
  }

  /** Whether a controller should run: as a program last asked, else as its settings say. */
  isActive({ unique_id, is_activated }: { unique_id: string; is_activated: boolean }): boolean {
    return this.#asked.get(unique_id) ?? is_activated;
  }

  /** Requests that the settings do not yet reflect. */
  pending(): [id: string, isActive: boolean][] {
    return [...this.#asked].filter(([id, isActive]) => this.#differs(id, isActive));
  }

  /** Resolves once it is on disk. */
  async keep(id: string, isActive: boolean): Promise<void> {
    this.#asked.set(id, isActive);
    await this.#options.store.saveAsked(id, isActive);
  }

  /** If the disk keeps a forgotten request, the next start decides about it again. */
  forget(id: string): void {
    if (!this.#asked.delete(id)) return;
    void this.#options.store.saveAsked(id, null).catch(() => undefined);
  }

  #differs(id: string, isActive: boolean): boolean {
    const named = namedBy(this.#options.configuration, id);
    return named !== undefined && named.settings.is_activated !== isActive;
  }
}
