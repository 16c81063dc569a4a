import { z } from 'zod';
import { controlCause } from './cause.ts';
import {
  controllerKind,
  settingsEndpoints,
  type ControllerFault,
  type ControllerReference,
} from './controller-kind.ts';
import { endpoint } from './endpoint.ts';
import { channelNumber, name, uuid } from './identifier.ts';
import { ownMeasurementId, type FindSeries, type MeasuredChannel } from './measured.ts';
import type { Amount } from './output-state.ts';
import { measured, settable } from './quantity.ts';
import { timestamp } from './time.ts';
import { measurementUnits, type MeasurementName } from './units.ts';
import { why, type Said } from './refusal-reason.ts';

/** A series that a controller uses, and the maximum age of its newest value. */
export const controlMeasurement = z.strictObject({
  device_id: uuid,
  measurement_id: uuid,
  max_age_s: z.number().min(1).max(86_400).describe('What is older counts as missing, in s'),
});
export type ControlMeasurement = z.infer<typeof controlMeasurement>;

/** An output that a PID drives, and how. `min`, `max` and control itself are in the unit of the kind. */
export const pidOutput = z.strictObject({
  output_id: uuid,
  channel: channelNumber.optional().describe('The lowest when absent'),
  kind: z
    .enum(['duration', 'pwm', 'value', 'volume'])
    .describe('duration: s on in each period; pwm: duty cycle in %; value: position in %; volume: ml a period'),
  min: z.number().min(0).max(1e6).optional().describe('Less is not driven at all, in the unit of kind; 0 when absent'),
  max: z
    .number()
    .gt(0)
    .max(1e6)
    .optional()
    .describe('In the unit of kind; when absent the period, 100 %, or 1,000,000 ml'),
  min_off_s: z
    .number()
    .min(0)
    .max(86_400)
    .optional()
    .describe('Least time off between two pulses, in s; 0 when absent'),
});
export type PidOutput = z.infer<typeof pidOutput>;

const gain = (what: string) => z.number().min(0).max(1e9).describe(`${what}, 0 to 1e9`);
export const pid = z.strictObject({
  unique_id: uuid,
  name,
  is_activated: z.boolean(),
  measurement: controlMeasurement,
  setpoint: settable
    .nullable()
    .describe('In the unit of the measurement, -1e15 to 1e15; null where a method or a measurement gives it'),
  method_id: uuid.nullable().describe('Method that gives the setpoint; null: none'),
  setpoint_measurement: controlMeasurement.nullable().describe('Measurement that is the setpoint; null: none'),
  period_s: z.number().min(1).max(3_600).describe('Time between two steps, in s'),
  kp: gain('Proportional gain, control per unit of the measurement'),
  ki: gain('Integral gain, control per unit of the measurement and s'),
  kd: gain('Derivative gain, control s per unit of the measurement'),
  derivative_filter_s: z
    .number()
    .min(0)
    .max(3_600)
    .describe('Time constant that smooths the derivative, in s; 0: none'),
  integrator_min: settable.nullable().describe('Least share of the integral in control, -1e15 to 1e15; null: no limit'),
  integrator_max: settable.nullable().describe('Largest share of the integral, -1e15 to 1e15; null: no limit'),
  band: z
    .number()
    .min(0)
    .max(1e15)
    .describe('At the setpoint nothing is driven until the measurement is further off than this, in its unit; 0: none'),
  direction: z.enum(['raise', 'lower', 'both']).describe('Which of its outputs it drives'),
  raise: pidOutput.nullable().describe('Output that makes the measurement rise; null: none'),
  lower: pidOutput.nullable().describe('Output that makes the measurement fall; null: none'),
});
export type Pid = z.infer<typeof pid>;

export const pidCreate = pid.omit({ unique_id: true }).partial().required({ name: true, measurement: true, kp: true });
export type PidCreate = z.infer<typeof pidCreate>;

/** Fields that are not named stay; a measurement or an output is replaced whole. */
export const pidPatch = pidCreate.partial().extend({
  unique_id: uuid.optional().describe('Read only, accepted unchanged'),
});
export type PidPatch = z.infer<typeof pidPatch>;

export const pidStates = ['running', 'held', 'paused', 'inactive'] as const;
export const pidState = z.enum(pidStates);
export type PidState = z.infer<typeof pidState>;

const share = (what: string) => measured(`${what}, in the unit of its outputs`).nullable();

/** The live state of a PID. Numbers are null while there is no measurement or no setpoint. */
export const pidLive = z.strictObject({
  pid_id: uuid,
  state: pidState,
  setpoint: measured('In the unit of the measurement').nullable(),
  measurement: measured('The value that it goes by').nullable(),
  measured_at: timestamp.nullable(),
  error: measured('setpoint - measurement').nullable(),
  p: share('Proportional share'),
  i: share('Integral share'),
  d: share('Derivative share'),
  control: share('What the outputs are asked for, negative for what lowers'),
  raise: z.number().min(0).nullable().describe('Asked of that output, in the unit of its kind, 0 and more; null: none'),
  lower: z.number().min(0).nullable().describe('Asked of that output, in the unit of its kind, 0 and more; null: none'),
  kp: gain('Proportional gain in effect'),
  ki: gain('Integral gain in effect'),
  kd: gain('Derivative gain in effect'),
  cause: controlCause.nullable().describe('Why its outputs are as they are; null before the first step'),
});
export type PidLive = z.infer<typeof pidLive>;

/** A change while it runs: it lasts until the settings name another value, or the PID is deactivated. */
export const pidLiveChange = z
  .strictObject({
    setpoint: settable.describe('In the unit of the measurement, -1e15 to 1e15'),
    kp: pid.shape.kp,
    ki: pid.shape.ki,
    kd: pid.shape.kd,
    integrator: settable.describe('Share of the integral in control, -1e15 to 1e15'),
  })
  .partial();
export type PidLiveChange = z.infer<typeof pidLiveChange>;

const tag = 'pids';
const params = z.strictObject({ pid_id: uuid });
const commandErrors = ['not_found', 'not_active', 'command_failed', 'command_unknown', 'daemon_unreachable'] as const;

const command = (word: string, summary: string) =>
  endpoint({
    method: 'POST',
    path: `/api/pids/:pid_id/${word}`,
    tag,
    summary,
    access: 'edit_controllers',
    budget: 'command',
    params,
    answer: pidLive,
    statuses: [200],
    errors: commandErrors,
  });

export const pidEndpoints = {
  ...settingsEndpoints(
    { word: 'pid', plural: 'pids', one: 'a PID' },
    { settings: pid, create: pidCreate, patch: pidPatch },
  ),
  listLive: endpoint({
    method: 'GET',
    path: '/api/pids',
    tag,
    summary: 'List the PIDs as they are now',
    access: 'view_stats',
    answer: z.strictObject({ pids: z.array(pidLive) }),
    statuses: [200],
  }),
  getLive: endpoint({
    method: 'GET',
    path: '/api/pids/:pid_id',
    tag,
    summary: 'Read a PID as it is now',
    access: 'view_stats',
    params,
    answer: pidLive,
    statuses: [200],
    errors: ['not_found'],
  }),
  hold: command('hold', 'Keep the outputs of a PID as it drives them now'),
  pause: { ...command('pause', 'Drive the outputs of a PID safe and leave them to others'), budget: 'safety' as const },
  resume: command('resume', 'Let a PID go on, without a jump'),
  changeLive: endpoint({
    method: 'PATCH',
    path: '/api/pids/:pid_id/live',
    tag,
    summary: 'Change a PID while it runs, without a jump',
    access: 'edit_controllers',
    budget: 'command',
    params,
    body: pidLiveChange,
    answer: pidLive,
    statuses: [200],
    errors: commandErrors,
  }),
};

const sides = ['raise', 'lower'] as const;
type Side = (typeof sides)[number];

/** The sides that its direction drives. */
/** Units of control, by the kind of the output. */
export const pidOutputUnits = { duration: 's', pwm: '%', value: '%', volume: 'ml' } as const satisfies Record<
  PidOutput['kind'],
  string
>;

/** The amount that its outputs are sent, by kind. */
export const pidAmounts = {
  duration: 'duration_s',
  pwm: 'duty_cycle_pct',
  value: 'value',
  volume: 'volume_ml',
} as const satisfies Record<PidOutput['kind'], Amount>;

export function drivenSides({ direction }: Pick<Pid, 'direction'>): readonly Side[] {
  return sides.filter((side) => direction === side || direction === 'both');
}

function references(settings: Pid): ControllerReference[] {
  const { measurement, setpoint_measurement, method_id } = settings;
  const series = (path: string, one: ControlMeasurement): ControllerReference => ({
    path,
    to: 'measurement',
    id: one.device_id,
    measurement_id: one.measurement_id,
  });
  const outputs = sides.flatMap((side): ControllerReference[] => {
    const named = settings[side];
    const isDriven = drivenSides(settings).includes(side);
    return named === null ? [] : [{ path: side, to: 'output', id: named.output_id, channel: named.channel, isDriven }];
  });
  return [
    series('measurement', measurement),
    ...(setpoint_measurement === null ? [] : [series('setpoint_measurement', setpoint_measurement)]),
    ...(method_id === null ? [] : [{ path: 'method_id', to: 'controller', id: method_id, kind: 'method' } as const]),
    ...outputs,
  ];
}

function faults(settings: Pid): ControllerFault[] {
  const { setpoint, method_id, setpoint_measurement, integrator_min, integrator_max, raise, lower } = settings;
  const sources = [setpoint, method_id, setpoint_measurement].filter((one) => one !== null).length;
  const found: ControllerFault[] = [];
  const add = (path: string, said: Said): void => void found.push({ path, ...said });
  if (sources !== 1) add('setpoint', why('one_setpoint'));
  for (const side of drivenSides(settings)) if (settings[side] === null) add(side, why('output_of_direction'));
  for (const side of sides) {
    const { min = 0, max = Infinity } = settings[side] ?? {};
    if (min > max) add(`${side}.min`, why('min_above_max', { most: max }));
  }
  if (integrator_min !== null && integrator_max !== null && integrator_min > integrator_max)
    add('integrator_min', why('integrator_order', { most: integrator_max }));
  if (raise !== null && lower !== null && raise.output_id === lower.output_id && raise.channel === lower.channel)
    add('lower', why('same_output'));
  return found;
}

/** Its values are stored at its period, but no more often than this, s. */
export const pidStored_s = 5;

const amounts = { duration: 'duration', pwm: 'position', value: 'position', volume: 'dose' } as const;

/** The outputs that it drives, by side. */
function drivenOutputs(settings: Pid): [side: Side, measurement: MeasurementName][] {
  return drivenSides(settings).flatMap((side): [Side, MeasurementName][] => {
    const output = settings[side];
    return output === null ? [] : [[side, amounts[output.kind]]];
  });
}

/** What each channel of a PID stores, in the order of the channels; a number keeps its meaning for ever. */
export const pidChannels = ['setpoint', 'measurement', 'p', 'i', 'd', 'control', 'raise', 'lower'] as const;
const channelNames: Record<(typeof pidChannels)[number], string> = {
  setpoint: 'Setpoint',
  measurement: 'Measurement',
  p: 'P',
  i: 'I',
  d: 'D',
  control: 'Control',
  raise: 'Raise',
  lower: 'Lower',
};

function channels(settings: Pid, find: FindSeries): MeasuredChannel[] {
  const followed = find(settings.measurement)?.measurement;
  if (followed === undefined) return [];
  const driven = new Map(drivenOutputs(settings));
  const [control = 'unitless', other = control] = driven.values();
  const law = control === other ? control : 'unitless'; // two outputs of different kinds have no unit together
  const measures = { setpoint: followed, measurement: followed, p: law, i: law, d: law, control: law };
  const all = new Map<string, MeasurementName>([...Object.entries(measures), ...driven]);
  return pidChannels.flatMap((key, channel) => {
    const measurement = all.get(key);
    if (measurement === undefined) return [];
    const measurement_id = ownMeasurementId(settings.unique_id, channel);
    return [{ channel, name: channelNames[key], measurement_id, measurement, unit: measurementUnits[measurement] }];
  });
}

export const pidKind = controllerKind({
  type: 'PID',
  word: 'pid',
  plural: 'pids',
  noun: 'PID',
  isDevice: false,
  alarmSource: 'controller',
  settings: pid,
  endpoints: pidEndpoints,
  stored: {
    defaults: {
      is_activated: true,
      setpoint: null,
      method_id: null,
      setpoint_measurement: null,
      period_s: 30,
      ki: 0,
      kd: 0,
      derivative_filter_s: 0,
      integrator_min: null,
      integrator_max: null,
      band: 0,
      direction: 'raise',
      raise: null,
      lower: null,
    },
    references,
    step_s: ({ period_s }) => period_s,
    faults,
  },
  series: { channels, period_s: ({ period_s }) => Math.max(period_s, pidStored_s), isTold: false },
});
