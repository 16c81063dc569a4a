import {
  httpInputChannels,
  httpOutputChannels,
  modbusInputChannels,
  modbusOutputChannels,
  mqttInputChannels,
  mqttOutputChannels,
  simulatedInputChannels,
  simulatedOutputChannels,
  type InputChannelOffer,
  type OutputChannelOffer,
} from '../../contract/driver-catalogue.ts';
import { modbusOptions, simulatedOptions } from '../../contract/driver-options.ts';
import { httpOptions } from '../../contract/http-options.ts';
import { mqttOptions } from '../../contract/mqtt-options.ts';
import { refuseField } from '../../contract/errors.ts';
import { parseOrRefuse } from '../../contract/field-errors.ts';

/** Options that passed their driver's schema, and the channels that a device with them has. */
export interface CheckedDriver<Offer> {
  options: Record<string, unknown>;
  offers: Offer[];
}

type Check<Offer> = (options: unknown) => CheckedDriver<Offer>;

const inputDrivers: Record<string, Check<InputChannelOffer>> = {
  simulated: (sent) => {
    const options = parseOrRefuse(simulatedOptions, sent, ['options']);
    return { options, offers: simulatedInputChannels(options) };
  },
  modbus: (sent) => {
    const options = parseOrRefuse(modbusOptions, sent, ['options']);
    return { options, offers: modbusInputChannels(options) };
  },
  mqtt: (sent) => {
    const options = parseOrRefuse(mqttOptions, sent, ['options']);
    return { options, offers: mqttInputChannels(options) };
  },
  http: (sent) => {
    const options = parseOrRefuse(httpOptions, sent, ['options']);
    return { options, offers: httpInputChannels(options) };
  },
};

const outputDrivers: Record<string, Check<OutputChannelOffer>> = {
  simulated: (sent) => {
    const options = parseOrRefuse(simulatedOptions, sent, ['options']);
    return { options, offers: simulatedOutputChannels(options) };
  },
  modbus: (sent) => {
    const options = parseOrRefuse(modbusOptions, sent, ['options']);
    return { options, offers: modbusOutputChannels(options) };
  },
  mqtt: (sent) => {
    const options = parseOrRefuse(mqttOptions, sent, ['options']);
    return { options, offers: mqttOutputChannels(options) };
  },
  http: (sent) => {
    const options = parseOrRefuse(httpOptions, sent, ['options']);
    return { options, offers: httpOutputChannels(options) };
  },
};

/** Throws `unknown_reference` for a driver that reads nothing, `invalid_field` or `unknown_field` for its options. */
export function checkInputDriver(driver: string, options: unknown): CheckedDriver<InputChannelOffer> {
  return check(inputDrivers, driver, options);
}

/** Throws as `checkInputDriver`, for drivers that switch something. */
export function checkOutputDriver(driver: string, options: unknown): CheckedDriver<OutputChannelOffer> {
  return check(outputDrivers, driver, options);
}

function check<Offer>(drivers: Record<string, Check<Offer>>, driver: string, options: unknown): CheckedDriver<Offer> {
  const known = Object.hasOwn(drivers, driver) ? drivers[driver] : undefined;
  if (known === undefined) {
    const names = Object.keys(drivers);
    throw refuseField('unknown_reference', 'driver', `must be one of ${names.join(', ')}`, { drivers: names });
  }
  const checked = known(options);
  if (checked.offers.length === 0) {
    throw refuseField('invalid_field', 'options', 'describe no channel that this kind of device can have');
  }
  return checked;
}

interface Choice<Offer, Asked, Kept> {
  offers: readonly Offer[];
  asked: readonly Asked[] | undefined;
  /** Channels that the device has already, and those that it could have had. */
  kept: readonly Kept[];
  offeredBefore: readonly Offer[];
}

interface Chosen<Offer, Asked, Kept> {
  offer: Offer;
  asked: Asked | undefined;
  kept: Kept | undefined;
  /** Where the request names it. */
  path: string;
}

/**
 * The channels that were asked for, ascending; else those that stay and those that are newly offered. Throws for a channel that
 * is not offered or named twice.
 */
export function chooseChannels<
  Offer extends { channel: number },
  Asked extends { channel: number },
  Kept extends { channel: number },
>(choice: Choice<Offer, Asked, Kept>): Chosen<Offer, Asked, Kept>[] {
  const { offers, asked, kept, offeredBefore } = choice;
  const isLeftOut = ({ channel }: Offer): boolean => hasChannel(offeredBefore, channel) && !hasChannel(kept, channel);
  const keptOf = (channel: number) => kept.find((one) => one.channel === channel);
  if (asked === undefined) {
    const stay = offers.filter((offer) => !isLeftOut(offer));
    return stay.map((offer, index) => ({ offer, asked: undefined, kept: keptOf(offer.channel), path: pathOf(index) }));
  }
  const chosen = asked.map((one, index) => {
    const offer = offers.find(({ channel }) => channel === one.channel);
    if (offer === undefined) {
      throw refuseField('unknown_reference', `${pathOf(index)}.channel`, 'is not a channel of these options');
    }
    if (hasChannel(asked.slice(0, index), one.channel)) {
      throw refuseField('invalid_field', `${pathOf(index)}.channel`, 'is named twice');
    }
    return { offer, asked: one, kept: keptOf(one.channel), path: pathOf(index) };
  });
  return chosen.toSorted((one, other) => one.offer.channel - other.offer.channel);
}

function hasChannel(channels: readonly { channel: number }[], number: number): boolean {
  return channels.some(({ channel }) => channel === number);
}

function pathOf(index: number): string {
  return `channels[${index}]`;
}
