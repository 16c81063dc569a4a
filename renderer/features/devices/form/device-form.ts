import { deviceKinds, type DeviceKind } from '../../../../server/contract/drivers/driver.ts';
import { driverOf } from '../../../../server/contract/drivers/index.ts';
import { inputCreate, inputPatch, type Input } from '../../../../server/contract/input.ts';
import { lcdCreate, lcdPatch, type Lcd } from '../../../../server/contract/lcd.ts';
import { outputCreate, outputPatch, type Output } from '../../../../server/contract/output.ts';
import { groupOf, isNullable, schemaOf, type Group, type OptionSchema } from './option-schema.ts';

/** undefined for a kind without a driver, which has another form. */
export function formKindOf(word: string): DeviceKind | undefined {
  return deviceKinds.find((kind) => kind === word);
}

/** A device as form values. Options and channels follow their schemas. */
export interface DeviceForm {
  kind: DeviceKind;
  name: string;
  driver: string;
  /** Fields of the device itself, such as its period. */
  settings: Group;
  options: Group;
  /** The entries of each channel, by its number. */
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

/** The schema of a device's settings besides name, driver, options and channels. */
export function settingsSchema(kind: DeviceKind): OptionSchema {
  return without(ownFields[kind], elsewhere);
}

/** The schema of a channel's settings. */
export function channelSchema(kind: DeviceKind): OptionSchema {
  return without(changed[kind].properties?.['channels']?.items ?? {}, ['channel', 'measurement_id', 'unit']);
}

/** The channels that these options define; null when only the server knows them and the options are not valid yet. */
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

/** A relay that drives a motor back belongs to the motor's channel and is not one of its own. */
export function ownOffers(form: DeviceForm): ChannelOffer[] | null {
  const closers = Object.values(form.channels).map(({ motor_close_channel }) => motor_close_channel);
  return offersOf(form)?.filter(({ channel }) => !closers.includes(channel)) ?? null;
}

function channelBodies(form: DeviceForm): Group[] | undefined {
  return ownOffers(form)?.map(({ channel }) => ({ channel, ...form.channels[channel] }));
}

/** The body of the request that creates the device; the server validates it. */
export function createBody(form: DeviceForm): Group {
  const { name, driver, settings, options } = form;
  const channels = form.kind === 'lcd' ? undefined : channelBodies(form);
  return { name: name.trim(), driver, ...settings, options, ...(channels !== undefined && { channels }) };
}

/** The body of the request that changes it: cleared fields are null where the schema allows that. */
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
