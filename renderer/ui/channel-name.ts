import type { Device } from '../../server/contract/device.ts';
import type { MessageKey, Translate } from '../i18n/index.ts';

/** Names that controllers give the series they store. */
const ownNames = {
  Value: 'value',
  Mean: 'mean',
  Least: 'least',
  Most: 'most',
  Deviation: 'deviation',
  'Light today': 'light',
  'Radiation today': 'radiation',
  Today: 'today',
  'Raised in 24 h': 'raised',
  'Lowered in 24 h': 'lowered',
  Setpoint: 'setpoint',
  Measurement: 'measurement',
  P: 'p',
  I: 'i',
  D: 'd',
  Control: 'control',
  Raise: 'raise',
  Lower: 'lower',
  'Heating setpoint': 'heating',
  'Ventilation setpoint': 'ventilation',
  'Maximum humidity': 'humidity',
  'Minimum VPD': 'deficit',
  'CO2 setpoint': 'co2',
} as const;

function isOwn(name: string): name is keyof typeof ownNames {
  return Object.hasOwn(ownNames, name);
}

/** Names that drivers give channels as long as nobody names them; numbered ones and those of motors are read below. */
const driverNames: Readonly<Record<string, ReadonlyMap<string, MessageKey>>> = {
  onewire: new Map([['Temperature', 'devices.choices.measurement.temperature']]),
  system: new Map([
    ['CPU temperature', 'devices.driverChannel.cpuTemperature'],
    ['CPU load, %', 'devices.driverChannel.cpuLoad'],
    ['Memory used, %', 'devices.driverChannel.memory'],
    ['Disk used, %', 'devices.driverChannel.disk'],
  ]),
  forecast: new Map([
    ['Temperature', 'devices.choices.measurement.temperature'],
    ['Humidity', 'devices.choices.measurement.humidity'],
    ['Wind speed', 'devices.choices.measurement.wind_speed'],
    ['Wind direction', 'devices.choices.measurement.wind_direction'],
    ['Radiation', 'devices.choices.measurement.radiation'],
    ['Rain', 'devices.choices.measurement.rain'],
    ['Age of the forecast', 'devices.driverChannel.forecastAge'],
  ]),
  simulated: new Map([
    ['Temperature', 'devices.choices.measurement.temperature'],
    ['Humidity', 'devices.choices.measurement.humidity'],
    ['CO2', 'devices.choices.measurement.co2'],
    ['Light', 'devices.choices.measurement.light'],
    ['Wind speed', 'devices.choices.measurement.wind_speed'],
    ['Wind direction', 'devices.choices.measurement.wind_direction'],
    ['Radiation', 'devices.choices.measurement.radiation'],
    ['Rain', 'devices.choices.measurement.rain'],
    ['Heater', 'devices.choices.part.heater'],
    ['Fan', 'devices.choices.part.fan'],
    ['Side vent', 'devices.choices.part.side_vent'],
    ['Roof vent', 'devices.choices.part.roof_vent'],
    ['Lighting', 'devices.choices.part.lighting'],
    ['Shade', 'devices.choices.part.shade'],
    ['Screen', 'devices.choices.part.screen'],
    ['Fogger', 'devices.choices.part.fogger'],
    ['Valve', 'devices.choices.part.valve'],
    ['Switch', 'devices.choices.part.switch'],
  ]),
};

/** A name that only counts the channels of a device. */
const numbered = /^Channel (\d+)$/;

/** The name that a driver gave, in the language of the page; undefined for one that a person gave. */
function driverWord(driver: string, name: string, t: Translate): string | undefined {
  const number = numbered.exec(name)?.[1];
  if (number !== undefined) return t('devices.driverChannel.numbered', { n: number });
  const [, part = name, way] = /^(.+) (open|close)$/.exec(name) ?? [];
  const key = Object.hasOwn(driverNames, driver) ? driverNames[driver]?.get(part) : undefined;
  if (key === undefined) return undefined;
  return way === undefined ? t(key) : t(`devices.driverChannel.${way === 'open' ? 'open' : 'close'}`, { part: t(key) });
}

type Named = Pick<Device['channels'][number], 'name'>;

/**
 * The display name of a channel: as a person typed it, or in the language of the page if driver or controller gave it.
 */
export function channelName(
  { kind, driver = '' }: Pick<Device, 'kind'> & Partial<Pick<Device, 'driver'>>,
  { name }: Named,
  t: Translate,
): string {
  if (kind === 'input' || kind === 'output') return driverWord(driver, name, t) ?? name;
  return isOwn(name) ? t(`functions.ownChannel.${ownNames[name]}`) : name;
}

type WithChannels = Pick<Device, 'kind' | 'name'> & Partial<Pick<Device, 'driver'>> & { channels: readonly unknown[] };

/** Whether the name of the only channel says nothing that the name of its device does not say. */
export function isOnlyNumbered({ channels }: Pick<WithChannels, 'channels'>, { name }: Named): boolean {
  return channels.length === 1 && numbered.test(name);
}

/** The name of a channel in a list of many devices: that of its device where its own only counts. */
export function listedChannelName(device: WithChannels, channel: Named, t: Translate): string {
  return isOnlyNumbered(device, channel) ? device.name : channelName(device, channel, t);
}

/** Device and channel; the device alone where the name of its only channel only counts. */
export function fullChannelName(device: WithChannels, channel: Named, t: Translate): string {
  return isOnlyNumbered(device, channel) ? device.name : `${device.name} · ${channelName(device, channel, t)}`;
}

/** A device's name, with the channel's if it has several. */
export function deviceChannelName(
  device: Pick<Device, 'kind' | 'driver' | 'name'> & { channels: readonly unknown[] },
  channel: Named,
  t: Translate,
): string {
  return device.channels.length > 1 ? `${device.name} · ${channelName(device, channel, t)}` : device.name;
}
