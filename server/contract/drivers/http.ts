import { z } from 'zod';
import { certificatePem } from '../certificate-pem.ts';
import { channelNumber } from '../identifier.ts';
import { secretSent } from '../secret.ts';
import { sorted, type Driver, type InputChannelOffer, type OutputChannelOffer } from './driver.ts';
import { ruled, why } from '../refusal-reason.ts';

/** Path and query as they stand in a request line: printable ASCII without spaces. */
const requestPath = z
  .string()
  .trim()
  .max(1000, { abort: true })
  .regex(/^\/[!-~]*$/, 'must begin with / and hold no spaces');

const httpChannel = z.strictObject({
  channel: channelNumber,
  path: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe(
      'Where it stands in a JSON answer: sensor.value, or a JSON pointer as /sensor/value; without, the whole answer',
    ),
  read_path: requestPath.optional().describe('Where this channel is read, if not where the others are'),
  command_path: requestPath
    .optional()
    .describe(
      'Of an output: where commands go; {state} becomes on or off, {bool} true or false, {bit} 1 or 0, {value} 0 to 100',
    ),
  command_method: z
    .enum(['GET', 'POST', 'PUT'])
    .optional()
    .meta({ description: 'How commands are sent', default: 'POST' }),
  command_body: z
    .string()
    .max(4000)
    .optional()
    .describe('What is sent with a command, with the same words in braces: {"on": {bool}}'),
  command_type: z.enum(['json', 'form', 'text']).optional().meta({ description: 'What the body is', default: 'json' }),
  readback: z
    .boolean()
    .optional()
    .meta({ description: 'Of an output whose state can be read: it is read after a command too', default: true }),
});
export type HttpChannel = z.infer<typeof httpChannel>;

export const httpOptions = z.strictObject({
  base_url: z
    .string()
    .trim()
    .max(500, { abort: true })
    .regex(/^https?:\/\/[^\s/@?#]+(\/[^\s?#]*)?$/, 'must be http:// or https:// with a host, and no password')
    .describe('Address of the device, as http://192.168.1.20: everything is asked of it and nothing else'),
  read_path: requestPath.optional().describe('Where the values, or the states of outputs, are read'),
  username: z
    .string()
    .max(254, { abort: true })
    .regex(/^[^:\s]+$/, 'must hold no colon or space')
    .optional()
    .describe('With it the password is sent by Basic, without it as a Bearer token'),
  password: secretSent.optional().describe('Password or token; write only'),
  ca: certificatePem
    .optional()
    .describe('Certificate of the device, or the authority that signed it, PEM; without, those that the system knows'),
  timeout_ms: z
    .int()
    .min(100)
    .max(10_000)
    .optional()
    .meta({ description: 'Longest wait for a connection, and then for the answer', unit: 'ms', default: 3000 }),
  channels: z
    .array(httpChannel)
    .min(1)
    .max(64)
    .refine((list) => new Set(list.map((one) => one.channel)).size === list.length, ruled(why('entry_each_channel'))),
});
export type HttpOptions = z.infer<typeof httpOptions>;

/** One channel for each that can be read; the wiring does not say what it measures. */
function httpInputChannels(options: HttpOptions): InputChannelOffer[] {
  const read = options.channels.filter(({ read_path }) => (read_path ?? options.read_path) !== undefined);
  return sorted(read).map(({ channel }) => ({ channel, name: `Channel ${channel}`, measurement: 'unitless' }));
}

/** One channel for each that takes commands: a dimmer if the command contains a value. */
function httpOutputChannels({ channels }: HttpOptions): OutputChannelOffer[] {
  const commanded = channels.filter(({ command_path }) => command_path !== undefined);
  return sorted(commanded).map((one) => {
    const kind = isHttpDimmer(one) ? 'dimmer' : 'switch';
    return { channel: one.channel, name: `Channel ${one.channel}`, kind };
  });
}

export function isHttpDimmer({ command_path = '', command_body = '' }: HttpChannel): boolean {
  return `${command_path} ${command_body}`.includes('{value}');
}

export const http = {
  title: 'HTTP',
  summary: 'A device that answers with numbers or JSON at an address, and takes commands at others',
  options: httpOptions,
  input: httpInputChannels,
  output: httpOutputChannels,
  place: ['base_url'],
} satisfies Driver<HttpOptions>;
