import { z } from 'zod';
import { controllerKind } from './controller-kind.ts';
import { endpoint } from './endpoint.ts';
import { channelNumber, name, uuid } from './identifier.ts';
import { driverOptions, outputRef } from './output.ts';
import { datedValue } from './measurement.ts';
import { measurementName } from './units.ts';
import { resolution, settable } from './quantity.ts';
import { nextCursor, pageQuery } from './page.ts';

/** How to read the number of a sensor, before its unit is converted. */
export const inputScale = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('linear'),
    factor: settable.describe('value = factor * number + offset, -1e15 to 1e15'),
    offset: settable.describe('In the unit of the channel before conversion, -1e15 to 1e15'),
  }),
  z.strictObject({
    kind: z.literal('expression'),
    expression: z.string().trim().min(1).max(500).describe('Of x, the number of the sensor: (x - 4) / 16 * 100'),
  }),
]);
export type InputScale = z.infer<typeof inputScale>;

/** How the numbers of a channel become values, which values are plausible, and how finely they are shown. */
const judgement = z.strictObject({
  is_enabled: z.boolean().describe('false: what the sensor says on this channel is dropped'),
  scale: inputScale.nullable().describe('null: the number is the value'),
  raw_unit: z
    .string()
    .min(1)
    .max(16)
    .nullable()
    .describe('Unit that the sensor speaks in, one of GET /api/settings/units; null: the stored one'),
  plausible_min: settable
    .nullable()
    .describe('A value below it is bad, in the unit of the channel, -1e15 to 1e15; null: no limit'),
  plausible_max: settable
    .nullable()
    .describe('A value above it is bad, in the unit of the channel, -1e15 to 1e15; null: no limit'),
  max_rate_per_min: z
    .number()
    .gt(0)
    .max(1e15)
    .nullable()
    .describe('A value that moved faster is bad, in units a minute, above 0 to 1e15; null: no limit'),
  resolution: resolution
    .nullable()
    .describe('Smallest step of its values, in the unit of the channel, above 0 to 1e15; null: as the driver knows it'),
});

export const inputChannel = z.strictObject({
  channel: channelNumber,
  name,
  measurement_id: uuid,
  measurement: measurementName,
  unit: z.string().max(32),
  ...judgement.shape,
});
export type InputChannel = z.infer<typeof inputChannel>;

export const preOutput = outputRef.extend({
  lead_s: z.number().min(0).max(3_600).describe('How long it is on before the reading, in s'),
  while_measuring: z.boolean().describe('true: still on while the reading is taken'),
});

export const powerOutput = outputRef.extend({
  off_s: z.number().min(1).max(3_600).describe('How long a sensor that keeps failing is left without power, in s'),
});

export const input = z.strictObject({
  unique_id: uuid,
  name,
  driver: z.string().min(1).max(64),
  options: driverOptions,
  period_s: z.number().min(0.1).max(86_400).describe('Time between two readings, in s'),
  start_offset_s: z.number().min(0).max(86_400).describe('Delay of the first reading after a start, in s'),
  pre_output: preOutput.nullable().describe('Output that is switched on for each reading; null: none'),
  power_output: powerOutput.nullable().describe('Output that feeds the sensor; null: none'),
  channels: z.array(inputChannel).min(1),
  is_activated: z.boolean(),
});
export type Input = z.infer<typeof input>;

export const inputCreate = z.strictObject({
  name,
  driver: z.string().min(1).max(64),
  options: driverOptions.optional(),
  period_s: input.shape.period_s.optional().meta({ unit: 's', default: 15 }),
  start_offset_s: input.shape.start_offset_s
    .optional()
    .meta({ description: 'Delay of the first reading', unit: 's', default: 0 }),
  pre_output: input.shape.pre_output.optional(),
  power_output: input.shape.power_output.optional(),
  channels: z
    .array(
      z.strictObject({
        channel: channelNumber,
        name: name.optional(),
        measurement: measurementName.optional(),
        ...judgement.partial().shape,
      }),
    )
    .min(1)
    .max(256)
    .optional()
    .describe('The channels that the driver has when absent'),
  is_activated: z.boolean().optional().describe('true when absent'),
});
export type InputCreate = z.infer<typeof inputCreate>;

/** Fields that are not named stay; options merge by key, null clears one; the list of channels is replaced whole. */
export const inputPatch = inputCreate.partial().extend({
  unique_id: uuid.optional().describe('Read only, accepted unchanged'),
  channels: z
    .array(inputChannel.partial().required({ channel: true }))
    .min(1)
    .max(256)
    .optional()
    .describe(
      'All channels that it then has; of one that stays, what is not named stays. Identifiers and units are read only',
    ),
});
export type InputPatch = z.infer<typeof inputPatch>;

/** A sensor's reading on request. */
export const forcedReading = z.strictObject({ input_id: uuid, readings: z.array(datedValue) });

const params = z.strictObject({ input_id: uuid });

export const inputEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/settings/inputs',
    tag: 'inputs',
    summary: 'List the inputs with their settings',
    access: 'view_settings',
    query: z.strictObject(pageQuery),
    answer: z.strictObject({ inputs: z.array(input), next_cursor: nextCursor }),
    statuses: [200],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/settings/inputs',
    tag: 'inputs',
    summary: 'Make an input',
    access: 'edit_controllers',
    body: inputCreate,
    answer: input,
    statuses: [201],
    errors: ['unknown_reference', 'read_only_field'],
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/settings/inputs/:input_id',
    tag: 'inputs',
    summary: 'Read the settings of an input',
    access: 'view_settings',
    params,
    answer: input,
    statuses: [200],
    errors: ['not_found'],
  }),
  change: endpoint({
    method: 'PATCH',
    path: '/api/settings/inputs/:input_id',
    tag: 'inputs',
    summary: 'Change what the request names of an input',
    access: 'edit_controllers',
    params,
    body: inputPatch,
    answer: input,
    statuses: [200],
    errors: ['not_found', 'unknown_reference', 'read_only_field'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/settings/inputs/:input_id',
    tag: 'inputs',
    summary: 'Delete an input that nothing uses',
    access: 'edit_controllers',
    params,
    answer: z.strictObject({ unique_id: uuid, deleted: z.literal(true) }),
    statuses: [200],
    errors: ['not_found', 'in_use'],
  }),
  forceMeasurement: endpoint({
    method: 'POST',
    path: '/api/inputs/:input_id/force_measurement',
    tag: 'inputs',
    summary: 'Read an input now; answers when the reading is stored',
    access: 'edit_controllers',
    budget: 'command',
    params,
    answer: forcedReading,
    statuses: [200],
    errors: ['not_found', 'not_active', 'command_failed', 'command_unknown', 'daemon_unreachable'],
  }),
};

export const inputKind = controllerKind({
  type: 'Input',
  word: 'input',
  plural: 'inputs',
  noun: 'input',
  isDevice: true,
  alarmSource: 'input',
  settings: input,
  endpoints: inputEndpoints,
  series: { channels: ({ channels }) => channels, period_s: ({ period_s }) => period_s, isTold: true },
});
