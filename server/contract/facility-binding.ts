import { z } from 'zod';
import { face, openingArea_m2 } from './envelope.ts';
import { channelNumber, name, uuid } from './identifier.ts';
import type { MeasurementName } from './units.ts';

export const sensorRoles = [
  'indoor_temp',
  'indoor_humidity',
  'indoor_co2',
  'indoor_light',
  'soil_temp',
  'soil_moisture',
  'leaf_wetness',
  'water_flow',
  'water_pressure',
  'drain_flow',
  'pipe_temp',
  'outdoor_temp',
  'outdoor_humidity',
  'outdoor_wind',
  'outdoor_wind_dir',
  'outdoor_solar',
  'outdoor_longwave',
  'rain',
] as const;
export const sensorRole = z.enum(sensorRoles);
export type SensorRole = z.infer<typeof sensorRole>;

/** What a sensor of each role must measure, most usual first. */
export const measurementsOfRole: Record<SensorRole, readonly MeasurementName[]> = {
  indoor_temp: ['temperature'],
  indoor_humidity: ['humidity'],
  indoor_co2: ['co2'],
  indoor_light: ['light', 'radiation', 'par', 'illuminance'],
  soil_temp: ['temperature'],
  soil_moisture: ['moisture'],
  leaf_wetness: ['moisture', 'humidity', 'unitless'],
  water_flow: ['flow'],
  water_pressure: ['pressure'],
  drain_flow: ['flow'],
  pipe_temp: ['temperature'],
  outdoor_temp: ['temperature'],
  outdoor_humidity: ['humidity'],
  outdoor_wind: ['wind_speed'],
  outdoor_wind_dir: ['wind_direction'],
  outdoor_solar: ['radiation', 'light', 'par', 'illuminance'],
  // A pyrgeometer: what comes down from the sky, or net of what goes up, which is near or below 0.
  outdoor_longwave: ['radiation'],
  rain: ['rain', 'unitless'],
};

export const actuatorRoles = [
  'heater',
  'cooler',
  'heat_pump',
  'exhaust_fan',
  'intake_fan',
  'circulation_fan',
  'side_vent',
  'roof_vent',
  'thermal_curtain',
  'shade_curtain',
  'fogger',
  'pad_pump',
  'co2_supply',
  'lighting',
  'irrigation_pump',
  'irrigation_valve',
  'mixing_valve',
] as const;
export const actuatorRole = z.enum(actuatorRoles);
export type ActuatorRole = z.infer<typeof actuatorRole>;

const deviceId = uuid.describe('unique_id of an input or output device');

export const sensorBinding = z.strictObject({
  role: sensorRole,
  device_id: deviceId,
  measurement_id: uuid.describe('A measurement of that input, of a quantity that the role takes'),
  name,
  weight: z.number().positive().max(1000).optional().describe('Share in the mean of its role, above 0; 1 when absent'),
  is_substitute: z
    .boolean()
    .optional()
    .describe('The climate program goes by it only while no other sensor of its role speaks; false when absent'),
});
export type SensorBinding = z.infer<typeof sensorBinding>;

export const meterBinding = z
  .strictObject({
    device_id: uuid.describe('unique_id of an input'),
    measurement_id: uuid.describe('What that input meters: power, or counted energy, volume or pulses (unitless)'),
    kwh_per_unit: z
      .number()
      .min(0)
      .max(1_000_000)
      .optional()
      .describe(
        'Energy that one m3 or pulse stands for, kWh, 0 to 1,000,000: 10 of natural gas, 0 of water; 1 of counted kWh',
      ),
  })
  .describe('What counts what this actuator alone takes');
export type MeterBinding = z.infer<typeof meterBinding>;

export const flowMeterBinding = z
  .strictObject({
    device_id: uuid.describe('unique_id of an input'),
    measurement_id: uuid.describe('Its measurement of a flow'),
  })
  .describe('What measures the water that flows through this valve alone');
export type FlowMeterBinding = z.infer<typeof flowMeterBinding>;

export const actuatorBinding = z.strictObject({
  role: actuatorRole,
  device_id: deviceId,
  channel: channelNumber.optional().describe('The lowest when absent'),
  name,
  rating_kw: z.number().positive().max(100_000).optional().meta({ description: 'Rated power, above 0', unit: 'kW' }),
  rating_m3h: z
    .number()
    .positive()
    .max(10_000_000)
    .optional()
    .meta({ description: 'Rated air flow, above 0', unit: 'm3/h' }),
  rating_lph: z
    .number()
    .positive()
    .max(10_000_000)
    .optional()
    .meta({ description: 'Rated water flow, above 0', unit: 'L/h' }),
  meter: meterBinding.optional(),
  flow_meter: flowMeterBinding.optional(),
  area_m2: z.number().positive().max(1_000_000).optional().meta({
    description: 'Floor that the valve waters, above 0; an equal share of the house when absent',
    unit: 'm2',
  }),
  run_time_s: z.number().min(1).max(3600).optional().meta({
    description: 'Time of a drive from end to end, 1 to 3600 s',
    unit: 's',
  }),
  wall: face.optional().describe('Face that the actuator sits in or moves'),
  opening_area_m2: openingArea_m2.optional(),
});
export type ActuatorBinding = z.infer<typeof actuatorBinding>;

/** Roles that exchange the air of a house with outdoor air. */
export const exchangeRoles: ReadonlySet<string> = new Set([
  'side_vent',
  'roof_vent',
  'exhaust_fan',
  'intake_fan',
] satisfies ActuatorRole[]);
