import type { ControllerSettings } from '../../contract/controller-kind.ts';
import { kindOfType, kindOfWord, type ControllerType, type ControllerWord } from '../../contract/controller-kinds.ts';
import type { ControllerStatus } from '../../contract/daemon.ts';
import type { AskedActivation } from '../../db/repositories/asked-activation.ts';
import { AskedActivations } from './asked-activations.ts';
import { namedBy, type Configuration } from '../configuration/configuration.ts';
import type { ControlStore } from '../store/control-store.ts';
import type { ControllerSet } from './controller-set.ts';
import type { EventRing } from '../events/events.ts';
import { RemoteFailure } from '../../contract/remote/failure.ts';
import { driverOf } from '../../domain/control/driven-outputs.ts';
import { Turns } from '../turns.ts';

export interface ActivationOptions {
  configuration: Configuration;
  controllers: ControllerSet;
  store: ControlStore;
  events: Pick<EventRing, 'push'>;
}

export type StatusPair = [status: number, message: string];
type Named = NonNullable<ReturnType<typeof namedBy>>;

const notSafe = 'but its device did not confirm its safe state';

/**
 * Starts and stops controllers by id, looked up in the configuration at that moment. Calls for one controller take
 * turns: two concurrent starts, or a stop during a start, would leave a second controller on the same device.
 */
export class Activation {
  readonly #options: ActivationOptions;
  readonly #turns = new Turns();
  readonly #asked: AskedActivations;

  constructor(options: ActivationOptions) {
    this.#options = options;
    this.#asked = new AskedActivations(options);
  }

  /** Takes over what programs asked of the last daemon. */
  start(asked: readonly AskedActivation[]): void {
    this.#asked.start(asked);
  }

  /** Called now and then: forgets what the service has stored meanwhile. */
  look(): void {
    this.#asked.look();
  }

  /** Whether it should run, by its settings and what programs have asked for since. */
  isWanted(settings: { unique_id: string; is_activated: boolean }): boolean {
    return this.#asked.isActive(settings);
  }

  /** Throws RemoteFailure `not_found`, or `invalid_argument` when its type is not the given one. */
  activate(id: string, type?: string | null): Promise<StatusPair> {
    return this.#turns.take(id, () => this.#activate(id, type));
  }

  /** Also ends a controller whose settings are already gone. Status 1 when an output could not be driven safe first. */
  deactivate(id: string, type?: string | null): Promise<StatusPair> {
    return this.#turns.take(id, () => this.#deactivate(id, type));
  }

  /**
   * Like `activate` or `deactivate`, for a program: the status shows it, and a restart follows it, until the service
   * has stored it. Resolves once it is on disk.
   */
  obey(id: string, isActive: boolean, type?: string | null): Promise<StatusPair> {
    return this.#turns.take(id, async () => {
      const answer = await (isActive ? this.#activate(id, type) : this.#deactivate(id, type));
      const isRefused = isActive && answer[0] !== 0;
      if (isRefused || this.#find(id) === undefined) return answer;
      const kept = this.#asked.keep(id, isActive);
      this.#options.events.push({ kind: 'controller', ...this.#statusOf(id, isActive) });
      await kept;
      return answer;
    });
  }

  restart(id: string): Promise<StatusPair> {
    return this.#turns.take(id, async () => {
      this.#named(id);
      await this.#deactivate(id);
      return this.#activate(id);
    });
  }

  /**
   * Starts, changes or stops a controller according to its settings. With `isSettled`, which the service sets, the
   * settings also overrule what a program asked for before. Status 1 when an output could not be driven safe before its
   * release.
   */
  refresh(id: string, isSettled: boolean): Promise<StatusPair> {
    return this.#turns.take(id, () => {
      if (isSettled) this.#asked.forget(id);
      return this.#refresh(id);
    });
  }

  isActive(id: string): boolean {
    return this.#options.controllers.has(id);
  }

  /** Adds, removes or reconfigures an output. Status 1 when it could not be driven safe before its release. */
  setUpOutput(action: 'Add' | 'Delete' | 'Modify', id: string): Promise<StatusPair> {
    return this.#turns.take(id, () => (action === 'Delete' ? this.#delete(id) : this.#setUpOutput(id)));
  }

  /** Applies the current settings to every running output. */
  async refreshOutputs(): Promise<void> {
    const { configuration, controllers } = this.#options;
    const outputs = controllers.called('output');
    const refresh = (id: string) => async () => {
      const output = configuration.get('output', id);
      if (output) await outputs.reconfigure(output);
    };
    await Promise.all(configuration.list('output').map(({ unique_id: id }) => this.#turns.take(id, refresh(id))));
  }

  /**
   * Starts, changes or stops every controller according to its settings, once settings that were unreadable can be read
   * again.
   */
  async refreshAll(): Promise<void> {
    const { configuration, controllers } = this.#options;
    const known = controllers.entries().flatMap(([word]) => configuration.list(word).map(({ unique_id }) => unique_id));
    const ids = new Set([...known, ...this.statuses().map(({ controller_id }) => controller_id)]);
    await Promise.all([...ids].map((id) => this.#turns.take(id, () => this.#refresh(id))));
  }

  /** Throws RemoteFailure `not_found` when no controller of this type has the id. */
  require(type: ControllerType, id: string): void {
    if (!this.isKnown(type, id)) throw new RemoteFailure('not_found', `there is no ${kindOfType(type).noun} ${id}`);
  }

  isKnown(type: ControllerType, id: string): boolean {
    const { configuration, controllers } = this.#options;
    const { word } = kindOfType(type);
    return controllers.called(word).has(id) || configuration.get(word, id) !== undefined;
  }

  statuses(): ControllerStatus[] {
    const running = this.#options.controllers.statuses();
    const asked = this.#asked.pending();
    const ids = new Set(asked.map(([id]) => id));
    return [
      ...running.filter(({ controller_id }) => !ids.has(controller_id)),
      ...asked.map(([id, isActive]) => this.#statusOf(id, isActive)),
    ];
  }

  #statusOf(id: string, asked_active: boolean): ControllerStatus {
    const running = this.#options.controllers.statuses().find(({ controller_id }) => controller_id === id);
    const { type: controller_type } = this.#named(id);
    return { ...(running ?? { controller_id: id, controller_type, state: 'stopped', reason: null }), asked_active };
  }

  async #activate(id: string, type?: string | null): Promise<StatusPair> {
    const { word, settings } = this.#named(id, type);
    const driver = this.#driverOf(word, settings);
    if (driver !== undefined) return [1, `output_driven: its output is driven by ${driver}`];
    await this.#options.controllers.called(word).activate(settings);
    return [0, `${id} is active`];
  }

  /** The other running controller that drives one of its outputs. */
  #driverOf(word: ControllerWord, settings: ControllerSettings): string | undefined {
    const { configuration, controllers } = this.#options;
    const references = kindOfWord(word).stored?.references(settings) ?? [];
    const isAtWork = ({ unique_id }: ControllerSettings): boolean => controllers.has(unique_id);
    const driver = driverOf(settings, references, {
      stored: configuration,
      isAtWork,
      houseOf: (id) => configuration.facility(id),
    });
    return driver && `${driver.kind} "${driver.settings.name}"`;
  }

  async #deactivate(id: string, type?: string | null): Promise<StatusPair> {
    if (!this.isActive(id)) this.#named(id, type);
    return stopped(`${id} is not active`, await this.#options.controllers.deactivate(id));
  }

  async #refresh(id: string): Promise<StatusPair> {
    const named = this.#find(id);
    return named === undefined ? this.#letGo(id) : this.#setUp(id, named);
  }

  async #setUp(id: string, { word, settings }: Named): Promise<StatusPair> {
    const running = this.#options.controllers.called(word);
    if (!this.isWanted(settings)) return stopped(`${id} is set up`, await running.deactivate(id));
    await (running.has(id) ? running.reconfigure(settings) : running.activate(settings));
    return [0, `${id} is set up`];
  }

  async #setUpOutput(id: string): Promise<StatusPair> {
    this.require('Output', id);
    return this.#refresh(id);
  }

  async #delete(id: string): Promise<StatusPair> {
    const wasKnown = this.isKnown('Output', id);
    const answer = await this.#letGo(id);
    return wasKnown ? answer : [1, `there is no output ${id}`];
  }

  async #letGo(id: string): Promise<StatusPair> {
    const { controllers, store } = this.#options;
    const isSafe = await controllers.deactivate(id);
    await store.remove(id);
    return stopped(`${id} is let go`, isSafe);
  }

  #find(id: string): Named | undefined {
    return namedBy(this.#options.configuration, id);
  }

  /** Throws RemoteFailure `not_found`, or `invalid_argument` when its type is not the expected one. */
  #named(id: string, expected?: string | null): Named {
    const found = this.#find(id);
    if (found === undefined) throw new RemoteFailure('not_found', `there is no controller ${id}`);
    if (expected == null || expected === found.type) return found;
    throw new RemoteFailure('invalid_argument', `controller_type: ${id} is of type ${found.type}`);
  }
}

function stopped(message: string, isSafe: boolean): StatusPair {
  return isSafe ? [0, message] : [1, `${message}, ${notSafe}`];
}
