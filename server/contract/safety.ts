import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { channelNumber, name, uuid } from './identifier.ts';
import { outcome } from './output.ts';
import { timestamp } from './time.ts';

/** Two channels of which one forbids the other: never the heater with the roof vent open, never both of a pair. */
export const interlock = z.strictObject({
  name,
  while_output_id: uuid.describe('The output that forbids'),
  while_channel: channelNumber,
  above_pct: z.number().min(0).max(100).describe('It forbids while it stands above this, in %; on counts 100'),
  forbids_output_id: uuid.describe('The output that may not be on meanwhile'),
  forbids_channel: channelNumber,
  is_mutual: z.boolean().describe('true: the second forbids the first as well, whenever it is on'),
});
export type Interlock = z.infer<typeof interlock>;

/** Rules for all outputs together. */
export const safetySettings = z.strictObject({
  max_current_a: z.number().gt(0).max(100_000).nullable().meta({
    description: 'Nothing is switched on that would draw more than this with what is on, in A; null: no limit',
    unit: 'A',
  }),
  interlocks: z.array(interlock).max(500),
});
export type SafetySettings = z.infer<typeof safetySettings>;

/** The settings of a new installation. */
export const defaultSafety: SafetySettings = { max_current_a: null, interlocks: [] };

/** A controller trusts a reading for this many of its sensor's periods, and at least this long, s. */
export const sensorTrust = { periods: 3, least_s: 10 };

/** The age from which a reading of a sensor with this period is stale, s. */
export function staleAfter_s({ period_s }: { period_s: number }): number {
  return sensorTrust.periods * period_s;
}

/**
 * How far back a reading must be before the gate releases, and before the alarm of the same limit ends: K of air, a
 * fraction of the wind limit.
 */
export const gateBand = { air_k: 1, wind_part: 0.1 };

/** The present emergency stop: while it is active every output is commanded to its safe state, and to nothing else. */
export const emergencyStop = z.strictObject({
  active: z.boolean(),
  since: timestamp.nullable(),
  by: z.string().nullable().describe('User, key or program that stopped everything'),
  reason: z.string().nullable(),
  outputs: z
    .array(z.strictObject({ output_id: uuid, channel: channelNumber, outcome, message: z.string() }))
    .describe('How far each output is known to be in its safe state; empty while it is not active'),
});
export type EmergencyStop = z.infer<typeof emergencyStop>;

const errors = ['daemon_unreachable', 'command_failed', 'command_unknown'] as const;
const request = z.strictObject({ reason: z.string().trim().max(500).optional() });

export const safetyEndpoints = {
  getEmergencyStop: endpoint({
    method: 'GET',
    path: '/api/emergency_stop',
    tag: 'safety',
    summary: 'Read whether the emergency stop holds, since when and by whom',
    access: 'view_stats',
    answer: emergencyStop,
    statuses: [200],
    errors,
  }),
  stopAll: endpoint({
    method: 'POST',
    path: '/api/emergency_stop',
    tag: 'safety',
    summary: 'Drive every output to its safe state at once and hold it there until released',
    access: 'edit_controllers',
    budget: 'safety',
    body: request,
    answer: emergencyStop,
    statuses: [200],
    errors,
  }),
  release: endpoint({
    method: 'DELETE',
    path: '/api/emergency_stop',
    tag: 'safety',
    summary: 'Release the emergency stop; outputs stay as they are until they are commanded anew',
    access: 'edit_controllers',
    budget: 'safety',
    body: request,
    answer: emergencyStop,
    statuses: [200],
    errors,
  }),
};
