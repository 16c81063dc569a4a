import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { uuid } from './identifier.ts';
import { inputChannel } from './input.ts';
import { nextCursor, pageQuery } from './page.ts';

const raw_days = z.int().min(1).max(3660).describe('How long samples are kept, days');
const rollup_days = z.int().min(1).max(36_600).describe('How long rollups are kept, days; not shorter than samples');

/** The retention of one channel of an input, or of a controller's result. */
export const measurementSetting = z.strictObject({
  unique_id: uuid.describe('The measurement_id of the channel'),
  device_id: uuid,
  channel: inputChannel.shape.channel,
  name: inputChannel.shape.name,
  measurement: inputChannel.shape.measurement,
  unit: inputChannel.shape.unit,
  raw_days,
  rollup_days,
  is_default: z.boolean().describe('Kept for the default times: samples 400 days, rollups 3650'),
});
export type MeasurementSetting = z.infer<typeof measurementSetting>;

export const measurementSettingCreate = z.strictObject({
  unique_id: uuid.describe('The measurement_id of the channel'),
  raw_days: raw_days.optional(),
  rollup_days: rollup_days.optional(),
});
export type MeasurementSettingCreate = z.infer<typeof measurementSettingCreate>;

export const measurementSettingPatch = measurementSetting
  .partial()
  .describe('Only name, raw_days and rollup_days change');
export type MeasurementSettingPatch = z.infer<typeof measurementSettingPatch>;

const params = z.strictObject({ measurement_id: uuid });
const tag = 'measurements';

export const measurementSettingEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/settings/measurements',
    tag,
    summary: 'List what is measured, with how long it is kept',
    access: 'view_settings',
    query: z.strictObject(pageQuery),
    answer: z.strictObject({ measurements: z.array(measurementSetting), next_cursor: nextCursor }),
    statuses: [200],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/settings/measurements',
    tag,
    summary: 'Keep a measurement longer or shorter than the others',
    access: 'edit_controllers',
    body: measurementSettingCreate,
    answer: measurementSetting,
    statuses: [201],
    errors: ['unknown_reference', 'already_exists'],
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/settings/measurements/:measurement_id',
    tag,
    summary: 'Read how a measurement is called and kept',
    access: 'view_settings',
    params,
    answer: measurementSetting,
    statuses: [200],
  }),
  change: endpoint({
    method: 'PATCH',
    path: '/api/settings/measurements/:measurement_id',
    tag,
    summary: 'Change how a measurement is called and how long it is kept',
    access: 'edit_controllers',
    params,
    body: measurementSettingPatch,
    answer: measurementSetting,
    statuses: [200],
    errors: ['read_only_field'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/settings/measurements/:measurement_id',
    tag,
    summary: 'Keep a measurement as long as the others again; what is kept stays',
    access: 'edit_controllers',
    params,
    answer: z.strictObject({ unique_id: uuid, deleted: z.literal(true) }),
    statuses: [200],
  }),
};
