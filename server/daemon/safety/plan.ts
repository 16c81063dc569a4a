import { alarmLimits, defaultAlarmLimits, type AlarmLimits } from '../../contract/alarm-limits.ts';
import type { ActuatorRole, SensorRole } from '../../contract/facility-binding.ts';
import type { Output } from '../../contract/output.ts';
import { defaultSafety, safetySettings, sensorTrust } from '../../contract/safety.ts';
import { defaultManualHold_s, plainSettings } from '../../contract/setting.ts';
import type { FacilityBindings } from '../../db/repositories/facility-bindings.ts';
import { interlockRows, type InterlockRow } from './interlock.ts';

export interface PlanSensor {
  role: SensorRole;
  name: string;
  device_id: string;
  measurement_id: string;
  weight: number;
  is_substitute?: boolean | undefined;
  stale_after_s: number;
}

interface PlanActuator {
  role: ActuatorRole;
  output_id: string;
  channel: number;
}

export interface PlanFacility {
  unique_id: string;
  name: string;
  sensors: readonly PlanSensor[];
  actuators: readonly PlanActuator[];
}

/** What the gate holds outputs to, from the settings of the site and the bindings of its facilities. */
export interface SafetyPlan {
  manual_hold_s: number;
  max_current_a: number | null;
  interlocks: readonly InterlockRow[];
  limits: AlarmLimits;
  facilities: readonly PlanFacility[];
}

export interface PlanSources {
  /** The settings that differ from the defaults. */
  settings: Record<string, unknown>;
  facilities: readonly FacilityBindings[];
  /** Everything that can be bound as a sensor, with the time between two values. */
  sensors: readonly { unique_id: string; period_s: number }[];
  outputs: readonly Output[];
}

export const emptyPlan: SafetyPlan = {
  manual_hold_s: defaultManualHold_s,
  max_current_a: null,
  interlocks: [],
  limits: defaultAlarmLimits,
  facilities: [],
};

export function safetyPlan({ settings, facilities, sensors, outputs }: PlanSources): SafetyPlan {
  const { max_current_a, interlocks } = safetySettings.parse({ ...defaultSafety, ...objectOf(settings['safety']) });
  const hold = plainSettings.shape.manual_hold_s.safeParse(settings['manual_hold_s']);
  const periodOf = new Map(sensors.map(({ unique_id, period_s }) => [unique_id, period_s]));
  const lowestOf = new Map(
    outputs.map(({ unique_id, channels }) => [unique_id, Math.min(...channels.map(({ channel }) => channel))]),
  );
  return {
    manual_hold_s: hold.data ?? defaultManualHold_s,
    max_current_a,
    interlocks: interlockRows(interlocks),
    limits: alarmLimits.parse({ ...defaultAlarmLimits, ...objectOf(settings['alarm_limits']) }),
    facilities: facilities.map((one) => planFacility(one, { periodOf, lowestOf })),
  };
}

interface Devices {
  periodOf: ReadonlyMap<string, number>;
  lowestOf: ReadonlyMap<string, number>;
}

function planFacility(facility: FacilityBindings, { periodOf, lowestOf }: Devices): PlanFacility {
  const { unique_id, name, sensors, actuators, openings } = facility;
  const lowest = (id: string): number => lowestOf.get(id) ?? 0;
  const moved = openings.flatMap(({ actuator_device_id: id }): PlanActuator[] =>
    id === undefined ? [] : [{ role: 'side_vent', output_id: id, channel: lowest(id) }],
  );
  return {
    unique_id,
    name,
    sensors: sensors.map(({ weight, ...sensor }) => ({
      ...sensor,
      weight: weight ?? 1,
      stale_after_s: Math.max(sensorTrust.least_s, sensorTrust.periods * (periodOf.get(sensor.device_id) ?? 0)),
    })),
    actuators: [
      ...actuators.map(({ role, device_id, channel }) => ({
        role,
        output_id: device_id,
        channel: channel ?? lowest(device_id),
      })),
      ...moved,
    ],
  };
}

function objectOf(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}
