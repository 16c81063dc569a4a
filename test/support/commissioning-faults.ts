import { randomUUID } from 'node:crypto';
import type { SimulatedFault } from '../../server/contract/drivers/simulated.ts';
import type { ActuatorBinding, ActuatorRole, SensorRole } from '../../server/contract/facility.ts';
import { simulatedHouse } from '../../server/domain/simulation/simulated-house.ts';
import type { Actuator, Sensor } from './commissioning-bench.ts';

/** A fault in the devices of a house, and which of them are to blame. */
export interface HouseFault {
  name: string;
  /** Names of the items that a check should not approve. */
  faulty: readonly string[];
  faults: Readonly<Record<string, SimulatedFault>>;
}

const actuatorFaults = (
  [
    ['dead', { kind: 'no_effect' }],
    ['weak, 30 %', { kind: 'weak', share: 0.3 }],
    ['latched', { kind: 'latched' }],
    ['reversed', { kind: 'reversed' }],
  ] as const
).flatMap(([what, fault]) =>
  (
    ['heater', 'co2_supply', 'fogger', 'exhaust_fan', 'side_vent', 'roof_vent', 'lighting', 'shade_curtain'] as const
  ).map((role): HouseFault => ({ name: `${role} ${what}`, faulty: [role], faults: { [role]: fault } })),
);

function one(name: string, role: ActuatorRole | SensorRole, fault: SimulatedFault): HouseFault {
  return { name, faulty: [role], faults: { [role]: fault } };
}

const wiring: readonly HouseFault[] = [
  one('heater wired to the lamps', 'heater', { kind: 'wired_to', part: 'lighting' }),
  one('heater wired to the CO2', 'heater', { kind: 'wired_to', part: 'co2' }),
  one('fan wired to the fogger', 'exhaust_fan', { kind: 'wired_to', part: 'fogger' }),
  one('lamps wired to the shade', 'lighting', { kind: 'wired_to', part: 'shade' }),
  one('heater wired to the next house', 'heater', { kind: 'wired_to', part: 'heater', house: randomUUID() }),
  {
    name: 'heater and CO2 exchanged',
    faulty: ['heater', 'co2_supply'],
    faults: { heater: { kind: 'wired_to', part: 'co2' }, co2_supply: { kind: 'wired_to', part: 'heater' } },
  },
  one('fogger refuses', 'fogger', { kind: 'refuses' }),
  one('fan silent', 'exhaust_fan', { kind: 'silent' }),
];

const sensors: readonly HouseFault[] = [
  ...(
    ['indoor_temp', 'indoor_humidity', 'indoor_co2', 'indoor_light', 'outdoor_temp', 'outdoor_humidity'] as const
  ).map((role) => one(`${role} stuck`, role, { kind: 'stuck' })),
  one('indoor_temp stuck, still noisy', 'indoor_temp', { kind: 'stuck', sd: 0.05 }),
  one('indoor_light stuck, still noisy', 'indoor_light', { kind: 'stuck', sd: 1 }),
  one('indoor_temp +5 K', 'indoor_temp', { kind: 'offset', by: 5 }),
  one('indoor_temp gain 0.5', 'indoor_temp', { kind: 'gain', factor: 0.5 }),
  one('indoor_temp reversed', 'indoor_temp', { kind: 'gain', factor: -1 }),
  one('indoor_temp drifting 20 K/h', 'indoor_temp', { kind: 'drift', per_h: 20 }),
  one('indoor_temp restless', 'indoor_temp', { kind: 'noisy', sd: 1.5 }),
  one('indoor_temp slow, 20 min', 'indoor_temp', { kind: 'slow', lag_s: 1200 }),
  one('indoor_temp silent', 'indoor_temp', { kind: 'silent' }),
  one('indoor_humidity gain 0.5', 'indoor_humidity', { kind: 'gain', factor: 0.5 }),
  one('indoor_humidity +30 %', 'indoor_humidity', { kind: 'offset', by: 30 }),
  one('indoor_co2 +400 ppm', 'indoor_co2', { kind: 'offset', by: 400 }),
  one('indoor_co2 gain 0.5', 'indoor_co2', { kind: 'gain', factor: 0.5 }),
  one('indoor_light +300 W/m2', 'indoor_light', { kind: 'offset', by: 300 }),
  one('indoor_light gain 0.3', 'indoor_light', { kind: 'gain', factor: 0.3 }),
  one('outdoor_temp +5 K', 'outdoor_temp', { kind: 'offset', by: 5 }),
  {
    name: 'thermometers swapped',
    faulty: ['indoor_temp', 'outdoor_temp'],
    faults: {
      indoor_temp: { kind: 'wired_to', part: 'weather' },
      outdoor_temp: { kind: 'wired_to', part: 'indoor' },
    },
  },
  {
    name: 'hygrometers swapped',
    faulty: ['indoor_humidity', 'outdoor_humidity'],
    faults: {
      indoor_humidity: { kind: 'wired_to', part: 'weather' },
      outdoor_humidity: { kind: 'wired_to', part: 'indoor' },
    },
  },
];

export const houseFaults: readonly HouseFault[] = [...actuatorFaults, ...wiring, ...sensors];

/** The 19 devices of the tested house. */
export const nineteen = {
  sensors: [
    'indoor_temp',
    'indoor_humidity',
    'indoor_co2',
    'indoor_light',
    'outdoor_temp',
    'outdoor_humidity',
    'outdoor_wind',
    'outdoor_wind_dir',
    'outdoor_solar',
    'rain',
  ] as SensorRole[], // literals of that list
  actuators: [
    'heater',
    'co2_supply',
    'fogger',
    'exhaust_fan',
    'side_vent',
    'roof_vent',
    'lighting',
    'shade_curtain',
    'circulation_fan',
  ] as ActuatorRole[], // literals of that list
};

/** The ratings on the plates of its devices. */
const ratings: Partial<Record<ActuatorRole, Partial<ActuatorBinding>>> = {
  heater: { rating_kw: simulatedHouse.heater_w / 1000 },
  exhaust_fan: { rating_m3h: simulatedHouse.fan_m3h },
  fogger: { rating_lph: simulatedHouse.fogger_kg_h },
  // Gas of 1.86 kg/m3.
  co2_supply: { rating_m3h: simulatedHouse.co2_kg_h / 1.86 },
  lighting: { rating_kw: (2 * simulatedHouse.lighting_w_m2 * simulatedHouse.floor_area_m2) / 1000 },
  roof_vent: { opening_area_m2: simulatedHouse.roof_vent_area_m2 },
  side_vent: { opening_area_m2: 2 * simulatedHouse.side_vent_area_m2 },
};

/** The devices with the fault among them, each sensor with its own noise. */
export function faultyDevices(
  fault: HouseFault | null,
  { seed, period_s }: { seed: number; period_s: number },
): { sensors: Sensor[]; actuators: Actuator[] } {
  const of = (name: string): { fault?: SimulatedFault } => {
    const own = fault?.faults[name];
    return own === undefined
      ? {}
      : { fault: own.kind === 'noisy' || own.kind === 'stuck' ? { ...own, seed: seed + 977 } : own };
  };
  return {
    sensors: nineteen.sensors.map((role, index) => ({
      role,
      period_s,
      ...of(role),
      noise_seed: 1 + ((seed * 7919 + index * 104_729) % 2_000_000_000),
    })),
    actuators: nineteen.actuators.map((role) => ({ role, rating: ratings[role], ...of(role) })),
  };
}
