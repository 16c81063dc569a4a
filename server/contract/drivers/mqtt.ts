import { connectionOf, type Connection } from './connection.ts';
import { sorted, type Driver, type InputChannelOffer, type OutputChannelOffer } from './driver.ts';
import { mqttProbe, mqttProbed } from './mqtt-found.ts';
import { mqttOptions, mqttPort, type MqttOptions } from './mqtt-options.ts';

/** One channel for each value. The message does not say what it measures: by default a bare number. */
function mqttInputChannels({ values = [] }: MqttOptions): InputChannelOffer[] {
  return sorted(values).map(({ channel }) => ({ channel, name: `Channel ${channel}`, measurement: 'unitless' }));
}

function mqttOutputChannels({ actuators = [] }: MqttOptions): OutputChannelOffer[] {
  return sorted(actuators).map(({ channel, kind }) => ({ channel, name: `Channel ${channel}`, kind }));
}

/** A broker can refuse one log-in while another works. */
export function mqttConnection({
  host,
  tls = false,
  port = tls ? mqttPort.tls : mqttPort.plain,
  username,
}: Pick<MqttOptions, 'host' | 'tls' | 'port' | 'username'>): Connection {
  return connectionOf('mqtt', `${host}:${port}${username === undefined ? '' : ` (${username})`}`);
}

export const mqtt = {
  title: 'MQTT',
  summary: 'Topics of an MQTT broker: Tasmota, Shelly, ESPHome and whatever else publishes numbers or JSON',
  options: mqttOptions,
  input: mqttInputChannels,
  output: mqttOutputChannels,
  connection: mqttConnection,
  place: ['host', 'port', 'tls', 'ca'],
  search: {
    summary: 'List the devices that announced themselves on an MQTT broker, as to Home Assistant; changes nothing',
    query: mqttProbe,
    example: { host: '192.168.1.41' },
    found: mqttProbed,
  },
} satisfies Driver<MqttOptions>;
