import type { Facility } from '../../../contract/facility.ts';
import type { ActuatorBinding, ActuatorRole, FlowMeterBinding } from '../../../contract/facility-binding.ts';
import { heatingOf_kw } from '../../../domain/capacity/rated-heat.ts';
import { azimuthOf, floorOf_m2, lossOf, valveOf } from '../../../domain/climate-program/house.ts';
import type { ClimateHouse } from '../../../domain/climate-program/moment.ts';
import type { OutputChannel } from '../../../contract/output.ts';
import type { Configuration } from '../../configuration/configuration.ts';
import type { PlanFacility } from '../../safety/plan.ts';
import type { Outputs } from '../output/outputs.ts';

/** A channel that a program may drive. */
export interface BoundActuator {
  key: string;
  role: ActuatorRole;
  output_id: string;
  channel: number;
  name: string;
  /** The meter of this valve alone. */
  flow_meter?: FlowMeterBinding | undefined;
}

/** The bindings and geometry of a house at one moment. */
export interface BoundHouse {
  plan: PlanFacility;
  house: ClimateHouse;
  actuators: readonly BoundActuator[];
  /** Vents and fans that it does not drive. */
  others: readonly BoundActuator[];
}

interface Known {
  revision: number;
  loss: ClimateHouse['loss'];
}

/** What a program drives and with what data. Derives values from the geometry once per revision of the house. */
export class ClimateHouses {
  readonly #configuration: Pick<Configuration, 'facility' | 'safetyPlan'>;
  readonly #outputs: Pick<Outputs, 'channel' | 'has'>;
  #known: Known | undefined;

  constructor(
    configuration: Pick<Configuration, 'facility' | 'safetyPlan'>,
    outputs: Pick<Outputs, 'channel' | 'has'>,
  ) {
    this.#configuration = configuration;
    this.#outputs = outputs;
  }

  /** undefined for a house that is deleted or in the trash. Omits outputs that are not running. */
  of(facilityId: string, roles: readonly ActuatorRole[]): BoundHouse | undefined {
    const plan = this.#configuration.safetyPlan().facilities.find(({ unique_id }) => unique_id === facilityId);
    if (plan === undefined) return undefined;
    const facility = this.#configuration.facility(facilityId);
    const seen = new Set<string>();
    const driven = plan.actuators.flatMap(({ role, output_id, channel }): BoundActuator[] => {
      const key = `${output_id}/${channel}`;
      if (seen.has(key) || !roles.includes(role)) return [];
      seen.add(key);
      const { flow_meter } = bindingOf(facility, output_id, channel) ?? {};
      return [{ key, role, output_id, channel, name: nameOf(facility, output_id, channel) ?? role, flow_meter }];
    });
    const bound = driven.filter(({ output_id }) => this.#outputs.has(output_id));
    const stopped = driven.filter(({ output_id }) => !this.#outputs.has(output_id));
    const others = othersOf(plan, bound);
    return { plan, actuators: bound, others, house: { ...this.#houseOf(plan, facility, bound), others, stopped } };
  }

  #houseOf(plan: PlanFacility, facility: Facility | undefined, bound: readonly BoundActuator[]): ClimateHouse {
    const orientation_deg = facility?.view_3d.orientation_deg;
    const floor_m2 = facility === undefined ? null : floorOf_m2(facility);
    // Includes valves whose output is not running: the others do not water their areas.
    const bindings = plan.actuators.filter(({ role }) => role === 'irrigation_valve');
    const valves = new Set(bindings.map(({ output_id, channel }) => `${output_id}/${channel}`)).size;
    return {
      loss: facility === undefined ? (this.#known?.loss ?? null) : this.#lossOf(facility),
      floor_m2,
      heating_kw: facility === undefined ? null : heatingOf_kw(facility.actuators),
      actuators: bound.map(({ key, role, output_id, channel }) => ({
        key,
        role,
        kind: this.#outputs.channel(output_id, channel).settings.kind,
        azimuth_deg: azimuthOf(bindingOf(facility, output_id, channel) ?? {}, orientation_deg),
        ...runTimeOf(bindingOf(facility, output_id, channel), this.#outputs.channel(output_id, channel).settings),
        ...(role === 'irrigation_valve' && {
          valve: valveOf(bindingOf(facility, output_id, channel) ?? {}, (floor_m2 ?? 0) / valves),
        }),
      })),
      sensors: new Set(plan.sensors.map(({ role }) => role)),
    };
  }

  #lossOf(facility: Facility): ClimateHouse['loss'] {
    const { revision } = facility;
    if (this.#known?.revision !== revision) this.#known = { revision, loss: lossOf(facility) };
    return this.#known.loss;
  }
}

/** Vents and fans that the program does not drive: what CO2 and fog are lost through is open all the same. */
function othersOf({ actuators }: PlanFacility, bound: readonly BoundActuator[]): BoundActuator[] {
  const keys = new Set(bound.map(({ key }) => key));
  return actuators.flatMap(({ role, output_id, channel }): BoundActuator[] => {
    const key = `${output_id}/${channel}`;
    if (keys.has(key) || !opening.has(role)) return [];
    keys.add(key);
    return [{ key, role, output_id, channel, name: role }];
  });
}

const opening: ReadonlySet<ActuatorRole> = new Set(['roof_vent', 'side_vent', 'exhaust_fan']);

function bindingOf(facility: Facility | undefined, output_id: string, channel: number) {
  const ofOutput = facility?.actuators.filter(({ device_id }) => device_id === output_id) ?? [];
  return ofOutput.find((one) => one.channel === channel) ?? ofOutput.find((one) => one.channel === undefined);
}

/** The run time of its motor driver, else the one entered for the house. */
function runTimeOf(
  binding: Pick<ActuatorBinding, 'run_time_s'> | undefined,
  { motor_travel_s }: Pick<OutputChannel, 'motor_travel_s'>,
): { run_time_s?: number } {
  const run_time_s = motor_travel_s ?? binding?.run_time_s;
  return run_time_s === undefined ? {} : { run_time_s };
}

function nameOf(facility: Facility | undefined, output_id: string, channel: number): string | undefined {
  const opened = facility?.openings.find(({ actuator_device_id }) => actuator_device_id === output_id);
  return bindingOf(facility, output_id, channel)?.name ?? opened?.name;
}
