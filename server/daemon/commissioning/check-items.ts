import type { CheckItem } from '../../contract/commissioning.ts';
import type { Facility } from '../../contract/facility.ts';
import type { MeasuredDevice } from '../../contract/measured.ts';
import type { Output } from '../../contract/output.ts';
import { RemoteFailure } from '../../contract/remote/failure.ts';

interface Known {
  measured: readonly MeasuredDevice[];
  outputs: readonly Output[];
  /** Devices to check; null for all. */
  include: readonly string[] | null;
}

const untested = {
  result: 'pending',
  message: '',
  checks: [],
  evidence: null,
  verdict: 'none',
  verdict_reason: null,
  verdict_by: null,
  verdict_at: null,
  note: '',
  history: [],
} as const;

/**
 * One item for each bound sensor and actuator. Throws RemoteFailure `nothing_bound`, `invalid_argument` for a device
 * that is not bound.
 */
export function newItems(facility: Facility, { measured, outputs, include }: Known): CheckItem[] {
  const sensors = facility.sensors.map(({ device_id, measurement_id, role, name }): CheckItem => {
    const device = measured.find(({ unique_id }) => unique_id === device_id);
    const channel = device?.channels.find((one) => one.measurement_id === measurement_id)?.channel ?? null;
    return { device_id, channel, kind: 'sensor', role, name, measurement_id, ...fresh() };
  });
  const actuators = facility.actuators.map(({ device_id, role, name, channel: given }): CheckItem => {
    const channels = outputs.find(({ unique_id }) => unique_id === device_id)?.channels.map(({ channel }) => channel);
    const channel = given ?? (channels === undefined ? null : Math.min(...channels));
    return { device_id, channel, kind: 'actuator', role, name, measurement_id: null, ...fresh() };
  });
  const all = [...sensors, ...actuators];
  if (all.length === 0) throw new RemoteFailure('nothing_bound', 'the facility binds no device');
  if (include === null) return all;
  const unknown = include.find((id) => !all.some(({ device_id }) => device_id === id));
  if (unknown !== undefined) throw new RemoteFailure('invalid_argument', `include: ${unknown} is not bound`);
  return all.filter(({ device_id }) => include.includes(device_id));
}

function fresh() {
  return { ...untested, checks: [], history: [] };
}
