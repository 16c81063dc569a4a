import { z } from 'zod';
import { actuatorRole, sensorRole } from './facility-binding.ts';
import { channelNumber, uuid } from './identifier.ts';
import { commandSource, outcome, outputState } from './output.ts';
import { countOf, measured, quantity } from './quantity.ts';
import { timestamp } from './time.ts';

const reading = (unit: string, what: string) =>
  z
    .number()
    .nullable()
    .meta({ description: `${what} as the sensors give it; any finite number, null without one`, unit });

export const sensorQualities = ['good', 'suspect', 'bad', 'stale', 'missing', 'unbound', 'error'] as const;
export const sensorQuality = z
  .enum(sensorQualities)
  .describe('missing: no reading yet; unbound: the device is gone; error: the device could not be read');
export type SensorQuality = z.infer<typeof sensorQuality>;

export const actuatorQualities = [...sensorQualities, 'commanded', 'unknown'] as const;
export const actuatorQuality = z
  .enum(actuatorQualities)
  .describe('good: read back from the device; commanded: sent to a device that cannot answer; unknown: not known');
export type ActuatorQuality = z.infer<typeof actuatorQuality>;

export const sensorReading = z.strictObject({
  role: sensorRole,
  device_id: uuid,
  measurement_id: uuid,
  name: z.string(),
  value: measured('In unit').nullable(),
  unit: z.string().nullable(),
  time: timestamp.nullable(),
  age_s: quantity('s', 'Age of the reading').nullable(),
  quality: sensorQuality,
});
export type SensorReading = z.infer<typeof sensorReading>;

export const actuatorReading = z.strictObject({
  role: actuatorRole,
  device_id: uuid,
  channel: channelNumber.nullable().describe('Null when the device has no channel'),
  name: z.string(),
  state: outputState,
  quality: actuatorQuality,
  source: commandSource.nullable().describe('Who commands it'),
  until: timestamp.nullable().describe('When the present command ends'),
  on_seconds: quantity('s', 'How long it has been on').nullable(),
});
export type ActuatorReading = z.infer<typeof actuatorReading>;

export const integrationResult = z.strictObject({
  facility_uuid: uuid,
  at: timestamp,
  sensors: z.array(sensorReading),
  actuators: z.array(actuatorReading),
});
export type IntegrationResult = z.infer<typeof integrationResult>;

export const indoorClimate = z.strictObject({
  temp_c: reading('C', 'Air temperature'),
  humidity_pct: reading('%', 'Relative humidity'),
  co2_ppm: reading('ppm', 'Carbon dioxide'),
  vpd_kpa: reading('kPa', 'Vapour pressure deficit'),
  dew_point_c: reading('C', 'Dew point'),
});
export type IndoorClimate = z.infer<typeof indoorClimate>;

export const outdoorClimate = z.strictObject({
  temp_c: reading('C', 'Air temperature'),
  humidity_pct: reading('%', 'Relative humidity'),
  wind_m_s: reading('m/s', 'Wind speed'),
  wind_dir_deg: reading('deg', 'Where the wind comes from, clockwise from north'),
  radiation_w_m2: reading('W/m2', 'Global radiation'),
  rain: z.number().nullable().describe('Rain as the sensor gives it; any finite number, above 0 is rain'),
});
export type OutdoorClimate = z.infer<typeof outdoorClimate>;

/** Alerts of a house that are alarms as well. */
export const alarmingCodes = [
  'stale',
  'no_data',
  'sensor_disagree',
  'out_of_band',
  'wind',
  'rain',
  'frost',
  'over_temperature',
  'heater_and_vent',
  'controller_down',
  'output_unknown',
  'command_failed',
  'daemon_down',
  'emergency_stop',
] as const;
/** What is inactive is so because people want it: it alarms nobody. */
export const alertCodes = [...alarmingCodes, 'inactive'] as const;
export const alertCode = z
  .enum(alertCodes)
  .describe('heater_and_vent: heating with open vents; not while a commissioning check drives the heater or the vent');
export type AlertCode = z.infer<typeof alertCode>;

export const severities = ['info', 'warning', 'emergency'] as const;
export const severity = z.enum(severities);
export type Severity = z.infer<typeof severity>;

/** The side of its limit on which a reading is; the `name` of an alert or alarm `out_of_band`. */
export const limitSides = ['above', 'below'] as const;
export type LimitSide = (typeof limitSides)[number];

/** What is inactive; the `name` of an alert `inactive`. */
export const inactiveParts = ['sensors', 'actuators'] as const;
export type InactivePart = (typeof inactiveParts)[number];

export const alert = z.strictObject({
  code: alertCode,
  severity,
  message: z.string(),
  since: timestamp,
  role: z.union([sensorRole, actuatorRole]).optional(),
  name: z
    .string()
    .optional()
    .describe(
      'Of the sensor or actuator that it is about; of out_of_band above or below; of inactive sensors or actuators; of emergency_stop who stopped everything',
    ),
  value: measured('What was read, in unit; of inactive how many there are').optional(),
  limit: measured('What it crossed, in unit').optional(),
  unit: z.string().optional().describe('Of value and limit'),
  detail: z.string().optional().describe('What the device said in its own words; of heater_and_vent the vent'),
});
export type Alert = z.infer<typeof alert>;

export const runtimeLevels = ['idle', 'active', 'unknown', 'warning', 'emergency'] as const;
export const runtimeLevel = z
  .enum(runtimeLevels)
  .describe(
    'idle: nothing runs; active: an actuator runs or pauses between two times on; unknown: none is known to run, ' +
      'but not every active one is known to be off, or all are inactive; ' +
      'warning, emergency: the worst alert, an emergency stop too',
  );
export type RuntimeLevel = z.infer<typeof runtimeLevel>;

const alertCount = countOf('Alerts of this severity');

export const runtimeResult = z.strictObject({
  facility_uuid: uuid,
  at: timestamp,
  level: runtimeLevel,
  indoor: indoorClimate,
  outdoor: outdoorClimate,
  sensors: z.array(sensorReading),
  actuators: z.array(actuatorReading),
  alerts: z.strictObject({
    level: z.enum(['none', ...severities]).describe('The worst of the items'),
    counts: z.strictObject({ info: alertCount, warning: alertCount, emergency: alertCount }),
    items: z.array(alert),
  }),
});
export type RuntimeResult = z.infer<typeof runtimeResult>;

export const applyAction = z
  .strictObject({
    role: actuatorRole,
    state: z.boolean().describe('true turns it on'),
    device_id: uuid.optional().describe('One binding of the role; all of them when absent'),
    channel: channelNumber.optional(),
    amount: z.number().min(0).max(1_000_000).optional().describe('In unit, which it needs'),
    unit: z.enum(['s', 'pct', 'ml']).optional(),
    duration_s: z
      .number()
      .positive()
      .max(86_400)
      .optional()
      .meta({ description: 'Off again after, up to a day', unit: 's' }),
    reason: z.string().max(500).optional(),
    keep: z
      .boolean()
      .optional()
      .describe(
        'true: what is held back waits for an hour at most and acts when it may; else it is refused and dropped',
      ),
  })
  .refine((sent) => (sent.amount === undefined) === (sent.unit === undefined), {
    path: ['unit'],
    message: 'must be given with amount, and amount with it',
  })
  .refine((sent) => sent.unit !== 'pct' || (sent.amount ?? 0) <= 100, {
    path: ['amount'],
    message: 'must be at most 100 where unit is pct',
  });
export type ApplyAction = z.infer<typeof applyAction>;

export const applyRequest = z.strictObject({ actions: z.array(applyAction).min(1).max(200) });
export type ApplyRequest = z.infer<typeof applyRequest>;

export const applyOutcome = z.strictObject({
  role: actuatorRole,
  device_id: uuid,
  channel: channelNumber.nullable(),
  requested: outputState,
  outcome,
  code: z.string().optional().describe('Why it was not confirmed'),
  message: z.string(),
});
export type ApplyOutcome = z.infer<typeof applyOutcome>;

export const applyResult = z.strictObject({ results: z.array(applyOutcome) });
export type ApplyResult = z.infer<typeof applyResult>;
