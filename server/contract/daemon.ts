import { z } from 'zod';
import { alarm } from './alarm.ts';
import { checkItem, checkOverview } from './commissioning.ts';
import { controllerType } from './controller-kinds.ts';
import { endpoint } from './endpoint.ts';
import { errand } from './errand.ts';
import { channelNumber, uuid } from './identifier.ts';
import { lcdDisplay } from './lcd.ts';
import { datedValue, lastValue } from './measurement.ts';
import { commandSource, outcome, outputChannelState, outputRequest, outputState, overrideEnd } from './output.ts';
import { cause } from './cause.ts';
import { countOf, quantity } from './quantity.ts';
import { emergencyStop } from './safety.ts';
import { timestamp } from './time.ts';

/** The remote object's name; see the daemon's documentation for the protocol. */
export const daemonObjectId = 'orangery.pyro_server';
export const daemonDefaultPort = 9080;
/** Default port for programs of other machines, when enabled. */
export const daemonNetworkPort = 9081;

export const controllerStatus = z.strictObject({
  controller_id: uuid,
  controller_type: controllerType,
  state: z.enum(['running', 'failed', 'stopped']),
  reason: z.string().nullable().describe('Why it failed'),
  asked_active: z
    .boolean()
    .optional()
    .describe('A program had it run or stop, and the settings do not say so yet: the service stores it'),
});
export type ControllerStatus = z.infer<typeof controllerStatus>;

/** Body of the remote method output_command. */
export const outputCommand = outputRequest.extend({
  output_id: uuid,
  source: commandSource.optional().describe('manual when absent'),
  actor: z.string().max(200).optional().describe('Who asks; pyro when absent'),
  cause: cause.optional(),
});
export type OutputCommand = z.infer<typeof outputCommand>;

const eventBase = z.strictObject({ id: z.string().describe('BOOT:N'), at: timestamp });

export const measurementEvent = eventBase.extend({
  kind: z.literal('measurement'),
  ...datedValue.partial({ time: true }).shape, // the service tells the time in both forms, the daemon in ms
});
export const outputEvent = eventBase.extend({
  kind: z.literal('output'),
  output_id: uuid,
  ...outputChannelState.shape,
  outcome: outcome.optional().describe('Of the command that this event ends'),
  code: z.string().optional().describe('Why it did not end as confirmed'),
  message: z.string().optional(),
  requested: outputState.optional().describe('What that command asked for, or what the daemon sent by itself'),
  before: outputChannelState
    .pick({ state: true, quality: true, source: true, actor: true })
    .optional()
    .describe('What the channel was when the command came'),
  commanded_by: z
    .string()
    .optional()
    .describe(
      'User, key or program that gave that command, also where it was refused; absent where the daemon acted by itself',
    ),
});
/** A manual command ended without being replaced: how, and what followed. */
export const overrideEvent = eventBase.extend({
  kind: z.literal('override'),
  output_id: uuid,
  channel: channelNumber,
  ...overrideEnd.omit({ ended_at: true }).shape,
  next: z
    .strictObject({ source: commandSource, actor: z.string(), value: outputState })
    .nullable()
    .describe('Whose command takes effect; null: no command remains, and the channel goes to its safe state'),
});
export type OverrideEvent = z.infer<typeof overrideEvent>;
export const controllerEvent = eventBase.extend({ kind: z.literal('controller'), ...controllerStatus.shape });
/** The live values of a controller of another kind; `live` is what its resource returns. */
export const controlLive = z.strictObject({
  controller_id: uuid,
  controller_type: controllerType,
  live: z.record(z.string(), z.json()),
});
export type ControlLive = z.infer<typeof controlLive>;
export const controlEvent = eventBase.extend({ kind: z.literal('control'), ...controlLive.shape });
export const lcdEvent = eventBase.extend({ kind: z.literal('lcd'), ...lcdDisplay.shape });
/** A check or one of its items progressed. */
export const commissioningEvent = eventBase.extend({
  kind: z.literal('commissioning'),
  ...checkOverview.shape,
  item: checkItem
    .pick({ device_id: true, channel: true, role: true, name: true, result: true, message: true })
    .nullable()
    .describe('The item that changed; null where the check itself did'),
});
export type CommissioningEvent = z.infer<typeof commissioningEvent>;

/** Whether everything is stopped, by whom and since when. */
export const emergencyHold = emergencyStop.omit({ outputs: true });
export type EmergencyHold = z.infer<typeof emergencyHold>;

export const emergencyStopEvent = eventBase.extend({
  kind: z.literal('emergency_stop'),
  ...emergencyHold.shape,
  released_by: z.string().optional().describe('User, key or program that released it, where this tells of the release'),
});
export const daemonEventOfDaemon = eventBase.extend({
  kind: z.literal('daemon'),
  state: z.enum(['started', 'stopping', 'unreachable']),
  message: z.string(),
  ended_by: z.string().optional().describe('Program that told it to stop; absent where the service did'),
});

/**
 * A program acted through the remote object, past the service; its commands of outputs are part of the outputs' events.
 */
export const programEvent = eventBase.extend({
  kind: z.literal('program'),
  method: z.string(),
  peer: z.string().describe('Address and port of the program'),
  target: z.string().describe('Device, alarm, facility or check that it was about'),
  asked: z.record(z.string(), z.string()).describe('Its arguments as text, long ones cut'),
  before: z.json().optional().describe('What its target was before, where that is known'),
  is_done: z.boolean().describe('false: it was refused or failed'),
  answer: z.string().describe('What it was answered, cut'),
});
export type ProgramEvent = z.infer<typeof programEvent>;

/** A controller asks the service to do something; see `errand`. */
export const errandEvent = eventBase.extend({ kind: z.literal('errand'), ...errand.shape });
export type ErrandEvent = z.infer<typeof errandEvent>;

export const alarmEvent = eventBase.extend({ kind: z.literal('alarm'), ...alarm.shape });
export type AlarmEvent = z.infer<typeof alarmEvent>;

/** The events that the REST stream passes on. */
export const toldEvent = z.discriminatedUnion('kind', [
  measurementEvent,
  outputEvent,
  overrideEvent,
  controllerEvent,
  emergencyStopEvent,
  alarmEvent,
  controlEvent,
  lcdEvent,
  commissioningEvent,
  daemonEventOfDaemon,
  programEvent,
]);
/** The events of events_since: the text of an errand is for its recipient, not for every reader of the stream. */
export const daemonEvent = z.discriminatedUnion('kind', [...toldEvent.options, errandEvent]);
export type DaemonEvent = z.infer<typeof daemonEvent>;
export type MeasurementEvent = z.infer<typeof measurementEvent>;
export type OutputEvent = z.infer<typeof outputEvent>;

export const eventsSince = z.strictObject({
  cursor: z.string(),
  gap: z.boolean().describe('The cursor is too old or of another start: read live_state again'),
  events: z.array(daemonEvent),
  oldest: z.string().optional().describe('With a gap: the cursor from which events can still be had'),
});
export type EventsSince = z.infer<typeof eventsSince>;

/** Everything live at one moment, with the cursor from which events continue (remote method live_state). */
export const liveState = z.strictObject({
  cursor: z.string(),
  measurements: z.array(
    lastValue.extend({
      age_s: z.number().min(0).optional().describe('By the time that has passed, in s, whatever the clock showed'),
    }),
  ),
  outputs: z.array(outputChannelState.extend({ output_id: uuid, channel: channelNumber })),
  controllers: z.array(controllerStatus),
  alarms: z.array(alarm),
  lcds: z.array(lcdDisplay),
  control: z.array(controlLive),
  emergency_stop: emergencyHold,
});
export type LiveState = z.infer<typeof liveState>;

export const daemonStatus = z.strictObject({
  instance_id: uuid.describe('Of the data directory'),
  boot_id: z.string().describe('Of this start of the daemon'),
  version: z.string(),
  pid: z.int(),
  data_directory_id: z.string(),
  started_at: timestamp,
  linger_s: z.number().nullable().describe('How long it goes on without a server, in s; null for ever'),
  controllers: z.int().min(0),
  trusted_at: timestamp.optional().describe('Up to when time has passed for certain, whatever the clock shows'),
  is_service: z.boolean().optional().describe('Whether it took the caller for the service'),
});
export type DaemonStatus = z.infer<typeof daemonStatus>;

export const daemonView = z.strictObject({
  state: z.enum(['up', 'unreachable', 'starting']),
  version: z.string().nullable(),
  started_at: timestamp.nullable(),
  restarts: countOf('By the supervisor since the service started'),
  last_restart: z.strictObject({ at: timestamp, reason: z.string() }).nullable(),
  is_stopped: z.boolean().describe('It was told to stop and stays so until it is started'),
  stopped_by: z.string().nullable().describe('Program that told it to stop; null when unknown or not stopped'),
  crash_loop: z.boolean().describe('It ended again and again and has not run for a minute since'),
  memory_mb: quantity('MB', 'Memory that the daemon holds').nullable(),
  controllers: z.array(controllerStatus),
});
export type DaemonView = z.infer<typeof daemonView>;

/** What users who may start the daemon again must know. */
export const daemonEnd = daemonView.pick({ state: true, is_stopped: true, stopped_by: true });
export type DaemonEnd = z.infer<typeof daemonEnd>;

export const daemonEndpoints = {
  get: endpoint({
    method: 'GET',
    path: '/api/daemon',
    tag: 'daemon',
    summary: 'State of the control daemon, its controllers and its last restart',
    access: 'view_logs',
    answer: daemonView,
    statuses: [200],
  }),
  end: endpoint({
    method: 'GET',
    path: '/api/daemon/end',
    tag: 'daemon',
    summary: 'Whether the control daemon was told to stop, and by whom',
    access: 'edit_controllers',
    answer: daemonEnd,
    statuses: [200],
  }),
  start: endpoint({
    method: 'POST',
    path: '/api/daemon/start',
    tag: 'daemon',
    summary: 'Start the control daemon again after it was told to stop; outputs go safe first',
    access: 'edit_controllers',
    budget: 'command',
    answer: daemonView,
    statuses: [200],
    errors: ['conflict', 'command_failed'],
  }),
};
