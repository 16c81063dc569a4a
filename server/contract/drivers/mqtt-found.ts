import { z } from 'zod';
import { mqttBroker, mqttOptions } from './mqtt-options.ts';
import { channelNumber } from '../identifier.ts';
import { measurementName } from '../units.ts';

/** Maximum announcements that are read. */
export const mostAnnounced = 2_000;

/** Where a broker may be. */
export const mqttProbe = mqttBroker.omit({ password: true }).extend({
  password: z.string().min(1).max(1000).optional().describe('Of this log-in; it is not kept'),
});
export type MqttProbe = z.infer<typeof mqttProbe>;

const { values, actuators, availability, expire_after_s } = mqttOptions.shape;

/** A device that announced itself on a broker, as an input or an output of the driver mqtt. */
export const mqttFound = z.strictObject({
  name: z.string().min(1).max(200),
  kind: z.enum(['input', 'output']),
  options: z
    .strictObject({ values, actuators, availability, expire_after_s })
    .describe('Options of the driver beside those of the broker'),
  channels: z.array(
    z.strictObject({
      channel: channelNumber,
      name: z.string().min(1).max(200),
      measurement: measurementName.optional(),
      raw_unit: z.string().optional().describe('Unit that it speaks in, where it is not the stored one'),
    }),
  ),
});
export type MqttFound = z.infer<typeof mqttFound>;

export const mqttProbed = z.strictObject({
  found: z
    .enum(['answers', 'refused', 'unreachable'])
    .describe('answers: the broker let us in; refused: it did not; unreachable: no broker at this address'),
  message: z.string().describe('What it said, or why it said nothing'),
  devices: z.array(mqttFound),
  left_out: z
    .int()
    .min(0)
    .max(mostAnnounced)
    .describe('Announcements of what cannot be read or switched here, 0 to 2000'),
});
export type MqttProbed = z.infer<typeof mqttProbed>;
