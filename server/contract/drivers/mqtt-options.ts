import { z } from 'zod';
import { certificatePem } from '../certificate-pem.ts';
import { hostName } from '../host-name.ts';
import { channelNumber } from '../identifier.ts';
import { secretSent } from '../secret.ts';
import { ruled, why } from '../refusal-reason.ts';

/** A topic of one device: wildcards would mix several. MQTT 3.1.1, section 4.7. */
export const mqttTopic = z
  .string()
  .min(1)
  .max(500, { abort: true })
  .regex(/^[^+#\0]+$/, 'must be a topic without wildcards');
const path = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .describe(
    'Where it stands in a JSON message: ENERGY.Power, or a JSON pointer as /ENERGY/Power; without, the whole message',
  );
const word = z.string().max(200).optional();
const payload = z.string().max(2_000).optional();

/** As registered with IANA: mqtt and secure-mqtt. */
export const mqttPort = { plain: 1883, tls: 8883 };

/** How to reach a broker; devices with equal values share one connection. */
export const mqttBroker = z.strictObject({
  host: hostName.describe('Host name or address of the broker'),
  port: z.int().min(1).max(65_535).optional().describe('TCP port; 1883 when absent, with TLS 8883'),
  tls: z
    .boolean()
    .optional()
    .meta({ description: 'Encrypts, and checks the certificate of the broker', default: false }),
  ca: certificatePem
    .optional()
    .describe('Authority that signed the certificate of the broker, PEM; without, those that the system knows'),
  username: z.string().min(1).max(254).optional().describe('Log-in at the broker'),
  password: secretSent.optional().describe('Of this log-in; write only'),
  client_id: z
    .string()
    .min(1)
    .max(128)
    .optional()
    .describe('Only where the broker asks for a certain one: no other client may use it. Without, a random one'),
});
export type MqttBroker = z.infer<typeof mqttBroker>;

const mqttValue = z.strictObject({
  channel: channelNumber,
  topic: mqttTopic.describe('Topic that the sensor publishes on'),
  path,
});
export type MqttValue = z.infer<typeof mqttValue>;

export const mqttActuator = z.strictObject({
  channel: channelNumber,
  kind: z.enum(['switch', 'dimmer']).describe('switch: on or off; dimmer: a position or brightness of 0 to 100 %'),
  command_topic: mqttTopic.describe('Topic that the device takes commands on'),
  on_payload: payload.meta({ description: 'What turns a switch on', default: 'ON' }),
  off_payload: payload.describe('What turns it off; of a switch OFF when absent, of a dimmer its value for 0'),
  value_payload: payload.meta({ description: 'Of a dimmer: {value} stands for the number', default: '{value}' }),
  value_max: z
    .number()
    .gt(0)
    .max(1_000_000)
    .optional()
    .meta({ description: 'Of a dimmer: the number that means 100 %, above 0 to 1000000', default: 100 }),
  state_topic: mqttTopic
    .optional()
    .describe('Topic on which the device says what state it is in; without, no command is ever confirmed'),
  state_path: path,
  state_on: word.describe('What it says when it is on; on_payload when absent'),
  state_off: word.describe('What it says when it is off; off_payload when absent'),
  value_path: path.describe('Of a dimmer: where its number stands, when it is not at state_path'),
});
export type MqttActuator = z.infer<typeof mqttActuator>;

const once = (list: readonly { channel: number }[]) => new Set(list.map(({ channel }) => channel)).size === list.length;

export const mqttOptions = z.strictObject({
  ...mqttBroker.shape,
  values: z
    .array(mqttValue)
    .min(1)
    .max(256)
    .refine(once, ruled(why('entry_each_channel')))
    .optional(),
  actuators: z
    .array(mqttActuator)
    .min(1)
    .max(256)
    .refine(once, ruled(why('entry_each_channel')))
    .optional(),
  availability: z
    .strictObject({
      topic: mqttTopic,
      path,
      online: word.meta({ default: 'online' }),
      offline: word.meta({ default: 'offline' }),
    })
    .optional()
    .describe('Topic on which the device, or the broker as its last will, says whether it is there'),
  request: z
    .strictObject({ topic: mqttTopic, payload })
    .optional()
    .describe('What makes the device speak: published with each connection, and for inputs in each period'),
  expire_after_s: z
    .number()
    .min(1)
    .max(604_800)
    .optional()
    .meta({ description: 'An input that said nothing for so long has failed', unit: 's' }),
  qos: z
    .int()
    .min(0)
    .max(2)
    .optional()
    .meta({ description: 'Of commands: 0 sent once, 1 acknowledged by the broker, 2 exactly once', default: 1 }),
  timeout_s: z
    .number()
    .min(0.1)
    .max(9)
    .optional()
    .meta({ description: 'Longest wait until the device says that it did what it was told', unit: 's', default: 5 }),
});
export type MqttOptions = z.infer<typeof mqttOptions>;
