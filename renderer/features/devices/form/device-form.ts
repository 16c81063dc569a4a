import { deviceKinds, type DeviceKind } from '../../../../server/contract/drivers/driver.ts';
import { driverOf } from '../../../../server/contract/drivers/index.ts';
import { inputCreate, inputPatch, type Input } from '../../../../server/contract/input.ts';
import { lcdCreate, lcdPatch, type Lcd } from '../../../../server/contract/lcd.ts';
import { outputCreate, outputPatch, type Output } from '../../../../server/contract/output.ts';
import { groupOf, isNullable, schemaOf, type Group, type OptionSchema } from './option-schema.ts';

/** Undefined for a kind that has no driver, and so another form. */
export function formKindOf(word: string): DeviceKind | undefined {
  return deviceKinds.find((kind) => kind === word);
}

/** A device as it is entered. Options and channels are what their schemas make of them. */
export interface DeviceForm {
  kind: DeviceKind;
  name: string;
  driver: string;
  /** Fields of the device itself, such as its period. */
  settings: Group;
  options: Group;
  /** What was entered of each channel, by its number. */
  channels: Record<number, Group>;
}

export interface ChannelOffer {
  channel: number;
  name: string;
  measurement?: string;
}

const elsewhere = ['unique_id', 'name', 'driver', 'options', 'channels', 'is_activated'];
const ownFields = { input: schemaOf(inputCreate), output: schemaOf(outputCreate), lcd: schemaOf(lcdCreate) };
const changed = { input: schemaOf(inputPatch), output: schemaOf(outputPatch), lcd: schemaOf(lcdPatch) };

function without(schema: OptionSchema, names: readonly string[]): OptionSchema {
  const fields = Object.entries(schema.properties ?? {}).filter(([name]) => !names.includes(name));
  return { type: 'object', properties: Object.fromEntries(fields) };
}

/** What can be set of a device beside its name, driver, options and channels. */
export function settingsSchema(kind: DeviceKind): OptionSchema {
  return without(ownFields[kind], elsewhere);
}

/** What can be set of a channel. */
export function channelSchema(kind: DeviceKind): OptionSchema {
  return without(changed[kind].properties?.['channels']?.items ?? {}, ['channel', 'measurement_id', 'unit']);
}

/** The channels that these options give; null where only the server knows them, as long as the options are not valid too. */
export function offersOf({ kind, driver, options }: DeviceForm): ChannelOffer[] | null {
  if (kind === 'lcd') return [];
  const known = driverOf(driver);
  const read = known?.options.safeParse(options);
  return read?.success === true ? (known?.[kind]?.(read.data) ?? null) : null;
}

export function formOf(kind: DeviceKind, device: Input | Output | Lcd): DeviceForm {
  const { name, driver, options, ...rest } = device;
  const known = Object.keys(settingsSchema(kind).properties ?? {}).map((key) => [key, groupOf(rest)[key]] as const);
  const settings = known.filter(([, value]) => value !== null && value !== undefined);
  const channels = 'channels' in device ? device.channels : [];
  const shown = Object.keys(channelSchema(kind).properties ?? {});
  return {
    kind,
    name,
    driver,
    settings: Object.fromEntries(settings),
    options: structuredClone(options),
    channels: Object.fromEntries(
      channels.map((channel) => {
        const fields = Object.entries(channel).filter(([key, value]) => shown.includes(key) && value !== null);
        return [channel.channel, Object.fromEntries(fields)];
      }),
    ),
  };
}

/** The relay that runs a motor back belongs to the channel of the motor, and is none of its own. */
export function ownOffers(form: DeviceForm): ChannelOffer[] | null {
  const closers = Object.values(form.channels).map(({ motor_close_channel }) => motor_close_channel);
  return offersOf(form)?.filter(({ channel }) => !closers.includes(channel)) ?? null;
}

function channelBodies(form: DeviceForm): Group[] | undefined {
  return ownOffers(form)?.map(({ channel }) => ({ channel, ...form.channels[channel] }));
}

/** Body of the request that makes the device; the server judges it. */
export function createBody(form: DeviceForm): Group {
  const { name, driver, settings, options } = form;
  const channels = form.kind === 'lcd' ? undefined : channelBodies(form);
  return { name: name.trim(), driver, ...settings, options, ...(channels !== undefined && { channels }) };
}

/** Body of the request that changes it: what was taken out is null where the schema allows that. */
export function patchBody(form: DeviceForm, before: Input | Output | Lcd): Group {
  const gone = Object.keys(before.options).filter((key) => form.options[key] === undefined);
  const options = { ...form.options, ...Object.fromEntries(gone.map((key) => [key, null])) };
  const nothing = nothingOf(channelSchema(form.kind));
  const channels = form.kind === 'lcd' ? undefined : channelBodies(form)?.map((one) => ({ ...nothing, ...one }));
  const body = { ...nothingOf(settingsSchema(form.kind)), ...createBody(form), options };
  return channels === undefined ? body : { ...body, channels };
}

function nothingOf({ properties = {} }: OptionSchema): Group {
  const fields = Object.entries(properties).filter(([, schema]) => isNullable(schema));
  return Object.fromEntries(fields.map(([key]) => [key, null]));
}
