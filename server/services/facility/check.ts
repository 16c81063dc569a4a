import { Refusal, refuseField, refusePlainly } from '../../contract/errors.ts';
import { why } from '../../contract/refusal-reason.ts';
import type { ActuatorBinding, Facility, FacilitySave, MeterBinding, SensorBinding } from '../../contract/facility.ts';
import { measurementsOfRole, type FlowMeterBinding } from '../../contract/facility-binding.ts';
import type { FacilityRepository } from '../../db/repositories/facility.ts';
import type { MeasuredChannel } from '../../contract/measured.ts';
import type { OutputRepository } from '../../db/repositories/output.ts';
import type { PlacementRepository, Shape } from '../../db/repositories/placement.ts';
import { findMaterial, UnknownMaterialError } from '../../domain/capacity/materials.ts';
import type { MeasuredDevices } from '../../domain/control/measured-devices.ts';
import { findChannel } from '../device/output-command.ts';

interface CheckSources {
  facilities: Pick<FacilityRepository, 'onShape'>;
  measured: Pick<MeasuredDevices, 'get'>;
  outputs: Pick<OutputRepository, 'get'>;
  placements: Pick<PlacementRepository, 'shape'>;
}

const shapeTypes: ReadonlySet<string> = new Set(['site', 'zone', 'facility', 'bay']);

/** The shape that a facility can occupy. Throws `unknown_reference`, `invalid_shape`. */
export function findShape(shapeId: string, placements: CheckSources['placements']): Shape {
  const shape = placements.shape(shapeId);
  if (shape === undefined) throw refuseField('unknown_reference', 'shape_uuid', why('no_such_shape'));
  if (!shapeTypes.has(shape.type)) {
    throw refusePlainly('invalid_shape', 'shape_uuid', `is of type ${shape.type}, not site, zone, facility or bay`);
  }
  if (shape.geometry.type !== 'Polygon' && shape.geometry.type !== 'MultiPolygon') {
    throw refusePlainly('invalid_shape', 'shape_uuid', `is a ${shape.geometry.type}, not a Polygon or MultiPolygon`);
  }
  return shape;
}

/** Throws `shape_has_facility` when a facility that is not in the trash already occupies the shape. */
export function refuseTaken(shapeId: string, facilityId: string, facilities: CheckSources['facilities']): void {
  const other = facilities.onShape(shapeId);
  if (other !== undefined && other.unique_id !== facilityId) {
    throw new Refusal('shape_has_facility', `facility "${other.name}" stands on this shape`, {
      members: { facility_uuid: other.unique_id, name: other.name },
    });
  }
}

/** Runs work that looks up materials. Throws `unknown_material` with the available codes. */
export function withKnownMaterials<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof UnknownMaterialError)) throw error;
    throw new Refusal('unknown_material', error.message, {
      errors: [{ path: error.path, code: error.code, message: error.message }],
      members: { materials: error.codes },
      cause: error,
    });
  }
}

/**
 * Checks the changed references of a facility against existing devices and materials: an old binding to a deleted
 * device must not prevent another change. Throws `unknown_material`, `unknown_reference`, `invalid_field`.
 */
export function checkReferences(facility: Omit<Facility, 'geo_id'>, sent: FacilitySave, sources: CheckSources): void {
  withKnownMaterials(() => {
    for (const field of ['material', 'side_material', 'end_material', 'inner_material'] as const) {
      const code = facility.envelope[field];
      if (code !== undefined) findMaterial(code, `envelope.${field}`);
    }
  });
  if (sent.sensors !== undefined) checkSensors(facility.sensors, sources);
  if (sent.actuators !== undefined) checkActuators(facility.actuators, sources);
  for (const list of ['openings', 'curtains'] as const) {
    if (sent[list] === undefined) continue;
    facility[list].forEach(({ actuator_device_id: id }, index) => {
      if (id === undefined || sources.outputs.get(id) !== undefined) return;
      throw refuseField('unknown_reference', `${list}[${index}].actuator_device_id`, why('no_such_output'));
    });
  }
}

function checkSensors(sensors: readonly SensorBinding[], { measured }: CheckSources): void {
  const seen = new Map<string, number>();
  sensors.forEach((sensor, index) => {
    const { measurement } = boundChannel(sensor, `sensors[${index}]`, measured);
    const taken = measurementsOfRole[sensor.role];
    if (!taken.includes(measurement)) {
      const path = `sensors[${index}].measurement_id`;
      throw refuseField(
        'invalid_field',
        path,
        why('other_quantity', { measurement, role: sensor.role, taken: taken.join(' or ') }),
      );
    }
    refuseTwice(seen, `${sensor.role} ${sensor.measurement_id}`, `sensors[${index}]`);
  });
}

type Measured = Pick<SensorBinding, 'device_id' | 'measurement_id'>;

function boundChannel(
  { device_id, measurement_id }: Measured,
  path: string,
  measured: CheckSources['measured'],
): MeasuredChannel {
  const device = measured.get(device_id);
  if (device?.isTold !== true) throw refuseField('unknown_reference', `${path}.device_id`, why('measures_nothing'));
  const found = device.channels.find((channel) => channel.measurement_id === measurement_id);
  if (found !== undefined) return found;
  throw refuseField('unknown_reference', `${path}.measurement_id`, why('no_such_measurement'));
}

function checkActuators(actuators: readonly ActuatorBinding[], { measured, outputs }: CheckSources): void {
  const seen = new Map<string, number>();
  actuators.forEach(({ role, device_id, channel, meter, flow_meter }, index) => {
    const output = outputs.get(device_id);
    if (output === undefined)
      throw refuseField('unknown_reference', `actuators[${index}].device_id`, why('no_such_output'));
    const bound = findChannel(output, channel);
    if (bound === undefined) {
      const path = `actuators[${index}].channel`;
      throw refuseField('unknown_reference', path, why('no_such_channel'));
    }
    refuseTwice(seen, `${role} ${device_id} ${bound.channel}`, `actuators[${index}]`);
    if (meter !== undefined) checkMeter(meter, `actuators[${index}].meter`, measured);
    if (flow_meter !== undefined) checkFlowMeter(flow_meter, `actuators[${index}].flow_meter`, measured);
  });
}

function checkMeter(meter: MeterBinding, path: string, measured: CheckSources['measured']): void {
  const { measurement } = boundChannel(meter, path, measured);
  if (measurement === 'power' || measurement === 'energy') return;
  if (measurement !== 'volume' && measurement !== 'unitless') {
    throw refuseField('invalid_field', `${path}.measurement_id`, why('meters_nothing', { measurement }));
  }
  if (meter.kwh_per_unit !== undefined) return;
  throw refuseField('invalid_field', `${path}.kwh_per_unit`, why('kwh_needed', { measurement }));
}

function checkFlowMeter(meter: FlowMeterBinding, path: string, measured: CheckSources['measured']): void {
  const { measurement } = boundChannel(meter, path, measured);
  if (measurement !== 'flow')
    throw refuseField('invalid_field', `${path}.measurement_id`, why('measures_no_flow', { measurement }));
}

function refuseTwice(seen: Map<string, number>, key: string, path: string): void {
  const first = seen.get(key);
  if (first !== undefined) throw refuseField('invalid_field', path, why('bound_twice', { first }));
  seen.set(key, seen.size);
}
