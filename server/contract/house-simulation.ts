import { z } from 'zod';
import { simulatedOptions, simulatedPart } from './drivers/simulated.ts';
import { endpoint } from './endpoint.ts';
import { actuatorBinding, type ActuatorRole, type SensorRole } from './facility-binding.ts';
import { openingArea_m2 } from './envelope.ts';
import { uuid } from './identifier.ts';
import { simulatedGreenhouse } from './preset.ts';
import { standingCrop } from './standing-crop.ts';
import type { MeasurementName } from './units.ts';

/** What a simulated house can be equipped with. */
const houseParts = [
  'heater',
  'fan',
  'side_vent',
  'roof_vent',
  'co2',
  'lighting',
  'shade',
  'screen',
  'fogger',
  'valve',
] as const;
const housePart = z.enum(houseParts);
export type HousePart = z.infer<typeof housePart>;

/** The role by which each part of a simulated house is bound. */
export const roleOfPart: Record<HousePart, ActuatorRole> = {
  heater: 'heater',
  fan: 'exhaust_fan',
  side_vent: 'side_vent',
  roof_vent: 'roof_vent',
  co2: 'co2_supply',
  lighting: 'lighting',
  shade: 'shade_curtain',
  screen: 'thermal_curtain',
  fogger: 'fogger',
  valve: 'irrigation_valve',
};

/** The role of each measurement of its two sensors. */
export const rolesOfSensor = {
  indoor: { temperature: 'indoor_temp', humidity: 'indoor_humidity', co2: 'indoor_co2', light: 'indoor_light' },
  weather: {
    temperature: 'outdoor_temp',
    humidity: 'outdoor_humidity',
    wind_speed: 'outdoor_wind',
    wind_direction: 'outdoor_wind_dir',
    radiation: 'outdoor_solar',
    rain: 'rain',
  },
} as const satisfies Record<string, Partial<Record<MeasurementName, SensorRole>>>;

const { rating_kw, rating_m3h, rating_lph } = actuatorBinding.shape;
const named = z.strictObject({ unique_id: uuid, name: z.string() });

const offeredPart = z.strictObject({
  part: housePart,
  is_usual: z.boolean().describe('Made where the request does not say which parts'),
  rating_kw,
  rating_m3h,
  rating_lph,
  opening_area_m2: openingArea_m2.optional(),
  device: named.nullable().describe('The simulated output; null while there is none'),
});
export type OfferedPart = z.infer<typeof offeredPart>;

const { speed, weather_file } = simulatedOptions.shape;

export const houseSimulation = z.strictObject({
  facility_uuid: uuid,
  is_simulated: z.boolean(),
  parts: z.array(offeredPart).describe('What the house can have, with the sizes that it is simulated with'),
  sensors: z.array(named.extend({ part: simulatedPart })),
  crop: standingCrop,
  speed: z.number().min(1).max(600).describe('How many times faster than real it runs, 1 to 600'),
  weather_file: weather_file.describe('Its year of weather; made weather when absent'),
  others: z
    .array(named)
    .describe('Devices bound in the house that keep it from being simulated: it is all real or all simulated'),
});
export type HouseSimulation = z.infer<typeof houseSimulation>;

const { part_names, measurement_names } = simulatedGreenhouse.shape;
const changeable = { crop: standingCrop.optional(), speed, weather_file };

export const simulationCreate = z.strictObject({
  ...changeable,
  parts: z.array(housePart).max(houseParts.length).optional().describe('Its equipment; what is usual when absent'),
  part_names,
  measurement_names,
});
export type SimulationCreate = z.infer<typeof simulationCreate>;

export const simulationPatch = z.strictObject({
  ...changeable,
  weather_file: weather_file.unwrap().nullable().optional().describe('null: made weather'),
});
export type SimulationPatch = z.infer<typeof simulationPatch>;

const path = '/api/geo/facility/:facility_uuid/simulation';
const params = z.strictObject({ facility_uuid: uuid });
const of = { path, params, tag: 'facilities', answer: houseSimulation } as const;

export const houseSimulationEndpoints = {
  get: endpoint({
    ...of,
    method: 'GET',
    summary: 'Read how a house is simulated, or can be',
    access: 'login',
    statuses: [200],
    errors: ['not_found', 'unknown_material'],
  }),
  create: endpoint({
    ...of,
    method: 'POST',
    summary: 'Simulate a house: make simulated devices of its own geometry and equipment, and bind them',
    access: 'edit_controllers',
    body: simulationCreate,
    hasNoAddress: true,
    statuses: [201],
    errors: ['not_found', 'conflict', 'already_exists', 'unknown_material'],
  }),
  change: endpoint({
    ...of,
    method: 'PATCH',
    summary: 'Change crop, speed or weather of a simulated house',
    access: 'edit_controllers',
    body: simulationPatch,
    statuses: [200],
    errors: ['not_found', 'unknown_material'],
  }),
  remove: endpoint({
    ...of,
    method: 'DELETE',
    summary: 'Remove the simulated devices of a house, and their bindings',
    access: 'edit_controllers',
    statuses: [200],
    errors: ['not_found', 'in_use', 'unknown_material'],
  }),
};
