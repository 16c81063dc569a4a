import type { HttpChannel, HttpOptions } from './http-options.ts';
import type { ModbusOptions, SimulatedOptions, SimulatedPart } from './driver-options.ts';
import type { MqttOptions } from './mqtt-options.ts';
import type { OutputChannel } from './output.ts';
import type { MeasurementName } from './units.ts';

export interface InputChannelOffer {
  channel: number;
  name: string;
  measurement: MeasurementName;
}

export interface OutputChannelOffer {
  channel: number;
  name: string;
  kind: OutputChannel['kind'];
}

/** What each simulated sensor measures, by its part, in the order of its channels. */
export const simulatedMeasurements: Partial<Record<SimulatedPart, readonly MeasurementName[]>> = {
  indoor: ['temperature', 'humidity', 'co2', 'light'],
  weather: ['temperature', 'humidity', 'wind_speed', 'wind_direction', 'radiation', 'rain'],
  sensor: ['temperature'],
};

/** What each simulated actuator is, by its part; each has one channel. */
export const simulatedActuators: Partial<Record<SimulatedPart, OutputChannel['kind']>> = {
  heater: 'switch',
  fan: 'switch',
  side_vent: 'dimmer',
  roof_vent: 'dimmer',
  co2: 'switch',
  lighting: 'switch',
  shade: 'dimmer',
  fogger: 'switch',
  valve: 'switch',
  switch: 'switch',
};

/** Channels of a simulated input; none where the part is an actuator. */
export function simulatedInputChannels(options: SimulatedOptions): InputChannelOffer[] {
  const measurements = simulatedMeasurements[options.part ?? 'sensor'] ?? [];
  return measurements.map((measurement, channel) => ({ channel, name: titleOf(measurement), measurement }));
}

/** Channels of a simulated output; none where the part is a sensor. */
export function simulatedOutputChannels(options: SimulatedOptions): OutputChannelOffer[] {
  const part = options.part ?? 'switch';
  const kind = simulatedActuators[part];
  return kind === undefined ? [] : [{ channel: 0, name: titleOf(part), kind }];
}

/** One channel a register. What it measures is not in the wiring: without further word it is a bare number. */
export function modbusInputChannels(options: ModbusOptions): InputChannelOffer[] {
  return sorted(options.registers).map(({ channel }) => ({
    channel,
    name: `Channel ${channel}`,
    measurement: 'unitless',
  }));
}

/** One channel a register: a coil is a switch, a holding register a dimmer; the read-only tables drive nothing. */
export function modbusOutputChannels(options: ModbusOptions): OutputChannelOffer[] {
  return sorted(options.registers).flatMap(({ channel, table }) => {
    if (table !== 'coil' && table !== 'holding') return [];
    return [{ channel, name: `Channel ${channel}`, kind: table === 'coil' ? 'switch' : 'dimmer' } as const];
  });
}

/** One channel a value. What it measures is not in the message: without further word it is a bare number. */
export function mqttInputChannels({ values = [] }: MqttOptions): InputChannelOffer[] {
  return sorted(values).map(({ channel }) => ({ channel, name: `Channel ${channel}`, measurement: 'unitless' }));
}

export function mqttOutputChannels({ actuators = [] }: MqttOptions): OutputChannelOffer[] {
  return sorted(actuators).map(({ channel, kind }) => ({ channel, name: `Channel ${channel}`, kind }));
}

/** One channel each of those that are read somewhere; what it measures is not in the wiring. */
export function httpInputChannels(options: HttpOptions): InputChannelOffer[] {
  const read = options.channels.filter(({ read_path }) => (read_path ?? options.read_path) !== undefined);
  return sorted(read).map(({ channel }) => ({ channel, name: `Channel ${channel}`, measurement: 'unitless' }));
}

/** One channel each of those that take commands: a dimmer where the command says a value. */
export function httpOutputChannels({ channels }: HttpOptions): OutputChannelOffer[] {
  const commanded = channels.filter(({ command_path }) => command_path !== undefined);
  return sorted(commanded).map((one) => {
    const kind = isHttpDimmer(one) ? 'dimmer' : 'switch';
    return { channel: one.channel, name: `Channel ${one.channel}`, kind };
  });
}

export function isHttpDimmer({ command_path = '', command_body = '' }: HttpChannel): boolean {
  return `${command_path} ${command_body}`.includes('{value}');
}

function sorted<Entry extends { channel: number }>(entries: readonly Entry[]): Entry[] {
  return entries.toSorted((one, other) => one.channel - other.channel);
}

const shownOtherwise: Record<string, string> = { co2: 'CO2', ph: 'pH', ec: 'EC' };

function titleOf(word: string): string {
  return shownOtherwise[word] ?? word.charAt(0).toUpperCase() + word.slice(1).replaceAll('_', ' ');
}
