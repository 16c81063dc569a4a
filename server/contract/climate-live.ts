import { z } from 'zod';
import { climateCause } from './climate-reason.ts';
import { actuatorRole } from './facility-binding.ts';
import { channelNumber, uuid } from './identifier.ts';
import { commandSource } from './output.ts';
import { epochMs, measured, quantity, signedQuantity } from './quantity.ts';
import {
  climateLoops,
  influenceSources,
  setpointNames,
  type ClimateLoop,
  type SetpointName,
} from './climate-settings.ts';
import { timestamp } from './time.ts';

/** The parts of a setpoint, in this order. */
export const setpointParts = ['period', 'influence', 'mean_temperature', 'override', 'bound'] as const;

const setpointPart = {
  what: z.enum(setpointParts).describe('bound: what keeps ventilation above heating, and all within their ranges'),
  source: z.enum(influenceSources).nullable().describe('Of an influence; null of the rest'),
};

export const climateSetpoint = z.strictObject({
  value: measured('Of the sum, in the unit that the name says').nullable().describe('null: none in this period'),
  parts: z.array(z.strictObject({ ...setpointPart, value: measured('The share, in the unit of the setpoint') })),
});
export type ClimateSetpoint = z.infer<typeof climateSetpoint>;
/** An object with one value for each setpoint. */
const ofEach = <Schema extends z.ZodType>(schema: Schema) =>
  z.strictObject(
    Object.fromEntries(setpointNames.map((name) => [name, schema])) as Record<SetpointName, Schema>, // of every name
  );
export type ClimateSetpointsNow = Record<SetpointName, ClimateSetpoint>;

/** What overrides the loops, strongest first. */
export const climateLimits = ['hand', 'commissioning', 'storm', 'rain', 'frost', 'co2_maximum'] as const;
export type ClimateLimit = (typeof climateLimits)[number];
/** Of these, what holds an actuator itself. */
export type ClimateHold = Extract<ClimateLimit, 'hand' | 'commissioning'>;

const loopNames = Object.keys(climateLoops) as [ClimateLoop, ...ClimateLoop[]]; // of a const object

export const climateLoopLive = z.strictObject({
  loop: z.enum(loopNames),
  target: measured('What it goes for, in the unit of its setpoint').nullable(),
  measured: measured('What it sees, in the same unit').nullable(),
  demand_pct: signedQuantity('%', 'What it asks for; of the mean temperature its correction in K').nullable(),
  limits: z.array(z.enum(climateLimits)).describe('What wins over it now'),
  cause: climateCause,
});
export type ClimateLoopLive = z.infer<typeof climateLoopLive>;

/** A missing sensor and its fallback; irrigation that does not flow as it should. Worst first. */
export const climateFallbacks = [
  'no_thermometer',
  'station_lost',
  'leak',
  'no_flow',
  'valve_shut',
  'shot_cut',
  'low_flow',
  'shot_short',
  'flow_unseen',
  'no_pipe',
  'no_outdoor',
  'no_rain',
  'no_radiation',
  'no_co2',
  'co2_stuck',
  'no_humidity',
  'substitute',
  'no_influence',
  'no_moisture',
  'no_drain',
  'no_sky',
  'vane_stuck',
  'no_vane',
  'no_station',
] as const;
export type ClimateFallback = (typeof climateFallbacks)[number];

export const climateSums = z.strictObject({
  radiation_j_cm2: quantity('J/cm2', 'Sun outside since midnight'),
  light_mol_m2: quantity('mol/m2', 'Light at the crop since midnight, of sun and lamps'),
  mean_temp_c: measured('Inside over the last 24 h or as long as is known, C').nullable(),
  degree_hours: signedQuantity('K h', 'Warmth above what the mean temperature asks for'),
  co2_h: quantity('h', 'CO2 given since midnight'),
  co2_kg: quantity('kg', 'The same by the capacity of the supply').nullable().describe('null where that is not known'),
  lamps_h: quantity('h', 'Lamps on since midnight'),
  water_l_m2: quantity('l/m2', 'Irrigation since midnight'),
  drain_pct: quantity('%', 'Share of it that drained').nullable().describe('null without a drain meter or water'),
  shots: quantity('', 'Shots of irrigation since midnight'),
});
export type ClimateSums = z.infer<typeof climateSums>;

/** The present state of a climate program. */
export const climateLive = z.strictObject({
  climate_id: uuid,
  facility_uuid: uuid,
  at: timestamp.nullable().describe('When it looked last; null while it does not run'),
  period: z.string().max(200).nullable(),
  setpoints: ofEach(climateSetpoint).nullable(),
  loops: z.array(climateLoopLive),
  fallbacks: z
    .array(z.enum(climateFallbacks))
    .describe('Sensors that are missing; what stands in is stated in the cause'),
  sums: climateSums.nullable(),
  actuators: z.array(
    z.strictObject({
      role: actuatorRole,
      output_id: uuid,
      channel: channelNumber,
      name: z.string().max(200),
      demand_pct: quantity('%', 'What it is asked for').nullable().describe('null: its safe state'),
      held_by_hand: z.boolean().meta({ description: 'Whether held_by is not null: read that', deprecated: true }),
      held_by: commandSource
        .nullable()
        .describe(
          'What holds it otherwise: a person, a check or a rule of higher priority; null: the program drives it',
        ),
      cause: climateCause,
      because: z.string().max(500).describe('The same in words'),
    }),
  ),
});
export type ClimateLive = z.infer<typeof climateLive>;

/**
 * The setpoints of some hours, as columns; influences use the forecast, or stay as they are now where they cannot be
 * foreseen.
 */
export const climatePreview = z.strictObject({
  times: z.array(epochMs).describe('Epoch ms, ascending, every five minutes'),
  periods: z.array(z.string().max(200)).describe('Name of the period at each time'),
  setpoints: ofEach(
    z.strictObject({
      values: z.array(measured('The setpoint').nullable()).describe('As long as times'),
      period: z.array(measured('Share of the period').nullable()).describe('As long as times'),
      shift: z
        .array(measured('Share of influences, mean temperature, override and bounds').nullable())
        .describe('As long as times'),
      shares: z
        .array(
          z.strictObject({
            ...setpointPart,
            values: z.array(measured('The share, 0 where it shifts nothing')).describe('As long as times'),
          }),
        )
        .describe('What makes the shift, in the order of parts; influences by one source are one'),
    }),
  ),
  forecast: z
    .strictObject({
      asked_at: timestamp.describe('When the service of the settings was asked'),
      until: epochMs.describe('Typical weather of the place from then on'),
    })
    .nullable()
    .describe('The forecast by which influences of the weather go; null: typical weather, for there is none'),
  sun: z.strictObject({
    sunrises: z.array(epochMs).describe('Within the span'),
    sunsets: z.array(epochMs).describe('Within the span'),
  }),
});
export type ClimatePreview = z.infer<typeof climatePreview>;
