import type { AlarmLimits } from '../../contract/alarm-limits.ts';
import type { ActuatorRole, SensorRole } from '../../contract/facility-binding.ts';
import { gateBand } from '../../contract/safety.ts';

/** A limit of the site that keeps actuators off while it is crossed. */
export interface Watch {
  rule: 'wind' | 'rain' | 'frost' | 'over_temperature';
  limit: keyof AlarmLimits & ('wind_m_s' | 'rain' | 'frost_c' | 'over_temperature_c');
  side: 'above' | 'below';
  sensors: SensorRole;
  /** Of several sensors, the worst decides outdoors and the mean indoors, as everywhere else. */
  of: 'worst' | 'mean';
  actuators: readonly ActuatorRole[];
  /** Its word among those of devices. */
  what: 'wind' | 'rain' | 'air_inside';
  unit: string;
  /** It ends when the reading is back by this much and for this long: vents must not flap in gusts. */
  back: (limit: number) => number;
  release_s: number;
}

const vents = ['roof_vent', 'side_vent'] as const;
const inside = { sensors: 'indoor_temp', of: 'mean', what: 'air_inside', unit: 'C', release_s: 60 } as const;

export const watches: readonly Watch[] = [
  {
    rule: 'wind',
    limit: 'wind_m_s',
    side: 'above',
    sensors: 'outdoor_wind',
    of: 'worst',
    actuators: vents,
    what: 'wind',
    unit: 'm/s',
    back: (limit) => limit * (1 - gateBand.wind_part),
    release_s: 300,
  },
  {
    rule: 'rain',
    limit: 'rain',
    side: 'above',
    sensors: 'rain',
    of: 'worst',
    actuators: vents,
    what: 'rain',
    unit: 'mm/h',
    back: (limit) => limit,
    release_s: 300,
  },
  {
    ...inside,
    rule: 'frost',
    limit: 'frost_c',
    side: 'below',
    actuators: vents,
    back: (limit) => limit + gateBand.air_k,
  },
  {
    ...inside,
    rule: 'over_temperature',
    limit: 'over_temperature_c',
    side: 'above',
    actuators: ['heater'],
    back: (limit) => limit - gateBand.air_k,
  },
];

/** The sensors by which controllers see their house: without them they are blind. */
export const eyes: readonly {
  sensors: SensorRole;
  actuators: readonly ActuatorRole[];
  /** Without them it closes, whatever its safe state is. */
  closes?: true;
}[] = [
  {
    sensors: 'indoor_temp',
    actuators: ['heater', 'cooler', 'heat_pump', 'exhaust_fan', 'intake_fan', ...vents, 'fogger', 'pad_pump'],
  },
  { sensors: 'outdoor_wind', actuators: vents, closes: true },
];
