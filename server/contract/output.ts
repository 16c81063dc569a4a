import { z } from 'zod';
import { cause } from './cause.ts';
import { controllerKind } from './controller-kind.ts';
import { endpoint } from './endpoint.ts';
import { channelNumber, name, uuid } from './identifier.ts';
import { quantity } from './quantity.ts';
import { nextCursor, pageQuery } from './page.ts';
import { moment, timestamp } from './time.ts';

/** How a command ended; see the command outcomes of the documentation. */
export const outcome = z.enum(['confirmed', 'pending', 'unknown', 'failed', 'blocked']);
export type Outcome = z.infer<typeof outcome>;

/** on, off, or a duty cycle or value in the channel's unit (0..100 %); null is unknown, which is not off. */
export const outputState = z
  .union([z.literal('on'), z.literal('off'), z.number()])
  .nullable()
  .describe('on, off, or any finite number: a value in the unit of the channel, 0 to 100 in %; null: unknown');
export type OutputState = z.infer<typeof outputState>;

/** Who drives a channel, strongest first. */
export const commandSources = ['emergency_stop', 'safety', 'manual', 'commissioning', 'automatic'] as const;
export const commandSource = z.enum(commandSources);
export type CommandSource = z.infer<typeof commandSource>;

/** The rules that may hold a channel against the effective command. */
export const holdingRules = [
  'emergency_stop',
  'wind',
  'rain',
  'frost',
  'over_temperature',
  'stale',
  'current_limit',
  'interlock',
  'min_off',
] as const;
export type HoldingRule = (typeof holdingRules)[number];

/** Why a command was not confirmed although no rule held it. */
export const commandFaults = [
  'cannot_answer',
  'timed_out',
  'bad_answer',
  'refused',
  'unreachable',
  'unsupported',
  'superseded',
  'stopping',
  'overridden',
  'waiting',
  'expired',
] as const;
export type CommandFault = (typeof commandFaults)[number];
export type ResultCode = HoldingRule | CommandFault;

/** The facts of a rule, so that a page can word it in any language. */
const heldBy = z.strictObject({
  name: z.string().optional().describe('Of the interlock, or of the sensors that are silent'),
  limit: z.number().optional().describe('That is crossed, in unit; any finite number'),
  unit: z.string().optional(),
});
export type HeldBy = z.infer<typeof heldBy>;

/** A command that waits for what holds it back, as its caller asked. */
export const keptCommand = z.strictObject({
  value: outputState,
  source: commandSource,
  actor: z.string().describe('User, key or program that gave it'),
  reason: z.string().nullable(),
  until: timestamp.nullable().describe('It is dropped then; null for the standing demand of a controller'),
});
export type KeptCommand = z.infer<typeof keptCommand>;

export const overrideEnds = ['expired', 'released', 'emergency_stop', 'watchdog', 'restart'] as const;

/** How a channel's last manual command ended without being replaced. */
export const overrideEnd = z.strictObject({
  ended_at: timestamp,
  ended_by: z
    .enum(overrideEnds)
    .describe(
      'expired: its time was over; watchdog: its output hung and began anew; restart: it was kept, and the daemon began anew before it could act',
    ),
  released_by: z.string().nullable().describe('User, key or program that released it or stopped everything'),
  actor: z.string().describe('User, key or program that had given the command'),
  value: outputState.describe('What it asked for'),
  reason: z.string().optional().describe('What was said with the command'),
  override_until: timestamp.nullable().describe('Until when it was to hold; null: until the next automatic command'),
});
export type OverrideEnd = z.infer<typeof overrideEnd>;

export const outputChannelState = z.strictObject({
  channel: channelNumber,
  state: outputState,
  contact: z
    .enum(['on', 'off'])
    .nullable()
    .describe('What a relay that keeps the duty cycle of state does at this moment; null while it keeps none'),
  quality: z
    .enum(['good', 'commanded', 'unknown'])
    .describe('good: the device confirmed it; commanded: sent to a device that cannot answer; unknown: neither'),
  source: commandSource.nullable().describe('Who drives the channel; null after a start'),
  actor: z.string().nullable().describe('User, key or program that gave the command'),
  reason: z.string().nullable().describe('What was said with the command, or the rule that holds the channel'),
  cause: cause.optional().describe('Of the command in effect, where a controller gave it'),
  rule: z.enum(holdingRules).nullable().describe('The rule that holds the channel; null when none does'),
  held_by: heldBy.optional().describe('What that rule goes by; absent where the rule says all'),
  wanted: outputState.describe('What the strongest waiting weaker command asks for, null when there is none'),
  kept: keptCommand
    .optional()
    .describe('The strongest command that was kept and has not acted yet; absent without one'),
  override_ended: overrideEnd
    .optional()
    .describe(
      'How the last manual command ended; absent from the next one on; a start of the daemon tells only of one that was kept',
    ),
  until: timestamp.nullable().describe('When the command or the override ends by itself'),
  override_until: timestamp.nullable().describe('Automatic commands wait until then; null when no override holds'),
  off_until: timestamp.nullable().describe('It must stay off until then, after it was on; null when it may go on'),
  on_seconds: quantity('s', 'Time since it went on; 0 when off, null when unknown').nullable(),
  changed_at: timestamp.nullable(),
  pending: z.boolean().describe('A command was sent and its answer is awaited'),
  moves_to: outputState
    .optional()
    .describe('Where a motor by run time is on its way to, while state is where it stands; absent while it rests'),
  drift_pct: quantity(
    '%',
    'How far a motor by run time may stand from state; absent for what says where it stands',
  ).optional(),
});
export type OutputChannelState = z.infer<typeof outputChannelState>;

/** Who or what drives a channel: the part of its state that explains the rest. */
export const outputOrigin = outputChannelState.pick({
  source: true,
  actor: true,
  reason: true,
  rule: true,
  cause: true,
});
export type OutputOrigin = z.infer<typeof outputOrigin>;

const safeState = z
  .union([z.literal('off'), z.literal('on'), z.number().min(0).max(100)])
  .describe('State that the output is driven to when control is lost: off, on, or a value in %');

/** What a channel can be set to. */
export const outputChannelKind = z.enum(['switch', 'dimmer']).describe('switch: on or off; dimmer: 0..100 %');

export const outputChannel = z.strictObject({
  channel: channelNumber,
  name,
  kind: outputChannelKind,
  safe_state: safeState,
  startup_state: z.enum(['safe', 'last']),
  shutdown_state: z.enum(['safe', 'leave']),
  min_off_s: z.number().min(0).max(86_400).describe('Least time that it stays off after it was on, in s'),
  max_on_s: z.number().min(0).max(86_400).nullable().describe('Goes off by itself after this time, in s'),
  current_a: z
    .number()
    .gt(0)
    .max(10_000)
    .nullable()
    .describe('Current that it draws while it is on, in A, counted against the limit of the site; null: not counted'),
  flow_ml_s: z
    .number()
    .gt(0)
    .max(1_000_000)
    .nullable()
    .describe('Flow while it is on, in ml/s, by which volumes are measured out; null: not calibrated'),
  pwm_cycle_s: z
    .number()
    .min(1)
    .max(86_400)
    .nullable()
    .describe('A switch keeps a duty cycle by going on and off within this time, in s; null: it takes none'),
  pwm_min_on_s: z
    .number()
    .min(0.1)
    .max(3_600)
    .describe('Least time on in a cycle, in s: for this and min_off_s a cycle grows longer'),
  motor_close_channel: channelNumber
    .nullable()
    .describe(
      'The relay of the same device that runs a motor back while this one runs it out: the two are one dimmer, positioned by run time. ' +
        'null: no motor',
    ),
  motor_travel_s: z
    .number()
    .min(2)
    .max(3_600)
    .nullable()
    .describe('Time of that motor from end to end, in s; its limit switches must stop it there'),
  motor_slack_s: z
    .number()
    .min(0)
    .max(60)
    .describe('For so long after it has turned round that motor moves nothing, in s'),
});
export type OutputChannel = z.infer<typeof outputChannel>;

export const driverOptions = z
  .record(z.string().max(64), z.json())
  .describe(
    'Options of the driver: the schema of the driver `modbus` is `modbusDriverOptions`; GET /api/drivers has them too',
  );

export const output = z.strictObject({
  unique_id: uuid,
  name,
  driver: z.string().min(1).max(64),
  options: driverOptions,
  channels: z.array(outputChannel).min(1),
  is_activated: z.boolean(),
});
export type Output = z.infer<typeof output>;

export const outputCreate = z.strictObject({
  name,
  driver: z.string().min(1).max(64),
  options: driverOptions.optional(),
  channels: z
    .array(outputChannel.partial().required({ channel: true }))
    .min(1)
    .max(256)
    .optional()
    .describe('The channels that the driver has when absent'),
  is_activated: z.boolean().optional().describe('true when absent'),
});
export type OutputCreate = z.infer<typeof outputCreate>;

/** Fields that are not named stay; options merge by key, null clears one; the list of channels is replaced whole. */
export const outputPatch = outputCreate.partial().extend({
  unique_id: uuid.optional().describe('Read only, accepted unchanged'),
  channels: outputCreate.shape.channels.describe(
    'All channels that it then has; of one that stays, what is not named stays',
  ),
});
export type OutputPatch = z.infer<typeof outputPatch>;

/** An output with the live state of its channels, as the outputs resource returns it. */
export const liveOutput = output.extend({ state: z.array(outputChannelState) });
export type LiveOutput = z.infer<typeof liveOutput>;

export const outputRequest = z.strictObject({
  state: z.boolean().describe('true turns it on'),
  channel: channelNumber.optional().describe('The lowest when absent'),
  duration_s: z.number().gt(0).max(86_400).optional().describe('Goes off by itself after this time, in s'),
  duty_cycle_pct: z
    .number()
    .min(0)
    .max(100)
    .optional()
    .describe('Position or duty cycle of a dimmer, or of a switch with pwm_cycle_s, in %'),
  value: z.number().min(0).max(100).optional().describe('The same for dimmers that take a value'),
  volume_ml: z
    .number()
    .gt(0)
    .max(1_000_000)
    .optional()
    .describe('Goes off when this volume has passed, in ml; needs a calibrated flow'),
  min_off_s: z.number().min(0).max(86_400).optional().describe('Stays off so long afterwards, in s, up to a day'),
  override_until: moment.optional().describe('Automatic commands wait until then'),
  keep: z
    .boolean()
    .optional()
    .describe(
      'true: where a rule or a stronger command holds it back it waits and acts when it may, for an hour at most; else it is refused ' +
        'and dropped. An emergency stop refuses it in any case',
    ),
  reason: z.string().max(500).optional(),
});
export type OutputRequest = z.infer<typeof outputRequest>;

/** A channel of an output that another device uses; default the lowest. */
export const outputRef = z.strictObject({ output_id: uuid, channel: channelNumber.optional() });
export type OutputRef = z.infer<typeof outputRef>;

export const outputCommandResult = z.strictObject({
  output_id: uuid,
  channel: channelNumber,
  requested: outputState,
  outcome,
  code: z.string().optional(),
  message: z.string(),
  state: outputChannelState,
});
export type OutputCommandResult = z.infer<typeof outputCommandResult>;

/** Whether a `pending` command is kept, as opposed to waiting for its device. */
export function isKept({ outcome, code }: { outcome: Outcome; code?: string | undefined }): boolean {
  return outcome === 'pending' && code !== undefined && code !== 'waiting';
}

export const overrideReleased = z.strictObject({
  output_id: uuid,
  channel: channelNumber,
  released: z.boolean().describe('false: no manual command was in effect or waited'),
  state: outputChannelState,
});
export type OverrideReleased = z.infer<typeof overrideReleased>;

const params = z.strictObject({ output_id: uuid });

export const outputEndpoints = {
  listSettings: endpoint({
    method: 'GET',
    path: '/api/settings/outputs',
    tag: 'outputs',
    summary: 'List the outputs with their settings',
    access: 'view_settings',
    query: z.strictObject(pageQuery),
    answer: z.strictObject({ outputs: z.array(output), next_cursor: nextCursor }),
    statuses: [200],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/settings/outputs',
    tag: 'outputs',
    summary: 'Make an output',
    access: 'edit_controllers',
    body: outputCreate,
    answer: output,
    statuses: [201],
    errors: ['unknown_reference', 'read_only_field'],
  }),
  getSettings: endpoint({
    method: 'GET',
    path: '/api/settings/outputs/:output_id',
    tag: 'outputs',
    summary: 'Read the settings of an output',
    access: 'view_settings',
    params,
    answer: output,
    statuses: [200],
    errors: ['not_found'],
  }),
  change: endpoint({
    method: 'PATCH',
    path: '/api/settings/outputs/:output_id',
    tag: 'outputs',
    summary: 'Change what the request names of an output; moves no actuator unless its wiring changes',
    access: 'edit_controllers',
    params,
    body: outputPatch,
    answer: output,
    statuses: [200],
    errors: ['not_found', 'unknown_reference', 'read_only_field'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/settings/outputs/:output_id',
    tag: 'outputs',
    summary: 'Delete an output that nothing uses',
    access: 'edit_controllers',
    params,
    answer: z.strictObject({ unique_id: uuid, deleted: z.literal(true) }),
    statuses: [200],
    errors: ['not_found', 'in_use'],
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/outputs',
    tag: 'outputs',
    summary: 'List the outputs with their live state',
    access: 'view_stats',
    answer: z.strictObject({ outputs: z.array(liveOutput) }),
    statuses: [200],
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/outputs/:output_id',
    tag: 'outputs',
    summary: 'Read an output with its live state',
    access: 'view_stats',
    params,
    answer: liveOutput,
    statuses: [200],
    errors: ['not_found'],
  }),
  command: endpoint({
    method: 'POST',
    path: '/api/outputs/:output_id',
    tag: 'outputs',
    summary: 'Switch an output; 202 where keep was asked for and it waits, 409 where it is refused and dropped',
    access: 'edit_controllers',
    budget: 'command',
    goesSafe: ({ state }) => !state,
    maxBodyBytes: 16 * 1024,
    params,
    body: outputRequest,
    answer: outputCommandResult,
    statuses: [200, 202],
    errors: [
      'unknown_reference',
      'not_found',
      'not_active',
      'blocked',
      'command_failed',
      'command_unknown',
      'daemon_unreachable',
    ],
  }),
  releaseOverride: endpoint({
    method: 'DELETE',
    path: '/api/outputs/:output_id/override',
    tag: 'outputs',
    summary: 'End the manual command of a channel; what waited takes effect, else its safe state',
    access: 'edit_controllers',
    budget: 'safety',
    params,
    query: z.strictObject({ channel: channelNumber.optional().describe('The lowest when absent') }),
    answer: overrideReleased,
    statuses: [200],
    errors: ['not_found', 'not_active', 'unknown_reference', 'command_failed', 'command_unknown', 'daemon_unreachable'],
  }),
};

export const outputKind = controllerKind({
  type: 'Output',
  word: 'output',
  plural: 'outputs',
  noun: 'output',
  isDevice: true,
  alarmSource: 'output',
  settings: output,
  // The list includes the live states: a screen with switches needs the channels even for users who may not see
  // settings.
  endpoints: { ...outputEndpoints, get: outputEndpoints.getSettings },
});
