import { climateFaultAt } from '../../contract/climate-fault.ts';
import type { Climate } from '../../contract/climate-settings.ts';
import type { ControllerFault } from '../../contract/controller-kind.ts';
import type { Facility } from '../../contract/facility.ts';
import type { ControllerStores } from '../../db/repositories/controller-stores.ts';
import type { FacilityRepository } from '../../db/repositories/facility.ts';
import { crossingOf } from '../../domain/climate-program/day-plan.ts';
import { influenceSensors, neededSensors } from '../../domain/climate-program/needed-sensors.ts';
import type { Place } from '../../domain/solar/sun-day.ts';
import { findChannel } from './output-command.ts';

interface Surroundings {
  kinds: Pick<ControllerStores, 'climate' | 'output'>;
  facilities: Pick<FacilityRepository, 'get'>;
  place: Place;
  /** The year whose days are examined. */
  year: number;
}

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
    house && (sensorFault(program, house) ?? mixingFault(program, house, kinds) ?? irrigationFault(program, house))
  );
}

/** A loop or an influence without its sensor. */
function sensorFault(program: Climate, { sensors, actuators }: Facility): ControllerFault | undefined {
  const driven = new Set(actuators.map(({ role }) => role));
  const needed = [...neededSensors(program, driven), ...influenceSensors(program)];
  const blind = needed.find(({ role }) => !sensors.some((one) => one.role === role));
  return blind && climateFaultAt(blind.path, 'no_sensor', { role: blind.role });
}

/** A mixing valve moves in steps that its drive can make. */
function mixingFault(
  { heating }: Climate,
  { actuators }: Facility,
  { output }: Surroundings['kinds'],
): ControllerFault | undefined {
  const valves = actuators.filter(({ role }) => role === 'mixing_valve');
  if (!heating.is_on || valves.length === 0) return undefined;
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

/** Water is given by volume: the flow of each valve is known. */
function irrigationFault({ irrigation }: Climate, { actuators }: Facility): ControllerFault | undefined {
  if (!irrigation.is_on) return undefined;
  const unknown = actuators.find(({ role, rating_lph }) => role === 'irrigation_valve' && rating_lph === undefined);
  return unknown && climateFaultAt('irrigation', 'no_rated_flow', { name: unknown.name });
}
