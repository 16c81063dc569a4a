import { drivenRoles, rolesOfLoop } from '../../contract/climate.ts';
import { climateFaultAt } from '../../contract/climate-fault.ts';
import type { Climate, ClimateInfluence, ClimateLoop } from '../../contract/climate-settings.ts';
import type { ControllerFault } from '../../contract/controller-kind.ts';
import type { Facility, SensorRole } from '../../contract/facility.ts';
import type { ControllerStores } from '../../db/repositories/controller-stores.ts';
import type { FacilityRepository } from '../../db/repositories/facility.ts';
import { crossingOf } from '../../domain/climate-program/day-plan.ts';
import type { Place } from '../../domain/solar/sun-day.ts';
import { findChannel } from './output-command.ts';

interface Surroundings {
  kinds: Pick<ControllerStores, 'climate' | 'output'>;
  facilities: Pick<FacilityRepository, 'get'>;
  place: Place;
  /** The year whose days are examined. */
  year: number;
}

/**
 * The sensor that a loop cannot do without. Heating and air go safe with an alarm when their thermometer is missing: it
 * may come back.
 */
const needs: Partial<Record<ClimateLoop, SensorRole>> = {
  co2: 'indoor_co2',
  lamps: 'outdoor_solar',
};

const sensorOf: Partial<Record<ClimateInfluence['source'], SensorRole>> = {
  radiation: 'outdoor_solar',
  outdoor_temp: 'outdoor_temp',
  wind: 'outdoor_wind',
  humidity: 'indoor_humidity',
  temperature_mean: 'indoor_temp',
  light_sum: 'outdoor_solar',
};

/** The first fault of a program, given its house and the sun; undefined when there is none. */
export function climateFault(
  program: Climate,
  { kinds, facilities, place, year }: Surroundings,
): ControllerFault | undefined {
  const { facility_uuid, unique_id, periods } = program;
  const other = kinds.climate.list().find((one) => one.facility_uuid === facility_uuid && one.unique_id !== unique_id);
  if (other !== undefined) return climateFaultAt('facility_uuid', 'second_program', { name: other.name });
  const day = crossingOf(periods, year, place);
  if (day !== undefined) return climateFaultAt('periods', 'periods_cross', { day });
  const house = facilities.get(facility_uuid)?.facility;
  return (
    house &&
    (loopFault(program, house) ??
      mixingFault(program, house, kinds) ??
      irrigationFault(program, house) ??
      influenceFault(program, house))
  );
}

/** A loop that would drive something without its sensor. */
function loopFault(program: Climate, { sensors, actuators }: Facility): ControllerFault | undefined {
  const driven = drivenRoles(program);
  const loops = Object.keys(needs) as ClimateLoop[]; // of a const object
  const blind = loops.find((loop) => {
    const drives = rolesOfLoop[loop].filter((role) => driven.includes(role));
    const isAsked = loop !== 'co2' || program.periods.some(({ setpoints }) => setpoints.co2_ppm !== undefined);
    return (
      isAsked &&
      actuators.some(({ role }) => drives.includes(role)) &&
      !sensors.some(({ role }) => role === needs[loop])
    );
  });
  return blind && sensorFault(blind, needs[blind] ?? '');
}

/** A mixing valve follows the pipe behind it, in steps that its drive can make. */
function mixingFault(
  { heating }: Climate,
  { sensors, actuators }: Facility,
  { output }: Surroundings['kinds'],
): ControllerFault | undefined {
  const valves = actuators.filter(({ role }) => role === 'mixing_valve');
  if (!heating.is_on || valves.length === 0) return undefined;
  if (!sensors.some(({ role }) => role === 'pipe_temp')) return sensorFault('heating', 'pipe_temp');
  const faults = valves.flatMap(({ name, device_id, channel, run_time_s }) => {
    const driven = output.get(device_id);
    const known = driven && findChannel(driven, channel);
    const isSwitch = known?.kind === 'switch';
    const hasTime = run_time_s !== undefined || (known?.motor_travel_s ?? null) !== null;
    return [
      ...(isSwitch ? [climateFaultAt('heating', 'not_dimmer', { name })] : []),
      ...(!hasTime ? [climateFaultAt('heating', 'no_run_time', { name })] : []),
    ];
  });
  return faults[0];
}

/** Each start and correction of irrigation needs its sensor, and each valve a known flow. */
function irrigationFault({ irrigation }: Climate, { sensors, actuators }: Facility): ControllerFault | undefined {
  const valves = actuators.filter(({ role }) => role === 'irrigation_valve');
  if (!irrigation.is_on || valves.length === 0) return undefined;
  const needed: [field: string, role: SensorRole, isAsked: boolean][] = [
    ['sum_j_cm2', 'outdoor_solar', irrigation.sum_j_cm2 !== null],
    ['moisture_below_pct', 'soil_moisture', irrigation.moisture_below_pct !== null],
    ['drain_target_pct', 'drain_flow', irrigation.drain_target_pct !== null],
  ];
  const blind = needed.find(([, role, isAsked]) => isAsked && !sensors.some((one) => one.role === role));
  if (blind !== undefined) return sensorFault(`irrigation.${blind[0]}`, blind[1]);
  const unknown = valves.find(({ rating_lph }) => rating_lph === undefined);
  return unknown && climateFaultAt('irrigation', 'no_rated_flow', { name: unknown.name });
}

function influenceFault({ influences }: Climate, { sensors }: Facility): ControllerFault | undefined {
  const bound = new Set<string>(sensors.map(({ role }) => role));
  const index = influences.findIndex(({ source }) => {
    const role = sensorOf[source];
    return role !== undefined && !bound.has(role);
  });
  const source = influences[index]?.source;
  return source && sensorFault(`influences[${index}].source`, sensorOf[source] ?? '');
}

function sensorFault(path: string, role: string): ControllerFault {
  return climateFaultAt(path, 'no_sensor', { role });
}
