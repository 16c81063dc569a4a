import { randomUUID } from 'node:crypto';
import type { Actor, AuditSink } from '../../auth/actor.ts';
import type { SecretBox } from '../../auth/secret-box.ts';
import { Refusal, refuseField } from '../../contract/errors.ts';
import type { OutputChannelOffer } from '../../contract/drivers/driver.ts';
import {
  output,
  outputChannel,
  type LiveOutput,
  type Output,
  type OutputChannel,
  type OutputCreate,
  type OutputPatch,
} from '../../contract/output.ts';
import type { Interlock } from '../../contract/safety.ts';
import type { ControllerStores } from '../../db/repositories/controller-stores.ts';
import type { FacilityRepository } from '../../db/repositories/facility.ts';
import type { OutputRepository } from '../../db/repositories/output.ts';
import type { InputRepository } from '../../db/repositories/input.ts';
import type { LcdRepository } from '../../db/repositories/lcd.ts';
import type { PlacementRepository } from '../../db/repositories/placement.ts';
import type { Transact } from '../../db/transaction.ts';
import type { DaemonSettings } from '../live/daemon-settings.ts';
import { mergedOptions, refuseOtherId } from './patch.ts';
import { sealedDevice, shownDevice } from './secret.ts';
import { refuseUsedChannels, refuseUsedDevice } from './users.ts';
import { checkOutputDriver, chooseChannels } from './driver-channels.ts';
import type { LiveCache } from '../live/live.ts';

interface OutputServiceOptions {
  outputs: OutputRepository;
  facilities: FacilityRepository;
  placements: PlacementRepository;
  lcds: LcdRepository;
  inputs: Pick<InputRepository, 'usersOf'>;
  interlocks: () => readonly Interlock[];
  kinds: ControllerStores;
  transact: Transact;
  audit: AuditSink;
  daemon: DaemonSettings;
  secrets: Pick<SecretBox, 'seal'>;
  live: Pick<LiveCache, 'outputState'>;
}

/** The settings of outputs, and their live state beside them. */
export class OutputService {
  readonly #options: OutputServiceOptions;

  constructor(options: OutputServiceOptions) {
    this.#options = options;
  }

  list(): Output[] {
    return this.#options.outputs.list().map(shownDevice);
  }

  /** Throws `not_found`. */
  get(id: string): Output {
    const found = this.#options.outputs.get(id);
    if (found === undefined) throw new Refusal('not_found', 'no such output');
    return shownDevice(found);
  }

  listLive(): LiveOutput[] {
    return this.list().map((one) => this.#withState(one));
  }

  /** Throws `not_found`. */
  getLive(id: string): LiveOutput {
    return this.#withState(this.get(id));
  }

  /** Stores it and tells the daemon. Throws `unknown_reference`, `invalid_field`, `unknown_field` or `read_only_field`. */
  async create(actor: Actor, sent: OutputCreate): Promise<Output> {
    const { outputs, transact, audit, daemon, secrets } = this.#options;
    const made = sealedDevice(newOutput(sent), { box: secrets });
    transact(() => {
      outputs.insert(made);
      audit.record({ kind: 'output.create', actor, target: made.unique_id, after: shownDevice(made) });
    });
    await daemon.changed(made.unique_id);
    return shownDevice(made);
  }

  /** Changes what the patch names and tells the daemon. Throws as `create`, `not_found`, `read_only_field`, `in_use`. */
  async change(actor: Actor, id: string, patch: OutputPatch): Promise<Output> {
    const after = this.#store(actor, id, patch);
    await this.#options.daemon.changed(id);
    return after;
  }

  has(id: string): boolean {
    return this.#options.outputs.get(id) !== undefined;
  }

  /** Stores whether it is to run; the caller tells the daemon. Throws `not_found`. */
  setActivated(actor: Actor, id: string, is_activated: boolean): void {
    this.#store(actor, id, { is_activated });
  }

  /** Throws `not_found`, or `in_use` with what uses it. */
  async remove(actor: Actor, id: string): Promise<void> {
    const { outputs, transact, audit, daemon } = this.#options;
    transact(() => {
      const before = this.get(id);
      refuseUsedDevice(id, this.#options);
      outputs.remove(id);
      audit.record({ kind: 'output.delete', actor, target: id, before });
    });
    await daemon.changed(id);
  }

  #withState(one: Output): LiveOutput {
    const { live } = this.#options;
    return { ...one, state: one.channels.map(({ channel }) => live.outputState(one.unique_id, channel)) };
  }

  #store(actor: Actor, id: string, patch: OutputPatch): Output {
    const { outputs, transact, audit, secrets } = this.#options;
    return transact(() => {
      const before = this.get(id);
      const after = changedOutput(before, patch);
      const stored = sealedDevice(after, { box: secrets, before: outputs.get(id) });
      refuseUsedChannels(before, after, this.#options);
      outputs.update(stored);
      audit.record({ kind: 'output.change', actor, target: id, before, after: shownDevice(stored) });
      return shownDevice(stored);
    });
  }
}

/** An output as asked for, with what was left open filled in. */
export function newOutput(sent: OutputCreate): Output {
  const empty = { unique_id: randomUUID(), options: {}, channels: [], is_activated: true };
  return settle({ ...empty, name: sent.name, driver: sent.driver }, sent, []);
}

/** An output with what the patch names changed. Throws `read_only_field`, and as a new one. */
function changedOutput(before: Output, patch: OutputPatch): Output {
  refuseOtherId(before.unique_id, patch.unique_id);
  return settle(before, patch, checkOutputDriver(before.driver, before.options).offers);
}

function settle(before: Output, patch: OutputPatch, offeredBefore: OutputChannelOffer[]): Output {
  const { options, offers } = checkOutputDriver(patch.driver ?? before.driver, mergedOptions(before, patch));
  const chosen = chooseChannels({ offers, asked: patch.channels, kept: before.channels, offeredBefore });
  return output.parse({
    ...before,
    ...patch,
    unique_id: before.unique_id,
    options,
    channels: chosen.map(settleChannel),
  });
}

const defaults = {
  safe_state: 'off',
  startup_state: 'safe',
  shutdown_state: 'safe',
  min_off_s: 0,
  max_on_s: null,
  current_a: null,
  flow_ml_s: null,
  pwm_cycle_s: null,
  pwm_min_on_s: 1,
} satisfies Partial<OutputChannel>;

type AskedChannel = NonNullable<OutputPatch['channels']>[number];
type ChosenChannel = ReturnType<typeof chooseChannels<OutputChannelOffer, AskedChannel, OutputChannel>>[number];

function settleChannel({ offer, asked, kept, path }: ChosenChannel): OutputChannel {
  if (asked?.kind === 'dimmer' && offer.kind === 'switch') {
    throw refuseField('invalid_field', `${path}.kind`, 'can only be switch here');
  }
  const kind = asked?.kind ?? (offer.kind === 'switch' ? 'switch' : (kept?.kind ?? offer.kind));
  const channel = outputChannel.parse({
    ...defaults,
    name: offer.name,
    ...kept,
    ...asked,
    channel: offer.channel,
    kind,
  });
  if (kind === 'switch' && typeof channel.safe_state === 'number') {
    throw refuseField('invalid_field', `${path}.safe_state`, 'of a switch is on or off');
  }
  if (kind === 'dimmer' && channel.pwm_cycle_s !== null) {
    throw refuseField('invalid_field', `${path}.pwm_cycle_s`, 'of a dimmer is null: it takes any duty as it is');
  }
  return channel;
}
