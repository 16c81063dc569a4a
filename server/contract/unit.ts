import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { uuid } from './identifier.ts';
import { measurementName } from './units.ts';
import { nextCursor, pageQuery } from './page.ts';
import { ruled, why } from './refusal-reason.ts';

const limit = 1e9;
const conversion = {
  measurement: measurementName.describe('What is measured in it'),
  unit: z.string().trim().min(1).max(16).describe('As it is written behind a number'),
  factor: z
    .number()
    .min(-limit)
    .max(limit)
    .refine((factor) => factor !== 0, ruled(why('factor_zero')))
    .describe('value in the stored unit = factor * value in this unit + offset'),
  offset: z.number().min(-limit).max(limit).describe('In the stored unit of the measurement'),
};

/** A further unit, which sensors can send and series can be read in. */
export const unit = z.strictObject({ unique_id: uuid, ...conversion });
export type Unit = z.infer<typeof unit>;

export const builtInUnit = z.strictObject(conversion);

export const unitCreate = z.strictObject({ ...conversion, offset: conversion.offset.optional() });
export type UnitCreate = z.infer<typeof unitCreate>;

export const unitPatch = unit.partial();
export type UnitPatch = z.infer<typeof unitPatch>;

const params = z.strictObject({ unit_id: uuid });
const tag = 'units';

export const unitEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/settings/units',
    tag,
    summary: 'List the own units, and those delivered with the program',
    access: 'view_settings',
    query: z.strictObject(pageQuery),
    answer: z.strictObject({ units: z.array(unit), delivered: z.array(builtInUnit), next_cursor: nextCursor }),
    statuses: [200],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/settings/units',
    tag,
    summary: 'Make a unit that sensors speak in and series can be read in',
    access: 'edit_controllers',
    body: unitCreate,
    answer: unit,
    statuses: [201],
    errors: ['already_exists'],
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/settings/units/:unit_id',
    tag,
    summary: 'Read an own unit',
    access: 'view_settings',
    params,
    answer: unit,
    statuses: [200],
  }),
  change: endpoint({
    method: 'PATCH',
    path: '/api/settings/units/:unit_id',
    tag,
    summary: 'Change an own unit',
    access: 'edit_controllers',
    params,
    body: unitPatch,
    answer: unit,
    statuses: [200],
    errors: ['already_exists', 'read_only_field', 'in_use'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/settings/units/:unit_id',
    tag,
    summary: 'Delete an own unit that no sensor speaks in',
    access: 'edit_controllers',
    params,
    answer: z.strictObject({ unique_id: uuid, deleted: z.literal(true) }),
    statuses: [200],
    errors: ['in_use'],
  }),
};
