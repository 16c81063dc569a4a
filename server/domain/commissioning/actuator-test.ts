import type { ActuatorRole } from '../../contract/facility.ts';
import { notFrozen, notTooCold, notTooHot, type Limit } from './limit.ts';
import type { Quantity } from './quantity.ts';

/** How an actuator is tried; `expectedEffects` has what it should do. */
export interface ActuatorTest {
  /** What it moves or may move, so that this never counts as the effect of another; the clearest first. */
  affects: readonly Quantity[];
  /** How soon a sound one has an effect: its absence counts only after this uninterrupted time on, s. */
  answersWithin_s: number;
  /** How far a dimmer is opened, %. */
  drive_pct: number;
  /** It is not driven while the house exceeds these. */
  limits: readonly Limit[];
}

const air: readonly Quantity[] = ['temp', 'vapour', 'co2', 'humidity'];

const exchange: ActuatorTest = { affects: air, answersWithin_s: 60, drive_pct: 100, limits: [notTooCold] };
/** Motors travel for minutes; half open is enough to see and protects the house in wind. */
const vent: ActuatorTest = { ...exchange, answersWithin_s: 180, drive_pct: 50 };
/** A screen takes 3 to 6 minutes from end to end. */
const curtain: ActuatorTest = { affects: ['light', 'temp'], answersWithin_s: 180, drive_pct: 100, limits: [] };
/** Hot-water pipes warm the air in 5 to 10 minutes, and burners purge their chamber first. */
const heating: ActuatorTest = {
  affects: ['temp', 'humidity'],
  answersWithin_s: 300,
  drive_pct: 100,
  limits: [notTooHot],
};
// Wet leaves invite botrytis.
const humidifying: ActuatorTest = {
  affects: ['humidity', 'vapour', 'temp'],
  answersWithin_s: 60,
  drive_pct: 100,
  limits: [{ quantity: 'humidity', above: 95 }, notFrozen],
};
const watering: ActuatorTest = {
  affects: ['flow', 'pressure', 'soil_moisture'],
  answersWithin_s: 30,
  drive_pct: 100,
  limits: [],
};

export const actuatorTests: Readonly<Record<ActuatorRole, ActuatorTest>> = {
  heater: heating,
  // Cooling also condenses.
  heat_pump: { ...heating, affects: ['temp', 'humidity', 'vapour'], limits: [notTooHot, notTooCold] },
  cooler: { ...heating, affects: ['temp', 'humidity', 'vapour'], limits: [notTooCold] },
  fogger: humidifying,
  // Pads must get wet first.
  pad_pump: { ...humidifying, answersWithin_s: 120 },
  co2_supply: {
    affects: ['co2'],
    answersWithin_s: 60,
    drive_pct: 100,
    limits: [{ quantity: 'co2', above: 2000 }],
  },
  exhaust_fan: exchange,
  intake_fan: exchange,
  side_vent: vent,
  roof_vent: vent,
  // It moves air inside and changes none of it.
  circulation_fan: { affects: [], answersWithin_s: 0, drive_pct: 100, limits: [] },
  thermal_curtain: curtain,
  shade_curtain: curtain,
  // Discharge lamps need minutes to full light, seconds to a tenth of it.
  lighting: { affects: ['light', 'temp', 'humidity'], answersWithin_s: 60, drive_pct: 100, limits: [] },
  irrigation_pump: watering,
  irrigation_valve: watering,
  // Only the water in the pipe shows it at once.
  mixing_valve: { affects: [], answersWithin_s: 0, drive_pct: 100, limits: [] },
};

/** Whether the role does not move the quantity, so that its sensors show nothing. */
export function movesNothingOf(role: ActuatorRole, quantity: Quantity): boolean {
  return !actuatorTests[role].affects.includes(quantity);
}

/** Vents are driven by wind: without a measured wind their flow is unknown. */
export function isVent(role: ActuatorRole): boolean {
  return role === 'side_vent' || role === 'roof_vent';
}

/** Roles whose effect is hardest to see come first: they get the clearest codes. */
const faintFirst: readonly ActuatorRole[] = [
  ...(['co2_supply', 'roof_vent', 'side_vent', 'exhaust_fan', 'intake_fan', 'cooler', 'pad_pump', 'fogger'] as const),
  ...(['heat_pump', 'heater'] as const),
];

/** Rank of a role by how hard its effect is to see, 0 the hardest. */
export function faintness(role: ActuatorRole): number {
  const rank = faintFirst.indexOf(role);
  return rank < 0 ? faintFirst.length : rank;
}
