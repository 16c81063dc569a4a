import type { MqttOptions } from './mqtt-options.ts';
import type { MeasurementName } from '../units.ts';

/**
 * The messages of a make of device, as its maker documents them. `{topic}` stands for the topic that its owner chose.
 */
export interface MqttProfile {
  id: 'tasmota_relay' | 'tasmota_power' | 'tasmota_ds18b20' | 'shelly_switch';
  kind: 'input' | 'output';
  /** The public page it was taken from. */
  source: string;
  options: Pick<MqttOptions, 'values' | 'actuators' | 'availability' | 'request' | 'expire_after_s'>;
  /** The measurements of the channels, by number. */
  channels: Readonly<Record<number, { measurement: MeasurementName }>>;
}

/** Default prefixes and words of Tasmota: https://tasmota.github.io/docs/openHAB/ for the last will. */
const tasmota = {
  source: 'https://tasmota.github.io/docs/MQTT/',
  availability: { topic: 'tele/{topic}/LWT', online: 'Online', offline: 'Offline' },
  /** By default it publishes every 300 s (TelePeriod): twice that and a little. */
  expire_after_s: 660,
};

/** A switch of Shelly Gen2 and later, commanded by JSON-RPC. */
const shellySet = (on: boolean): string =>
  JSON.stringify({ id: 1, src: 'orangery', method: 'Switch.Set', params: { id: 0, on } });

export const mqttProfiles: readonly MqttProfile[] = [
  {
    id: 'tasmota_relay',
    kind: 'output',
    source: tasmota.source,
    options: {
      actuators: [
        { channel: 0, kind: 'switch', command_topic: 'cmnd/{topic}/POWER', state_topic: 'stat/{topic}/POWER' },
      ],
      availability: tasmota.availability,
      request: { topic: 'cmnd/{topic}/POWER', payload: '' },
    },
    channels: {},
  },
  {
    id: 'tasmota_power',
    kind: 'input',
    source: 'https://tasmota.github.io/docs/openHAB/',
    options: {
      values: [{ channel: 0, topic: 'tele/{topic}/SENSOR', path: 'ENERGY.Power' }],
      availability: tasmota.availability,
      expire_after_s: tasmota.expire_after_s,
    },
    channels: { 0: { measurement: 'power' } },
  },
  {
    id: 'tasmota_ds18b20',
    kind: 'input',
    source: tasmota.source,
    options: {
      values: [{ channel: 0, topic: 'tele/{topic}/SENSOR', path: 'DS18B20.Temperature' }],
      availability: tasmota.availability,
      expire_after_s: tasmota.expire_after_s,
    },
    channels: { 0: { measurement: 'temperature' } },
  },
  {
    // Status updates over MQTT must be enabled in the device (status_ntf). That page does not document its
    // availability.
    id: 'shelly_switch',
    kind: 'output',
    source: 'https://shelly-api-docs.shelly.cloud/gen2/0.14/ComponentsAndServices/Mqtt',
    options: {
      actuators: [
        {
          channel: 0,
          kind: 'switch',
          command_topic: '{topic}/rpc',
          on_payload: shellySet(true),
          off_payload: shellySet(false),
          state_topic: '{topic}/status/switch:0',
          state_path: 'output',
          state_on: 'true',
          state_off: 'false',
        },
      ],
    },
    channels: {},
  },
];

/** The options of a profile for the device with a topic. */
export function optionsOfProfile({ options }: MqttProfile, topic: string): MqttProfile['options'] {
  const filled = <Entry extends object>(entry: Entry): Entry => {
    const named = Object.entries(entry).map(([name, value]) => {
      const isTopic = (name === 'topic' || name.endsWith('_topic')) && typeof value === 'string';
      return [name, isTopic ? value.replaceAll('{topic}', () => topic) : value] as const;
    });
    return { ...entry, ...Object.fromEntries(named) };
  };
  const { values, actuators, availability, request, expire_after_s } = options;
  return {
    ...(values && { values: values.map(filled) }),
    ...(actuators && { actuators: actuators.map(filled) }),
    ...(availability && { availability: filled(availability) }),
    ...(request && { request: filled(request) }),
    ...(expire_after_s !== undefined && { expire_after_s }),
  };
}
