import type { DeviceKind, Driver, InputChannelOffer, OutputChannelOffer } from '../../contract/drivers/driver.ts';
import { driverList, driverOf, kindsOf } from '../../contract/drivers/index.ts';
import { refuseField, refusePlainly } from '../../contract/errors.ts';
import { parseOrRefuse } from '../../contract/field-errors.ts';
import { why } from '../../contract/refusal-reason.ts';

/** Options that passed their driver's schema, and the channels that a device with them offers. */
export interface CheckedDriver<Offer> {
  options: Record<string, unknown>;
  offers: Offer[];
}

/** Throws `unknown_reference` for a driver that reads nothing, `invalid_field` or `unknown_field` for its options. */
export function checkInputDriver(name: string, sent: unknown): CheckedDriver<InputChannelOffer> {
  const { driver, options } = checkDriver(name, sent, 'input');
  return withChannels(options, driver.input?.(options) ?? []);
}

/** Throws like `checkInputDriver`, for drivers that switch. */
export function checkOutputDriver(name: string, sent: unknown): CheckedDriver<OutputChannelOffer> {
  const { driver, options } = checkDriver(name, sent, 'output');
  return withChannels(options, driver.output?.(options) ?? []);
}

/** Checks options of a driver that has such devices. Throws like `checkInputDriver`. */
export function checkDriver(
  name: string,
  sent: unknown,
  kind: DeviceKind,
): { driver: Driver; options: Record<string, unknown> } {
  const driver = driverOf(name);
  if (driver === undefined || !kindsOf(driver).includes(kind)) {
    const names = driverList.flatMap(([other, one]) => (kindsOf(one).includes(kind) ? [other] : []));
    throw refusePlainly('unknown_reference', 'driver', `must be one of ${names.join(', ')}`, { drivers: names });
  }
  return { driver, options: parseOrRefuse(driver.options, sent, ['options']) };
}

function withChannels<Offer>(options: Record<string, unknown>, offers: Offer[]): CheckedDriver<Offer> {
  if (offers.length === 0) {
    throw refuseField('invalid_field', 'options', why('no_channel'));
  }
  return { options, offers };
}

interface Choice<Offer, Asked, Kept> {
  offers: readonly Offer[];
  asked: readonly Asked[] | undefined;
  /** The present channels of the device, and those that it could have had. */
  kept: readonly Kept[];
  offeredBefore: readonly Offer[];
}

interface Chosen<Offer, Asked, Kept> {
  offer: Offer;
  asked: Asked | undefined;
  kept: Kept | undefined;
  /** Path in the request. */
  path: string;
}

/**
 * The requested channels, ascending; without any, those that stay and those that are newly offered. Throws for a
 * channel that is not offered or is named twice.
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
      throw refuseField('unknown_reference', `${pathOf(index)}.channel`, why('not_of_options'));
    }
    if (hasChannel(asked.slice(0, index), one.channel)) {
      throw refuseField('invalid_field', `${pathOf(index)}.channel`, why('named_twice'));
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
