import { randomUUID } from 'node:crypto';
import type { SecretBox } from '../../auth/secret-box.ts';
import { refuseChanged, refuseField } from '../../contract/errors.ts';
import { why, type Said } from '../../contract/refusal-reason.ts';
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
import type { OutputRepository } from '../../db/repositories/output.ts';
import { mergedOptions } from './patch.ts';
import { sealedDevice, shownDevice } from './secret.ts';
import { SettingsService, type SettingsOptions, type SettingsRules } from './settings.ts';
import { refuseUsedChannels } from './users.ts';
import { checkOutputDriver, chooseChannels } from './driver-channels.ts';
import type { LiveCache } from '../live/live.ts';

interface OutputOptions extends SettingsOptions {
  outputs: OutputRepository;
  secrets: Pick<SecretBox, 'seal'>;
  live: Pick<LiveCache, 'outputState'>;
}

/** The settings of outputs, with their live state. */
export class OutputService extends SettingsService<Output, OutputCreate, OutputPatch> {
  readonly #live: Pick<LiveCache, 'outputState'>;

  constructor(options: OutputOptions) {
    super(outputRules(options), options);
    this.#live = options.live;
  }

  listLive(): LiveOutput[] {
    return this.list().map((one) => this.#withState(one));
  }

  /** Throws `not_found`. */
  getLive(id: string): LiveOutput {
    return this.#withState(this.get(id));
  }

  #withState(one: Output): LiveOutput {
    return { ...one, state: one.channels.map(({ channel }) => this.#live.outputState(one.unique_id, channel)) };
  }
}

function outputRules(options: OutputOptions): SettingsRules<Output, OutputCreate, OutputPatch> {
  const { outputs, secrets } = options;
  return {
    word: 'output',
    noun: 'output',
    rows: outputs,
    made: (sent, as) => sealedDevice({ ...newOutput(sent), ...(as && { unique_id: as.unique_id }) }, { box: secrets }),
    changed: (stored, patch) => {
      const before = shownDevice(stored);
      const after = changedOutput(before, patch);
      refuseUsedChannels(before, after, options);
      return sealedDevice(after, { box: secrets, before: stored });
    },
    shown: shownDevice,
  };
}

/** A requested output, with defaults for what was left open. */
export function newOutput(sent: OutputCreate): Output {
  const empty = { unique_id: randomUUID(), options: {}, channels: [], is_activated: true };
  return settle({ ...empty, name: sent.name, driver: sent.driver }, sent, []);
}

/** An output after a patch. Throws `read_only_field`, and as a new one. */
function changedOutput(before: Output, patch: OutputPatch): Output {
  refuseChanged(patch, before, ['unique_id']);
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
    channels: withoutClosers(chosen.map(settleChannel), chosen, offers),
  });
}

/**
 * The second relay of a motor is not a channel of its own. Throws `invalid_field` for one that is missing or has
 * another use.
 */
function withoutClosers(
  channels: readonly OutputChannel[],
  chosen: readonly ChosenChannel[],
  offers: readonly OutputChannelOffer[],
): OutputChannel[] {
  const closers = new Map<number, OutputChannel>();
  for (const [index, channel] of channels.entries()) {
    const closer = channel.motor_close_channel;
    if (closer === null) continue;
    const refuse = (said: Said) =>
      refuseField('invalid_field', `${chosen[index]?.path ?? 'channels'}.motor_close_channel`, said);
    if (offers.find((one) => one.channel === closer)?.kind !== 'switch') throw refuse(why('no_closer'));
    if (closer === channel.channel) throw refuse(why('closer_is_own'));
    if (closers.has(closer)) throw refuse(why('closer_taken', { channel: closers.get(closer)?.channel ?? closer }));
    if (channels.find((one) => one.channel === closer)?.motor_close_channel != null)
      throw refuse(why('closer_is_motor'));
    closers.set(closer, channel);
  }
  return channels.filter(({ channel }) => !closers.has(channel));
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
  motor_close_channel: null,
  motor_travel_s: null,
  motor_slack_s: 0,
} satisfies Partial<OutputChannel>;

type AskedChannel = NonNullable<OutputPatch['channels']>[number];
type ChosenChannel = ReturnType<typeof chooseChannels<OutputChannelOffer, AskedChannel, OutputChannel>>[number];

function settleChannel({ offer, asked, kept, path }: ChosenChannel): OutputChannel {
  const closer = asked?.motor_close_channel;
  const isMotor = offer.kind === 'switch' && (closer === undefined ? kept?.motor_close_channel : closer) != null;
  const wasMotor = kept?.motor_close_channel != null;
  if (asked?.kind === 'dimmer' && offer.kind === 'switch' && !isMotor && !wasMotor) {
    throw refuseField('invalid_field', `${path}.kind`, why('only_switch'));
  }
  const kind = isMotor ? 'dimmer' : offer.kind === 'switch' ? 'switch' : (asked?.kind ?? kept?.kind ?? offer.kind);
  const channel = outputChannel.parse({
    ...defaults,
    name: offer.name,
    ...kept,
    ...asked,
    channel: offer.channel,
    kind,
  });
  if (offer.kind === 'dimmer' && channel.motor_close_channel !== null) {
    throw refuseField('invalid_field', `${path}.motor_close_channel`, why('position_already'));
  }
  if (isMotor && channel.motor_travel_s === null) {
    throw refuseField('invalid_field', `${path}.motor_travel_s`, why('travel_needed'));
  }
  if (kind === 'switch' && typeof channel.safe_state === 'number') {
    throw refuseField('invalid_field', `${path}.safe_state`, why('safe_on_off'));
  }
  if (kind === 'dimmer' && channel.pwm_cycle_s !== null) {
    throw refuseField('invalid_field', `${path}.pwm_cycle_s`, why('no_duty_cycle'));
  }
  return channel;
}
