import { simulated, type SimulatedOptions } from '../../contract/drivers/simulated.ts';
import type { ActuatorBinding, Facility, SensorBinding } from '../../contract/facility.ts';
import type { SensorRole } from '../../contract/facility-binding.ts';
import { roleOfPart, rolesOfSensor, type HousePart, type OfferedPart } from '../../contract/house-simulation.ts';
import type { Input } from '../../contract/input.ts';
import type { Output } from '../../contract/output.ts';
import { isRoofFace } from '../../domain/simulation/model-of-house.ts';

export interface OwnDevices {
  inputs: Input[];
  outputs: Output[];
}

/** Those of a simulated device; none of any other. */
export function optionsOf({ driver, options }: Pick<Input | Output, 'driver' | 'options'>): SimulatedOptions {
  const parsed = driver === 'simulated' ? simulated.options.safeParse(options) : undefined;
  return parsed?.success === true ? parsed.data : {};
}

/** Ids of all devices that a house names, each once. */
export function boundIn({ sensors, actuators, openings, curtains }: Facility): string[] {
  const meters = actuators.flatMap(({ meter, flow_meter }) => [meter?.device_id, flow_meter?.device_id]);
  const moved = [...openings, ...curtains].map(({ actuator_device_id }) => actuator_device_id);
  const all = [...sensors, ...actuators].map(({ device_id }) => device_id);
  return [...new Set([...all, ...meters, ...moved].filter((id) => id !== undefined))];
}

type Bindings = Pick<Facility, 'sensors' | 'actuators' | 'openings' | 'curtains'>;

/** The devices by their roles, and what moves the vents and curtains that are drawn. */
export function bindingsOf(
  facility: Facility,
  chosen: readonly OfferedPart[],
  { inputs, outputs }: OwnDevices,
): Bindings {
  const idOf = (part: HousePart): string | undefined => outputs.find((one) => optionsOf(one).part === part)?.unique_id;
  const moved = <One extends object>(one: One, part: HousePart): One => {
    const actuator_device_id = idOf(part);
    return actuator_device_id === undefined ? one : { ...one, actuator_device_id };
  };
  return {
    sensors: inputs.flatMap(sensorsOf),
    actuators: chosen.flatMap(({ part, rating_kw, rating_m3h, rating_lph, opening_area_m2 }): ActuatorBinding[] => {
      const output = outputs.find((one) => optionsOf(one).part === part);
      if (output === undefined) return [];
      const sizes = Object.entries({ rating_kw, rating_m3h, rating_lph, opening_area_m2 });
      const rated = Object.fromEntries(sizes.filter(([, size]) => size !== undefined));
      return [{ role: roleOfPart[part], device_id: output.unique_id, name: output.name, ...rated }];
    }),
    openings: facility.openings.map((one) => moved(one, isRoofFace(one.face) ? 'roof_vent' : 'side_vent')),
    curtains: facility.curtains.map((one) => moved(one, one.kind === 'shade' ? 'shade' : 'screen')),
  };
}

function sensorsOf(input: Input): SensorBinding[] {
  const roles: Partial<Record<string, SensorRole>> =
    optionsOf(input).part === 'indoor' ? rolesOfSensor.indoor : rolesOfSensor.weather;
  return input.channels.flatMap(({ measurement, measurement_id, name }) => {
    const role = roles[measurement];
    return role === undefined
      ? []
      : [{ role, device_id: input.unique_id, measurement_id, name: `${input.name} · ${name}`.slice(0, 200) }];
  });
}

/** The house with nothing of these devices. */
export function without({ sensors, actuators, openings, curtains }: Facility, ids: ReadonlySet<string>): Bindings {
  const isLeft = ({ device_id }: { device_id: string }): boolean => !ids.has(device_id);
  const unmoved = <One extends { actuator_device_id?: string | undefined }>({ actuator_device_id: id, ...rest }: One) =>
    id === undefined || ids.has(id) ? rest : { ...rest, actuator_device_id: id };
  return {
    sensors: sensors.filter(isLeft),
    actuators: actuators.filter(isLeft),
    openings: openings.map(unmoved),
    curtains: curtains.map(unmoved),
  };
}
