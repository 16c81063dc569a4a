import type { AskedActivation } from '../db/repositories/asked-activation.ts';
import type { ControllerStatus, ControllerType } from '../contract/daemon.ts';
import { AskedActivations, settingsOf } from './asked-activations.ts';
import type { Configuration } from './configuration.ts';
import type { ControlStore } from './control-store.ts';
import type { Inputs } from './controllers/input/inputs.ts';
import type { Lcds } from './controllers/lcd/lcds.ts';
import type { Outputs } from './controllers/output/outputs.ts';
import type { EventRing } from './events.ts';
import { RemoteFailure } from '../contract/remote/failure.ts';
import { Turns } from './turns.ts';

export interface ActivationOptions {
  configuration: Configuration;
  inputs: Inputs;
  outputs: Outputs;
  lcds: Lcds;
  store: ControlStore;
  events: Pick<EventRing, 'push'>;
}

export type StatusPair = [status: number, message: string];

const typeNames = { Input: 'input', Output: 'output', LCD: 'display' };
const NOT_SAFE = 'but its device did not confirm its safe state';

/**
 * Starts and stops controllers by their id; what an id is, the configuration says at that moment. What concerns one controller takes
 * turns: two that start it at once, or one that stops it meanwhile, would leave a second one at the same device.
 */
export class Activation {
  readonly #options: ActivationOptions;
  readonly #turns = new Turns();
  readonly #asked: AskedActivations;

  constructor(options: ActivationOptions) {
    this.#options = options;
    this.#asked = new AskedActivations(options);
  }

  /** Takes over what programs had asked of the last daemon. */
  start(asked: readonly AskedActivation[]): void {
    this.#asked.start(asked);
  }

  /** Now and then: forgets what the service has stored meanwhile. */
  look(): void {
    this.#asked.look();
  }

  /** Whether it is to run, by its settings and what programs asked for since. */
  isWanted(settings: { unique_id: string; is_activated: boolean }): boolean {
    return this.#asked.isActive(settings);
  }

  /** Throws RemoteFailure `not_found`, or `invalid_argument` when the type is another than the one given. */
  activate(id: string, type?: string | null): Promise<StatusPair> {
    return this.#turns.take(id, () => this.#activate(id, type));
  }

  /** Also ends a controller whose settings are gone already. Status 1 when an output could not be driven safe before. */
  deactivate(id: string, type?: string | null): Promise<StatusPair> {
    return this.#turns.take(id, () => this.#deactivate(id, type));
  }

  /**
   * As `activate` or `deactivate`, for a program: the status says so, and a restart obeys it, until the service has stored it. Resolves
   * when the disk has it.
   */
  obey(id: string, isActive: boolean, type?: string | null): Promise<StatusPair> {
    return this.#turns.take(id, async () => {
      const answer = await (isActive ? this.#activate(id, type) : this.#deactivate(id, type));
      const { input, output, lcd } = settingsOf(this.#options.configuration, id);
      if ((input ?? output ?? lcd) === undefined) return answer;
      const kept = this.#asked.keep(id, isActive);
      this.#options.events.push({ kind: 'controller', ...this.#statusOf(id, isActive) });
      await kept;
      return answer;
    });
  }

  restart(id: string): Promise<StatusPair> {
    return this.#turns.take(id, async () => {
      this.#typeOf(id);
      await this.#deactivate(id);
      return this.#activate(id);
    });
  }

  /**
   * Takes up, changes or lets go, as the settings now say; `isSettled`: also where a program asked for something else before, for the
   * service says so. Status 1 when an output could not be driven safe before it was let go.
   */
  refresh(id: string, isSettled: boolean): Promise<StatusPair> {
    return this.#turns.take(id, () => {
      if (isSettled) this.#asked.forget(id);
      return this.#refresh(id);
    });
  }

  isActive(id: string): boolean {
    const { inputs, outputs, lcds } = this.#options;
    return [inputs, outputs, lcds].some((kind) => kind.has(id));
  }

  /** Takes an output in, lets it go, or gives it its changed settings. Status 1 when it could not be driven safe before it was let go. */
  setUpOutput(action: 'Add' | 'Delete' | 'Modify', id: string): Promise<StatusPair> {
    return this.#turns.take(id, () => (action === 'Delete' ? this.#delete(id) : this.#setUp(id)));
  }

  /** Gives every running output its settings anew. */
  async refreshOutputs(): Promise<void> {
    const { configuration, outputs } = this.#options;
    const refresh = (id: string) => async () => {
      const output = configuration.output(id);
      if (output) await outputs.reconfigure(output);
    };
    await Promise.all(configuration.outputs().map(({ unique_id: id }) => this.#turns.take(id, refresh(id))));
  }

  /** Takes up, changes or lets go each device, as the settings now say: those that could not be read can be again. */
  async refreshAll(): Promise<void> {
    const { configuration } = this.#options;
    const known = [...configuration.inputs(), ...configuration.outputs(), ...configuration.lcds()];
    const ids = new Set([...known, ...this.statuses()].map((one) => idOf(one)));
    await Promise.all([...ids].map((id) => this.#turns.take(id, () => this.#refresh(id))));
  }

  /** Throws RemoteFailure `not_found` for an id that is none of this type. */
  require(type: 'Input' | 'Output' | 'LCD', id: string): void {
    if (!this.isKnown(type, id)) throw new RemoteFailure('not_found', `there is no ${typeNames[type]} ${id}`);
  }

  isKnown(type: 'Input' | 'Output' | 'LCD', id: string): boolean {
    const { configuration, inputs, outputs, lcds } = this.#options;
    const isKnown = {
      Input: () => inputs.has(id) || configuration.input(id) !== undefined,
      Output: () => outputs.has(id) || configuration.output(id) !== undefined,
      LCD: () => lcds.has(id) || configuration.lcd(id) !== undefined,
    };
    return isKnown[type]();
  }

  statuses(): ControllerStatus[] {
    const running = this.#running();
    const asked = this.#asked.pending();
    const ids = new Set(asked.map(([id]) => id));
    return [
      ...running.filter(({ controller_id }) => !ids.has(controller_id)),
      ...asked.map(([id, isActive]) => this.#statusOf(id, isActive)),
    ];
  }

  #running(): ControllerStatus[] {
    const { inputs, outputs, lcds } = this.#options;
    return [inputs, outputs, lcds].flatMap((kind) => kind.statuses());
  }

  #statusOf(id: string, asked_active: boolean): ControllerStatus {
    const running = this.#running().find(({ controller_id }) => controller_id === id);
    const stopped = { controller_id: id, controller_type: this.#typeOf(id), state: 'stopped', reason: null } as const;
    return { ...(running ?? stopped), asked_active };
  }

  async #activate(id: string, type?: string | null): Promise<StatusPair> {
    const { configuration, inputs, outputs, lcds } = this.#options;
    this.#typeOf(id, type);
    const { input, output, lcd } = settingsOf(configuration, id);
    if (input) inputs.activate(input);
    if (lcd) lcds.activate(lcd);
    if (output) await outputs.activate(output);
    return [0, `${id} is active`];
  }

  async #deactivate(id: string, type?: string | null): Promise<StatusPair> {
    const { inputs, outputs, lcds } = this.#options;
    if (!this.isActive(id)) this.#typeOf(id, type);
    await Promise.all([inputs.deactivate(id), lcds.deactivate(id)]);
    return stopped(`${id} is not active`, await outputs.deactivate(id));
  }

  async #setUp(id: string): Promise<StatusPair> {
    const { configuration, outputs } = this.#options;
    this.require('Output', id);
    const output = configuration.output(id);
    if (output === undefined || !this.isWanted(output)) return stopped(`${id} is set up`, await outputs.deactivate(id));
    if (outputs.has(id)) await outputs.reconfigure(output);
    else await outputs.activate(output);
    return [0, `${id} is set up`];
  }

  async #refresh(id: string): Promise<StatusPair> {
    const { configuration, inputs, lcds } = this.#options;
    const { input, output, lcd } = settingsOf(configuration, id);
    if (output) return this.#setUp(id);
    if (input && this.isWanted(input)) await takeUp(inputs, input);
    else if (lcd && this.isWanted(lcd)) await takeUp(lcds, lcd);
    else if (input ?? lcd) await Promise.all([inputs.deactivate(id), lcds.deactivate(id)]);
    else return this.#forget(id);
    return [0, `${id} is set up`];
  }

  async #forget(id: string): Promise<StatusPair> {
    const { inputs, lcds } = this.#options;
    await Promise.all([inputs.deactivate(id), lcds.deactivate(id)]);
    return this.#letGo(id);
  }

  async #delete(id: string): Promise<StatusPair> {
    const wasKnown = this.isKnown('Output', id);
    const answer = await this.#letGo(id);
    return wasKnown ? answer : [1, `there is no output ${id}`];
  }

  async #letGo(id: string): Promise<StatusPair> {
    const { outputs, store } = this.#options;
    const isSafe = await outputs.deactivate(id);
    await store.remove(id);
    return stopped(`${id} is let go`, isSafe);
  }

  #typeOf(id: string, expected?: string | null): ControllerType {
    const { input, output, lcd } = settingsOf(this.#options.configuration, id);
    const type = input ? 'Input' : output ? 'Output' : lcd ? 'LCD' : undefined;
    if (type === undefined) throw new RemoteFailure('not_found', `there is no controller ${id}`);
    if (expected == null || expected === type) return type;
    throw new RemoteFailure('invalid_argument', `controller_type: ${id} is of type ${type}`);
  }
}

function idOf(one: { unique_id: string } | { controller_id: string }): string {
  return 'unique_id' in one ? one.unique_id : one.controller_id;
}

interface Kind<Settings> {
  has(id: string): boolean;
  activate(settings: Settings): void;
  reconfigure(settings: Settings): Promise<void>;
}

async function takeUp<Settings extends { unique_id: string }>(kind: Kind<Settings>, settings: Settings): Promise<void> {
  if (kind.has(settings.unique_id)) await kind.reconfigure(settings);
  else kind.activate(settings);
}

function stopped(message: string, isSafe: boolean): StatusPair {
  return isSafe ? [0, message] : [1, `${message}, ${NOT_SAFE}`];
}
