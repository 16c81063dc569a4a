import { z } from 'zod';
import { face, openingArea_m2 } from './envelope.ts';
import { uuid } from './identifier.ts';
import { channelNumber } from './output.ts';

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
  'outdoor_temp',
  'outdoor_humidity',
  'outdoor_wind',
  'outdoor_wind_dir',
  'outdoor_solar',
  'rain',
] as const;
export const sensorRole = z.enum(sensorRoles);
export type SensorRole = z.infer<typeof sensorRole>;

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
] as const;
export const actuatorRole = z.enum(actuatorRoles);
export type ActuatorRole = z.infer<typeof actuatorRole>;

const deviceId = uuid.describe('unique_id of an input or output device');
const bindingName = z.string().min(1).max(200);

export const sensorBinding = z.strictObject({
  role: sensorRole,
  device_id: deviceId,
  measurement_id: uuid.describe('A measurement of that input'),
  name: bindingName,
  weight: z.number().positive().max(1000).optional().describe('Share in the mean of its role, above 0; 1 when absent'),
});
export type SensorBinding = z.infer<typeof sensorBinding>;

export const actuatorBinding = z.strictObject({
  role: actuatorRole,
  device_id: deviceId,
  channel: channelNumber.optional().describe('The lowest when absent'),
  name: bindingName,
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
  wall: face.optional().describe('Face that the actuator sits in or moves'),
  opening_area_m2: openingArea_m2.optional(),
});
export type ActuatorBinding = z.infer<typeof actuatorBinding>;
