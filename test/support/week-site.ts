import { conditional, conditionalKind } from '../../server/contract/conditional.ts';
import { simulatedActuators, simulatedMeasurements } from '../../server/contract/drivers/simulated.ts';
import { functionKind, functionSettings } from '../../server/contract/function.ts';
import type { ActuatorRole, SensorRole } from '../../server/contract/facility-binding.ts';
import type { Input } from '../../server/contract/input.ts';
import { method, methodKind } from '../../server/contract/method.ts';
import type { Output } from '../../server/contract/output.ts';
import { pid, pidKind } from '../../server/contract/pid.ts';
import { trigger, triggerKind, type Trigger } from '../../server/contract/trigger.ts';
import { measurementUnits, type MeasurementName } from '../../server/contract/units.ts';
import type { Database } from '../../server/db/open.ts';
import { ControllerRepository } from '../../server/db/repositories/controller.ts';
import { FacilityRepository } from '../../server/db/repositories/facility.ts';
import { InputRepository } from '../../server/db/repositories/input.ts';
import { OutputRepository } from '../../server/db/repositories/output.ts';
import { SettingRepository } from '../../server/db/repositories/setting.ts';
import { newFacility } from './commissioning-bench.ts';
import { houseId, plainChannel, simulatedOutput } from './daemon-site.ts';

export const parts = ['heater', 'roof_vent', 'co2', 'lighting', 'shade', 'fogger', 'valve'] as const;
export type Part = (typeof parts)[number];

const id = (kind: string, n: number): string =>
  `00000000-0000-4000-8000-${kind}${String(n).padStart(12 - kind.length, '0')}`;
/** Location of the house; its clock jumps from 02:00 to 03:00 in the night before 29 March 2026. */
export const place = { lat: 40.4, lng: -3.7, time_zone: 'Europe/Madrid' };

export const outputIds = Object.fromEntries(parts.map((part, n) => [part, id('a', n + 1)])) as Record<Part, string>; // of every part
export const indoorId = id('b', 1);
export const weatherId = id('b', 2);
export const heatingId = id('c', 1);
export const ventingId = id('c', 2);
export const dosingId = id('c', 3);
const warmthId = id('c', 4);
const fogId = id('c', 5);

/** How long each of the four waterings of a day takes, s, and when it begins by the clock of the house. */
export const watering_s = 240;
export const wateringHours = ['08:00', '11:00', '14:00', '17:00'] as const;

const seriesId = (input: string, channel: number): string => id(input === indoorId ? 'd' : 'e', channel + 1);
const series = (channel: number) => ({
  device_id: indoorId,
  measurement_id: seriesId(indoorId, channel),
  max_age_s: 120,
});

export function sensor(part: 'indoor' | 'weather', fault?: { kind: 'silent' }): Input {
  const unique_id = part === 'indoor' ? indoorId : weatherId;
  const channelOf = (measurement: MeasurementName, channel: number) => ({
    ...plainChannel,
    channel,
    name: measurement,
    measurement,
    unit: measurementUnits[measurement],
    measurement_id: seriesId(unique_id, channel),
  });
  return {
    unique_id,
    name: part,
    driver: 'simulated',
    is_activated: true,
    period_s: 30,
    start_offset_s: 0,
    pre_output: null,
    power_output: null,
    options: { house: houseId, part, lat: place.lat, lng: place.lng, ...(fault && { fault }) },
    channels: (simulatedMeasurements[part] ?? []).map(channelOf),
  };
}

export function actuator(part: Part, fault?: { kind: 'weak'; share: number }): Output {
  const made = simulatedOutput(outputIds[part], 'heater', { kind: simulatedActuators[part] ?? 'switch', name: part });
  const options = { house: houseId, part, lat: place.lat, lng: place.lng, ...(fault && { fault }) };
  return { ...made, name: part, options };
}

/** The setpoint of the heating over the day. */
const warmth = method.parse({
  unique_id: warmthId,
  name: 'Warmth',
  unit: 'C',
  is_activated: true,
  kind: 'daily',
  shape: 'linear',
  points: [
    { at: '06:00', value: 16 },
    { at: '09:00', value: 19 },
    { at: '19:00', value: 19 },
    { at: '22:00', value: 16 },
  ],
});

const law = {
  is_activated: true,
  measurement: series(0),
  setpoint_measurement: null,
  derivative_filter_s: 0,
  kd: 0,
  integrator_min: null,
  integrator_max: null,
  band: 0,
};
const heating = pid.parse({
  ...law,
  unique_id: heatingId,
  name: 'Heating',
  setpoint: null,
  method_id: warmthId,
  period_s: 120,
  kp: 25,
  ki: 0.02,
  direction: 'raise',
  lower: null,
  raise: { output_id: outputIds.heater, channel: 0, kind: 'duration', min: 5 },
});
const venting = pid.parse({
  ...law,
  unique_id: ventingId,
  name: 'Venting',
  setpoint: 21,
  method_id: null,
  period_s: 60,
  kp: 15,
  ki: 0.02,
  direction: 'lower',
  raise: null,
  lower: { output_id: outputIds.roof_vent, channel: 0, kind: 'pwm', min: 5 },
});

const dosing = conditional.parse({
  unique_id: dosingId,
  name: 'CO2',
  is_activated: true,
  period_s: 60,
  start_offset_s: 0,
  conditions: [
    { unique_id: id('f', 1), name: 'light', kind: 'measurement', ...series(3) },
    { unique_id: id('f', 2), name: 'co2', kind: 'measurement', ...series(2) },
    { unique_id: id('f', 3), name: 'vent', kind: 'output_duty', output_id: outputIds.roof_vent },
  ],
  statement: 'run(dose, light > 80 && vent <= 20 && co2 < 800);',
  actions: [{ unique_id: id('f', 4), name: 'dose', kind: 'output', output_id: outputIds.co2, state: true }],
});

const fogging = functionSettings.parse({
  unique_id: fogId,
  name: 'Fog',
  is_activated: true,
  kind: 'bang_bang',
  options: {
    period_s: 30,
    measurement: series(1),
    direction: 'raise',
    setpoint: 55,
    hysteresis: 5,
    output: { output_id: outputIds.fogger, channel: 0 },
  },
});

function switching(n: number, part: Part, given: object, act: object): Trigger {
  return trigger.parse({
    unique_id: id('9', n),
    name: `${part} ${n}`,
    is_activated: true,
    missed: 'run',
    actions: [{ unique_id: id('8', n), name: part, kind: 'output', output_id: outputIds[part], state: true, ...act }],
    ...given,
  });
}

const triggers = [
  ...wateringHours.map((at, n) => switching(n + 1, 'valve', { kind: 'time_point', at }, { duration_s: watering_s })),
  switching(11, 'lighting', { kind: 'time_point', at: '05:00' }, { duration_s: 7_200 }),
  // In the hour that the clock skips on 29 March.
  switching(10, 'lighting', { kind: 'time_point', at: '02:30' }, { duration_s: 600 }),
  switching(12, 'shade', { kind: 'sunrise_sunset', event: 'sunset' }, { duty_cycle_pct: 100 }),
  switching(13, 'shade', { kind: 'sunrise_sunset', event: 'sunrise' }, { state: false }),
];

const sensorRoles: [SensorRole, 'indoor' | 'weather', number][] = [
  ['indoor_temp', 'indoor', 0],
  ['outdoor_wind', 'weather', 2],
];
const actuatorRoles: [ActuatorRole, Part][] = [
  ['heater', 'heater'],
  ['roof_vent', 'roof_vent'],
];

/** A house driven by every kind of controller: heating, venting, CO2, fog, light, shade and water. */
export function insertWeekSite(database: Database): void {
  const bound = sensorRoles.map(([role, part, channel]) => {
    const input = sensor(part);
    return { role, name: role, input: { ...input, channels: input.channels.slice(channel, channel + 1) } };
  });
  const driven = actuatorRoles.map(([role, part]) => ({ role, name: part, output: actuator(part) }));
  new SettingRepository(database).save({
    ...place,
    alarm_limits: { indoor_temp_low_c: 12, indoor_temp_high_c: 38, out_of_band_delay_s: 60 },
    safety: {
      max_current_a: null,
      interlocks: [
        {
          name: 'no heat out of the window',
          while_output_id: outputIds.roof_vent,
          while_channel: 0,
          above_pct: 40,
          forbids_output_id: outputIds.heater,
          forbids_channel: 0,
          is_mutual: false,
        },
      ],
    },
  });
  for (const part of ['indoor', 'weather'] as const) new InputRepository(database).insert(sensor(part));
  for (const part of parts) new OutputRepository(database).insert(actuator(part));
  new FacilityRepository(database).insert(newFacility(bound, driven));
  new ControllerRepository(database, methodKind).insert(warmth);
  for (const one of [heating, venting]) new ControllerRepository(database, pidKind).insert(one);
  new ControllerRepository(database, conditionalKind).insert(dosing);
  new ControllerRepository(database, functionKind).insert(fogging);
  for (const one of triggers) new ControllerRepository(database, triggerKind).insert(one);
}
