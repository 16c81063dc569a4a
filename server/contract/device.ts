import { z } from 'zod';
import { controllerWord } from './controller-kinds.ts';
import { endpoint } from './endpoint.ts';
import { channelNumber, uuid } from './identifier.ts';
import { sampleQuality } from './measurement.ts';
import { outputChannelKind, outputChannelState } from './output.ts';
import { measured, quantity, resolution } from './quantity.ts';
import { timestamp } from './time.ts';

const lastReading = z.strictObject({
  value: measured('In the unit of the channel').nullable(),
  quality: sampleQuality,
  time: timestamp,
});

/** A device as the map and the binding form need it. */
export const device = z.strictObject({
  unique_id: uuid,
  kind: controllerWord,
  name: z.string(),
  driver: z.string(),
  channels: z.array(
    z.strictObject({
      channel: channelNumber,
      name: z.string(),
      measurement_id: uuid.optional(),
      measurement: z.string().optional(),
      unit: z.string().optional(),
      resolution: resolution.optional().describe('Smallest step of its values in the unit; absent where unknown'),
      last: lastReading.nullable().optional(),
      kind: outputChannelKind.optional().describe('Of an output'),
      is_cycled: z
        .boolean()
        .optional()
        .describe('Of an output: a switch that keeps a duty cycle by switching on and off'),
    }),
  ),
  is_activated: z.boolean(),
  facility_uuid: uuid.optional().describe('Of a climate program: its house'),
  stale_after_s: quantity('s', 'Of what measures: the age from which a value is stale').optional(),
  state: z.array(outputChannelState).optional().describe('Of an output: the live state of each channel'),
  last: lastReading.nullable().optional().describe('Of an input: the newest value of its first channel'),
  locations: z.array(
    z.strictObject({
      map_uuid: uuid,
      feature_uuid: uuid,
      lat: z.number().min(-90).max(90).describe('Latitude in degrees'),
      lng: z.number().min(-180).max(180).describe('Longitude in degrees'),
    }),
  ),
});
export type Device = z.infer<typeof device>;

const query = z.strictObject({ geo_id: uuid.optional().describe('Only locations on this map') });

export const deviceEndpoints = {
  devices: endpoint({
    method: 'GET',
    path: '/api/geo/devices',
    tag: 'devices',
    summary: 'List all devices for the map',
    access: 'login',
    query,
    answer: z.strictObject({ devices: z.array(device) }),
    statuses: [200],
    errors: ['not_found'],
  }),
  inputs: endpoint({
    method: 'GET',
    path: '/api/geo/inputs',
    tag: 'devices',
    summary: 'List the inputs for the map',
    access: 'login',
    query,
    answer: z.strictObject({ inputs: z.array(device) }),
    statuses: [200],
    errors: ['not_found'],
  }),
  outputs: endpoint({
    method: 'GET',
    path: '/api/geo/outputs',
    tag: 'devices',
    summary: 'List the outputs for the map',
    access: 'login',
    query,
    answer: z.strictObject({ outputs: z.array(device) }),
    statuses: [200],
    errors: ['not_found'],
  }),
};
