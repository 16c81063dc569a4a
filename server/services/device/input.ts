import { randomUUID } from 'node:crypto';
import type { Actor, AuditSink } from '../../auth/actor.ts';
import type { SecretBox } from '../../auth/secret-box.ts';
import { Refusal, refuseField } from '../../contract/errors.ts';
import type { InputChannelOffer } from '../../contract/drivers/driver.ts';
import {
  input,
  inputChannel,
  type Input,
  type InputChannel,
  type InputCreate,
  type InputPatch,
} from '../../contract/input.ts';
import type { OutputRef } from '../../contract/output.ts';
import {
  measurementUnits,
  rawUnits,
  unitConversion,
  type MeasurementName,
  type OwnUnit,
} from '../../contract/units.ts';
import type { Interlock } from '../../contract/safety.ts';
import type { ControllerStores } from '../../db/repositories/controller-stores.ts';
import type { FacilityRepository } from '../../db/repositories/facility.ts';
import type { InputRepository } from '../../db/repositories/input.ts';
import type { OutputRepository } from '../../db/repositories/output.ts';
import type { LcdRepository } from '../../db/repositories/lcd.ts';
import type { PlacementRepository } from '../../db/repositories/placement.ts';
import type { UnitRepository } from '../../db/repositories/unit.ts';
import type { Transact } from '../../db/transaction.ts';
import { ExpressionError } from '../../domain/expression/expression.ts';
import { compileScale } from '../../domain/expression/scale.ts';
import type { DaemonSettings } from '../live/daemon-settings.ts';
import { mergedOptions, refuseOtherId } from './patch.ts';
import { sealedDevice, shownDevice } from './secret.ts';
import { refuseUsedDevice, refuseUsedMeasurements } from './users.ts';
import { checkInputDriver, chooseChannels } from './driver-channels.ts';

interface InputServiceOptions {
  inputs: InputRepository;
  outputs: Pick<OutputRepository, 'get'>;
  facilities: FacilityRepository;
  placements: PlacementRepository;
  lcds: LcdRepository;
  units: Pick<UnitRepository, 'list'>;
  interlocks: () => readonly Interlock[];
  kinds: ControllerStores;
  transact: Transact;
  audit: AuditSink;
  daemon: DaemonSettings;
  secrets: Pick<SecretBox, 'seal'>;
}

const defaults = {
  period_s: 15,
  start_offset_s: 0,
  pre_output: null,
  power_output: null,
  is_activated: true,
} satisfies Partial<Input>;

const defaultChannel = {
  is_enabled: true,
  scale: null,
  raw_unit: null,
  plausible_min: null,
  plausible_max: null,
  max_rate_per_min: null,
} satisfies Partial<InputChannel>;

/** The settings of inputs. */
export class InputService {
  readonly #options: InputServiceOptions;

  constructor(options: InputServiceOptions) {
    this.#options = options;
  }

  list(): Input[] {
    return this.#options.inputs.list().map(shownDevice);
  }

  /** Throws `not_found`. */
  get(id: string): Input {
    const found = this.#options.inputs.get(id);
    if (found === undefined) throw new Refusal('not_found', 'no such input');
    return shownDevice(found);
  }

  /** Stores it and tells the daemon. Throws `unknown_reference`, `invalid_field`, `unknown_field` or `read_only_field`. */
  async create(actor: Actor, sent: InputCreate): Promise<Input> {
    const { inputs, outputs, units, transact, audit, daemon, secrets } = this.#options;
    const made = sealedDevice(newInput(sent, units.list()), { box: secrets });
    transact(() => {
      refuseUnknownOutputs(made, outputs);
      inputs.insert(made);
      audit.record({ kind: 'input.create', actor, target: made.unique_id, after: shownDevice(made) });
    });
    await daemon.changed(made.unique_id);
    return shownDevice(made);
  }

  /** Changes what the patch names and tells the daemon. Throws as `create`, `not_found`, `read_only_field`, `in_use`. */
  async change(actor: Actor, id: string, patch: InputPatch): Promise<Input> {
    const after = this.#store(actor, id, patch);
    await this.#options.daemon.changed(id);
    return after;
  }

  has(id: string): boolean {
    return this.#options.inputs.get(id) !== undefined;
  }

  /** Stores whether it is to run; the caller tells the daemon. Throws `not_found`. */
  setActivated(actor: Actor, id: string, is_activated: boolean): void {
    this.#store(actor, id, { is_activated });
  }

  /** Throws `not_found`, or `in_use` with what uses it. */
  async remove(actor: Actor, id: string): Promise<void> {
    const { inputs, transact, audit, daemon } = this.#options;
    transact(() => {
      const before = this.get(id);
      refuseUsedDevice(id, this.#options);
      inputs.remove(id);
      audit.record({ kind: 'input.delete', actor, target: id, before });
    });
    await daemon.changed(id);
  }

  #store(actor: Actor, id: string, patch: InputPatch): Input {
    const { inputs, outputs, units, transact, audit, secrets } = this.#options;
    return transact(() => {
      const before = this.get(id);
      const after = changedInput(before, patch, units.list());
      const stored = sealedDevice(after, { box: secrets, before: inputs.get(id) });
      refuseUnknownOutputs(after, outputs);
      refuseUsedMeasurements(before, after, this.#options);
      inputs.update(stored);
      audit.record({ kind: 'input.change', actor, target: id, before, after: shownDevice(stored) });
      return shownDevice(stored);
    });
  }
}

/** An input as asked for, with what was left open filled in. */
export function newInput(sent: InputCreate, own: readonly OwnUnit[] = []): Input {
  const empty = { ...defaults, unique_id: randomUUID(), options: {}, channels: [] };
  return settle({ ...empty, name: sent.name, driver: sent.driver }, sent, { offeredBefore: [], own });
}

/** An input with what the patch names changed. Throws `read_only_field`, and as a new one. */
function changedInput(before: Input, patch: InputPatch, own: readonly OwnUnit[]): Input {
  refuseOtherId(before.unique_id, patch.unique_id);
  return settle(before, patch, { offeredBefore: checkInputDriver(before.driver, before.options).offers, own });
}

interface Known {
  offeredBefore: InputChannelOffer[];
  /** Units that people added. */
  own: readonly OwnUnit[];
}

function settle(before: Input, patch: InputPatch, { offeredBefore, own }: Known): Input {
  const { options, offers } = checkInputDriver(patch.driver ?? before.driver, mergedOptions(before, patch));
  const chosen = chooseChannels({ offers, asked: patch.channels, kept: before.channels, offeredBefore });
  const asked = { ...before, ...patch };
  return input.parse({
    ...asked,
    unique_id: before.unique_id,
    options,
    pre_output: lowerCased(asked.pre_output ?? null),
    power_output: lowerCased(asked.power_output ?? null),
    channels: chosen.map((one) => settleChannel(one, own)),
  });
}

type AskedChannel = NonNullable<InputPatch['channels']>[number];
type ChosenChannel = ReturnType<typeof chooseChannels<InputChannelOffer, AskedChannel, InputChannel>>[number];

function settleChannel({ offer, asked, kept, path }: ChosenChannel, own: readonly OwnUnit[]): InputChannel {
  const canBe = (measurement: MeasurementName): boolean =>
    measurement === offer.measurement || offer.measurement === 'unitless';
  if (asked?.measurement !== undefined && !canBe(asked.measurement)) {
    throw refuseField('invalid_field', `${path}.measurement`, `is ${offer.measurement} in this driver`);
  }
  const stays = kept !== undefined && canBe(kept.measurement) ? kept.measurement : offer.measurement;
  const measurement = asked?.measurement ?? stays;
  const unit = measurementUnits[measurement];
  // What is another quantity is another series: values of two units never stand in one.
  const measurement_id = kept?.measurement === measurement ? kept.measurement_id : randomUUID();
  if (asked?.measurement_id !== undefined && asked.measurement_id.toLowerCase() !== kept?.measurement_id) {
    throw refuseField('read_only_field', `${path}.measurement_id`, 'cannot be changed');
  }
  if (asked?.unit !== undefined && asked.unit !== unit && asked.unit !== kept?.unit) {
    throw refuseField('read_only_field', `${path}.unit`, `is ${unit} of ${measurement}`);
  }
  const { channel, name } = offer;
  const made = inputChannel.parse({
    ...defaultChannel,
    name,
    ...kept,
    ...asked,
    channel,
    measurement_id,
    measurement,
    unit,
  });
  refuseUnknownUnit(made, path, own);
  refuseContradiction(made, path);
  return made;
}

function refuseUnknownUnit({ raw_unit, unit, measurement }: InputChannel, path: string, own: readonly OwnUnit[]): void {
  if (raw_unit === null || unitConversion(measurement, raw_unit, own) !== undefined) return;
  const added = own.filter((one) => one.measurement === measurement).map((one) => one.unit);
  const units = [unit, ...Object.keys(rawUnits[measurement] ?? {}), ...added];
  throw refuseField('invalid_field', `${path}.raw_unit`, `of ${measurement} is one of ${units.join(', ')}`);
}

function refuseContradiction(one: InputChannel, path: string): void {
  const { plausible_min, plausible_max } = one;
  refuseBadScale(one, path);
  if (plausible_min !== null && plausible_max !== null && plausible_min >= plausible_max) {
    throw refuseField('invalid_field', `${path}.plausible_min`, `must be below plausible_max (${plausible_max})`);
  }
}

function refuseBadScale({ scale }: InputChannel, path: string): void {
  try {
    compileScale(scale);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    throw refuseField('invalid_field', `${path}.scale.expression`, error.message);
  }
}

function refuseUnknownOutputs(made: Input, outputs: Pick<OutputRepository, 'get'>): void {
  for (const field of ['pre_output', 'power_output'] as const) {
    const named = made[field];
    if (named === null) continue;
    const found = outputs.get(named.output_id);
    if (found === undefined) throw refuseField('unknown_reference', `${field}.output_id`, 'is no output');
    if (named.channel !== undefined && !found.channels.some(({ channel }) => channel === named.channel)) {
      throw refuseField('unknown_reference', `${field}.channel`, 'is not a channel of this output');
    }
  }
}

function lowerCased<Ref extends OutputRef>(named: Ref | null): Ref | null {
  return named && { ...named, output_id: named.output_id.toLowerCase() };
}
