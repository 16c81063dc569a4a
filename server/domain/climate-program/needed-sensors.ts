import { drivenRoles } from '../../contract/climate.ts';
import type { ClimateInfluence, ClimateProgram } from '../../contract/climate-settings.ts';
import type { ActuatorRole, SensorRole } from '../../contract/facility-binding.ts';

/** A sensor that a program cannot do without, and the field that asks for it. */
interface NeededSensor {
  path: string;
  role: SensorRole;
}

/**
 * What the loops of a program need, given the roles of the house's actuators. Heating and air go safe with an alarm
 * when their thermometer is missing: it may come back.
 */
export function neededSensors(program: ClimateProgram, bound: ReadonlySet<ActuatorRole>): NeededSensor[] {
  const { irrigation, periods } = program;
  const driven = drivenRoles(program).filter((role) => bound.has(role));
  const waters = driven.includes('irrigation_valve');
  const needs: [path: string, role: SensorRole, isNeeded: boolean][] = [
    ['co2', 'indoor_co2', driven.includes('co2_supply') && periods.some((one) => one.setpoints.co2_ppm !== undefined)],
    ['lamps', 'outdoor_solar', driven.includes('lighting')],
    ['heating', 'pipe_temp', driven.includes('mixing_valve')],
    ['irrigation.sum_j_cm2', 'outdoor_solar', waters && irrigation.sum_j_cm2 !== null],
    ['irrigation.moisture_below_pct', 'soil_moisture', waters && irrigation.moisture_below_pct !== null],
    ['irrigation.drain_target_pct', 'drain_flow', waters && irrigation.drain_target_pct !== null],
  ];
  return needs.filter(([, , isNeeded]) => isNeeded).map(([path, role]) => ({ path, role }));
}

/** The sensor of an influence; none of one that names its measurement. */
const sensorOfSource: Partial<Record<ClimateInfluence['source'], SensorRole>> = {
  radiation: 'outdoor_solar',
  outdoor_temp: 'outdoor_temp',
  wind: 'outdoor_wind',
  humidity: 'indoor_humidity',
  temperature_mean: 'indoor_temp',
  light_sum: 'outdoor_solar',
};

/** What the influences of a program go by. */
export function influenceSensors({ influences }: Pick<ClimateProgram, 'influences'>): NeededSensor[] {
  return influences.flatMap(({ source }, index) => {
    const role = sensorOfSource[source];
    return role === undefined ? [] : [{ path: `influences[${index}].source`, role }];
  });
}
