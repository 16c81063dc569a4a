import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { actuatorRole, sensorRole } from './facility-binding.ts';
import { alarmingCodes, severities, severity } from './facility-live.ts';
import { uuid } from './identifier.ts';
import { nextCursor, pageQuery } from './page.ts';
import { moment, timestamp } from './time.ts';

/** The subjects of alarms: what a facility shows, and what the daemon notices about itself. */
export const alarmCodes = [
  ...alarmingCodes,
  'daemon_stopped',
  'daemon_restarted',
  'crash_loop',
  'disk_low',
  'store_failed',
  'safety_gate',
  'watchdog',
  'dead_man',
  'control_stopped',
  'climate_fallback',
  'clock_set',
  'message_lost',
  'connection_lost',
  'custom',
] as const;
export const alarmCode = z.enum(alarmCodes);
export type AlarmCode = z.infer<typeof alarmCode>;

/** States of ISA-18.2, 2016, figure 2, as one word each; those that need attention come first. */
export const alarmStates = [
  'unacknowledged',
  'acknowledged',
  'latched',
  'returned',
  'shelved',
  'suppressed',
  'out_of_service',
  'normal',
] as const;
export const alarmState = z
  .enum(alarmStates)
  .describe(
    'unacknowledged, acknowledged: the condition is there; returned: gone before it was acknowledged; latched: gone and waiting for ' +
      'a reset; suppressed: the consequence of another alarm; shelved, out_of_service: silenced by a person',
  );
export type AlarmState = z.infer<typeof alarmState>;

/** What can happen to an alarm. */
export const alarmTransitions = [
  'raise',
  'clear',
  'acknowledge',
  'shelve',
  'unshelve',
  'suppress',
  'unsuppress',
  'remove_from_service',
  'return_to_service',
] as const;
export const alarmTransition = z.enum(alarmTransitions);
export type AlarmTransition = z.infer<typeof alarmTransition>;

export const alarmSourceKind = z.enum(['input', 'output', 'controller', 'connection', 'facility', 'site', 'daemon']);
export type AlarmSourceKind = z.infer<typeof alarmSourceKind>;

/** That of a connection holds a host name. */
const longestSource = 300;

const facts = {
  code: alarmCode,
  severity,
  source_kind: alarmSourceKind,
  source_id: z
    .string()
    .min(1)
    .max(longestSource)
    .describe('Device, facility, or driver and address of a connection; `daemon` and `site` for themselves'),
  source_name: z.string().max(200).nullable().describe('As it was called then'),
  channel: z.int().min(0).max(65_535).nullable().describe('Of the device, 0 to 65535'),
  role: z.union([sensorRole, actuatorRole]).nullable().describe('What the reading or actuator is for'),
  name: z
    .string()
    .max(200)
    .nullable()
    .describe('Of the sensor or actuator of a facility, as it was called then; of out_of_band above or below'),
  value: z.number().nullable().describe('What was measured, in unit; any finite number'),
  limit: z.number().nullable().describe('What it crossed, in unit; any finite number'),
  unit: z.string().max(32).nullable(),
  message: z.string().max(500).nullable().describe('What the device or the program said of it, in its own words'),
};

/** A condition that needs attention, with the facts to describe it in any language. */
export const alarmCondition = z.strictObject(facts);
export type AlarmCondition = z.infer<typeof alarmCondition>;

const factsAlone = z.object(facts);

/** The facts of an alarm, or of a line of its journal, without its state. */
export function conditionOf(from: AlarmCondition): AlarmCondition {
  return factsAlone.parse(from);
}

/** The part of an alarm that is shown outside the page. */
export const alarmBrief = z.strictObject({ alarm_id: uuid, ...facts });
export type AlarmBrief = z.infer<typeof alarmBrief>;

/** That part. */
export function briefOf(alarm: AlarmBrief): AlarmBrief {
  return { alarm_id: alarm.alarm_id, ...conditionOf(alarm) };
}

export const alarm = z.strictObject({
  alarm_id: uuid.describe('The same whenever the same condition comes back'),
  ...facts,
  state: alarmState,
  is_raised: z.boolean().describe('The condition is there now'),
  caused_by: uuid
    .nullable()
    .default(null) // daemons of before tell none
    .describe('The alarm of which a suppressed one is the consequence; null in any other state'),
  is_first_out: z.boolean().describe('The first of those of its source: what came before the rest'),
  occurrences: z
    .int()
    .min(1)
    .max(1_000_000_000)
    .describe('How often the condition came since the alarm was last normal'),
  raised_at: timestamp,
  changed_at: timestamp,
  acknowledged_by: z.string().nullable(),
  acknowledged_at: timestamp.nullable(),
  shelved_until: timestamp.nullable(),
});
export type Alarm = z.infer<typeof alarm>;

/** Order of a list: by state, then severity, then newest first. */
export function byUrgency(one: Alarm, other: Alarm): number {
  return (
    alarmStates.indexOf(one.state) - alarmStates.indexOf(other.state) ||
    severities.indexOf(other.severity) - severities.indexOf(one.severity) ||
    other.raised_at.localeCompare(one.raised_at)
  );
}

/**
 * Whether the alarm counts as one that is there. A consequence does not, even once its cause has ended: it speaks for
 * itself as soon as its source had the time to recover.
 */
export function isActive({ state }: Pick<Alarm, 'state'>): boolean {
  return state === 'unacknowledged' || state === 'acknowledged';
}

/** Whether it is silent as the consequence of another alarm. */
export function isConsequence({ state }: Pick<Alarm, 'state'>): boolean {
  return state === 'suppressed';
}

/** Whether a person silenced it, for a time or until it is returned to service. */
export function isPutAway({ state }: Pick<Alarm, 'state'>): boolean {
  return state === 'shelved' || state === 'out_of_service';
}

/**
 * What consequences befall: the alarms of each source. Consequences are counted by these, for a device that fails has
 * several.
 */
export function affectedBy<One extends Pick<Alarm, 'source_id'>>(consequences: readonly One[]): [One, ...One[]][] {
  const bySource = Map.groupBy(consequences, ({ source_id }) => source_id);
  return [...bySource.values()].flatMap(([first, ...others]) => (first === undefined ? [] : [[first, ...others]]));
}

/** Whether the alarm is not acknowledged yet, or waits for a reset. */
export function needsAttention({ state }: Pick<Alarm, 'state'>): boolean {
  return state === 'unacknowledged' || state === 'returned' || state === 'latched';
}

/** One line of the journal: a transition and who made it; a null actor means that it happened by itself. */
export const alarmEntry = z.strictObject({
  ordinal: z.int().min(1).max(1e15).describe('Rises with every entry'),
  at: timestamp,
  alarm_id: uuid,
  transition: alarmTransition,
  state_before: alarmState,
  state: alarmState,
  actor: z.string().nullable(),
  note: z.string().nullable(),
  ...facts,
});
export type AlarmEntry = z.infer<typeof alarmEntry>;

const reason = z.string().trim().min(1).max(500).optional().describe('For the journal');
/** The longest time for which an alarm can be shelved, s: a week. */
export const longestShelf_s = 604_800;

export const alarmShelve = z.strictObject({
  duration_s: z
    .int()
    .min(60)
    .max(longestShelf_s)
    .meta({ description: 'For how long, a minute to a week; then it comes back by itself', unit: 's' }),
  reason,
});

const params = z.strictObject({ alarm_id: uuid });
const command = (path: string, summary: string, body: z.ZodType) =>
  ({
    method: 'POST',
    path: `/api/alarms/:alarm_id/${path}`,
    tag: 'alarms',
    summary,
    access: 'edit_controllers',
    budget: 'safety',
    params,
    body,
    answer: alarm,
    statuses: [200],
    errors: ['conflict', 'daemon_unreachable', 'command_unknown'],
  }) as const;
const noted = z.strictObject({ reason });

export const alarmEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/alarms',
    tag: 'alarms',
    summary: 'The alarms that are not normal, the most urgent first',
    access: 'view_stats',
    query: z.strictObject({
      state: alarmState.optional(),
      severity: severity.optional(),
      code: alarmCode.optional(),
      source_id: z.string().max(longestSource).optional(),
      ...pageQuery,
    }),
    answer: z.strictObject({ alarms: z.array(alarm), next_cursor: nextCursor }),
    statuses: [200],
  }),
  journal: endpoint({
    method: 'GET',
    path: '/api/alarms/journal',
    tag: 'alarms',
    summary: 'What happened to alarms, the latest first',
    access: 'view_stats',
    query: z.strictObject({
      from: moment.optional().describe('Of that time or later'),
      to: moment.optional().describe('Before that time'),
      alarm_id: uuid.optional(),
      code: alarmCode.optional(),
      severity: severity.optional(),
      transition: alarmTransition.optional(),
      source_id: z.string().max(longestSource).optional(),
      limit: z.int().min(1).max(1000).optional().describe('Entries of a page, 1 to 1000; 100 when absent'),
      cursor: z.string().max(20).optional().describe('next_cursor of the page before'),
    }),
    answer: z.strictObject({ entries: z.array(alarmEntry), next_cursor: z.string().nullable() }),
    statuses: [200],
  }),
  acknowledgeMany: endpoint({
    method: 'POST',
    path: '/api/alarms/acknowledge',
    tag: 'alarms',
    summary: 'Say that several alarms were seen',
    access: 'edit_controllers',
    budget: 'safety',
    body: z.strictObject({ alarm_ids: z.array(uuid).min(1).max(500), reason }),
    answer: z.strictObject({
      alarms: z.array(alarm),
      refused: z.array(uuid).describe('Those that were gone or needed no acknowledgement'),
    }),
    statuses: [200],
    errors: ['conflict', 'daemon_unreachable', 'command_unknown'],
  }),
  acknowledge: endpoint({
    ...command('acknowledge', 'Say that an alarm was seen; resets a latched one', noted),
    body: noted,
  }),
  shelve: endpoint({ ...command('shelve', 'Silence an alarm for some time', alarmShelve), body: alarmShelve }),
  unshelve: endpoint({ ...command('unshelve', 'Let a shelved alarm speak again', noted), body: noted }),
  removeFromService: endpoint({
    ...command('remove_from_service', 'Silence an alarm until it is returned to service, for maintenance', noted),
    body: noted,
  }),
  returnToService: endpoint({ ...command('return_to_service', 'End that', noted), body: noted }),
};
