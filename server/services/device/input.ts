import { randomUUID } from 'node:crypto';
import type { SecretBox } from '../../auth/secret-box.ts';
import { refuseChanged, refuseField, refusePlainly } from '../../contract/errors.ts';
import { why } from '../../contract/refusal-reason.ts';
import type { InputChannelOffer } from '../../contract/drivers/driver.ts';
import {
  input,
  inputChannel,
  type Input,
  type InputChannel,
  type InputCreate,
  type InputPatch,
} from '../../contract/input.ts';
import {
  measurementUnits,
  rawUnits,
  unitConversion,
  type MeasurementName,
  type OwnUnit,
} from '../../contract/units.ts';
import type { InputRepository } from '../../db/repositories/input.ts';
import type { OutputRepository } from '../../db/repositories/output.ts';
import type { UnitRepository } from '../../db/repositories/unit.ts';
import { ExpressionError } from '../../domain/expression/expression.ts';
import { compileScale } from '../../domain/expression/scale.ts';
import { mergedOptions } from './patch.ts';
import { sealedDevice, shownDevice } from './secret.ts';
import type { GivenIds, SettingsRules, SettingsService } from './settings.ts';
import { refuseUsedMeasurements, type UserSources } from './users.ts';
import { checkInputDriver, chooseChannels } from './driver-channels.ts';

interface InputOptions extends UserSources {
  inputs: InputRepository;
  outputs: Pick<OutputRepository, 'get'>;
  units: Pick<UnitRepository, 'list'>;
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
  resolution: null,
} satisfies Partial<InputChannel>;

export type InputService = SettingsService<Input, InputCreate, InputPatch>;

/** The rules for the settings of inputs. */
export function inputRules(options: InputOptions): SettingsRules<Input, InputCreate, InputPatch> {
  const { inputs, outputs, units, secrets } = options;
  return {
    word: 'input',
    noun: 'input',
    rows: inputs,
    made: (sent, as) => {
      const made = underIds(newInput(sent, units.list()), as, inputs);
      refuseUnknownOutputs(made, outputs);
      return sealedDevice(made, { box: secrets });
    },
    changed: (stored, patch) => {
      const before = shownDevice(stored);
      const after = changedInput(before, patch, units.list());
      refuseUnknownOutputs(after, outputs);
      refuseUsedMeasurements(before, after, options);
      return sealedDevice(after, { box: secrets, before: stored });
    },
    shown: shownDevice,
  };
}

/** A requested input, with defaults for what was left open. */
export function newInput(sent: InputCreate, own: readonly OwnUnit[] = []): Input {
  const empty = { ...defaults, unique_id: randomUUID(), options: {}, channels: [] };
  return settle({ ...empty, name: sent.name, driver: sent.driver }, sent, { offeredBefore: [], own });
}

function underIds(made: Input, as: GivenIds | undefined, inputs: Pick<InputRepository, 'list'>): Input {
  if (as === undefined) return made;
  const taken = new Set(inputs.list().flatMap(({ channels }) => channels.map((one) => one.measurement_id)));
  const channels = made.channels.map((one) => {
    const measurement_id = as.measurement_ids?.get(one.channel);
    return measurement_id === undefined || taken.has(measurement_id) ? one : { ...one, measurement_id };
  });
  return { ...made, unique_id: as.unique_id, channels };
}

/** An input after a patch. Throws `read_only_field`, and as a new one. */
function changedInput(before: Input, patch: InputPatch, own: readonly OwnUnit[]): Input {
  refuseChanged(patch, before, ['unique_id']);
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
    pre_output: asked.pre_output ?? null,
    power_output: asked.power_output ?? null,
    channels: chosen.map((one) => settleChannel(one, own)),
  });
}

type AskedChannel = NonNullable<InputPatch['channels']>[number];
type ChosenChannel = ReturnType<typeof chooseChannels<InputChannelOffer, AskedChannel, InputChannel>>[number];

function settleChannel({ offer, asked, kept, path }: ChosenChannel, own: readonly OwnUnit[]): InputChannel {
  const canBe = (measurement: MeasurementName): boolean =>
    measurement === offer.measurement || offer.measurement === 'unitless';
  if (asked?.measurement !== undefined && !canBe(asked.measurement)) {
    throw refusePlainly('invalid_field', `${path}.measurement`, `is ${offer.measurement} in this driver`);
  }
  const stays = kept !== undefined && canBe(kept.measurement) ? kept.measurement : offer.measurement;
  const measurement = asked?.measurement ?? stays;
  const unit = measurementUnits[measurement];
  // Another quantity is another series: one series never mixes two units.
  const measurement_id = kept?.measurement === measurement ? kept.measurement_id : randomUUID();
  if (asked?.measurement_id !== undefined && asked.measurement_id !== kept?.measurement_id) {
    throw refusePlainly('read_only_field', `${path}.measurement_id`, 'cannot be changed');
  }
  if (asked?.unit !== undefined && asked.unit !== unit && asked.unit !== kept?.unit) {
    throw refusePlainly('read_only_field', `${path}.unit`, `is ${unit} of ${measurement}`);
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
  throw refuseField('invalid_field', `${path}.raw_unit`, why('raw_unit', { measurement, units: units.join(', ') }));
}

function refuseContradiction(one: InputChannel, path: string): void {
  const { plausible_min, plausible_max } = one;
  refuseBadScale(one, path);
  if (plausible_min !== null && plausible_max !== null && plausible_min >= plausible_max) {
    throw refuseField('invalid_field', `${path}.plausible_min`, why('plausible_order', { most: plausible_max }));
  }
}

function refuseBadScale({ scale }: InputChannel, path: string): void {
  try {
    compileScale(scale);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    throw refuseField('invalid_field', `${path}.scale.expression`, { ...why('expression'), message: error.message });
  }
}

function refuseUnknownOutputs(made: Input, outputs: Pick<OutputRepository, 'get'>): void {
  for (const field of ['pre_output', 'power_output'] as const) {
    const named = made[field];
    if (named === null) continue;
    const found = outputs.get(named.output_id);
    if (found === undefined) throw refuseField('unknown_reference', `${field}.output_id`, why('no_such_output'));
    if (named.channel !== undefined && !found.channels.some(({ channel }) => channel === named.channel)) {
      throw refuseField('unknown_reference', `${field}.channel`, why('no_such_channel'));
    }
  }
}
