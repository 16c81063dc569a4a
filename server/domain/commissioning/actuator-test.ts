import type { ActuatorRole } from '../../contract/facility.ts';
import { notTooCold, notTooHot, type Limit } from './limit.ts';
import type { Quantity } from './quantity.ts';

/** outdoors: towards the air outside; either: a machine that heats or cools. */
type Expected = 'up' | 'down' | 'outdoors' | 'either';

/** What devices share when they influence each other: those of one medium are driven one after the other. */
export const media = ['air', 'light', 'water'] as const;
export type Medium = (typeof media)[number];

export const mediumOf: Readonly<Record<Quantity, Medium>> = {
  temp: 'air',
  humidity: 'air',
  vapour: 'air',
  co2: 'air',
  light: 'light',
  flow: 'water',
  pressure: 'water',
  soil_moisture: 'water',
};

/** How an actuator is tried. */
export interface ActuatorTest {
  medium: Medium;
  /** What being turned on does, the clearest first; any one of them is enough. Empty: only the device itself can say. */
  expects: readonly { quantity: Quantity; towards: Expected }[];
  /** Seen when the clearest is not, because its sensor is at fault. */
  supports?: readonly { quantity: Quantity; towards: Expected }[];
  /** Everything that it moves, so that none of it counts as the work of another. */
  affects: readonly Quantity[];
  /** How long an answer is awaited, s. */
  window_s: number;
  /** How soon a sound one answers, s: silence is judged by so much clear sight. */
  answersWithin_s: number;
  /** How far a dimmer is opened, %. */
  drive_pct: number;
  /** It is not driven, or is stopped, beyond these. */
  limits: readonly Limit[];
}

const air: readonly Quantity[] = ['temp', 'humidity', 'vapour', 'co2'];

/** Vents and fans: half open is enough to see and spares the house in wind. Air changes in minutes. */
const exchange: ActuatorTest = {
  medium: 'air',
  expects: [
    { quantity: 'temp', towards: 'outdoors' },
    { quantity: 'vapour', towards: 'outdoors' },
    { quantity: 'co2', towards: 'outdoors' },
  ],
  affects: air,
  window_s: 300,
  answersWithin_s: 60,
  drive_pct: 50,
  limits: [notTooCold],
};

/** A vent alone in calm air exchanges a tenth of what a fan does. */
const vent: ActuatorTest = { ...exchange, window_s: 420, answersWithin_s: 240 };

const curtain: ActuatorTest = {
  medium: 'light',
  expects: [{ quantity: 'light', towards: 'down' }],
  affects: ['light'],
  // A screen takes 3 to 6 minutes from end to end.
  window_s: 420,
  answersWithin_s: 180,
  drive_pct: 100,
  limits: [],
};

/** Pipes of hot water reach the air in 5 to 10 minutes, air heaters in one. */
const heating: ActuatorTest = {
  medium: 'air',
  expects: [{ quantity: 'temp', towards: 'up' }],
  supports: [{ quantity: 'humidity', towards: 'down' }],
  affects: ['temp', 'humidity'],
  window_s: 600,
  answersWithin_s: 300,
  drive_pct: 100,
  limits: [notTooHot],
};

const humidifying: ActuatorTest = {
  medium: 'air',
  expects: [
    { quantity: 'humidity', towards: 'up' },
    { quantity: 'temp', towards: 'down' },
  ],
  affects: ['temp', 'humidity', 'vapour'],
  window_s: 180,
  answersWithin_s: 60,
  drive_pct: 100,
  // Wet leaves are an open door for botrytis.
  limits: [{ quantity: 'humidity', above: 95 }, notTooCold],
};

export const actuatorTests: Readonly<Record<ActuatorRole, ActuatorTest>> = {
  heater: heating,
  heat_pump: {
    ...heating,
    expects: [{ quantity: 'temp', towards: 'either' }],
    supports: [{ quantity: 'humidity', towards: 'either' }],
    affects: ['temp', 'humidity', 'vapour'],
    limits: [notTooHot, notTooCold],
  },
  cooler: {
    ...heating,
    expects: [{ quantity: 'temp', towards: 'down' }],
    supports: [{ quantity: 'vapour', towards: 'down' }],
    affects: ['temp', 'humidity', 'vapour'],
    limits: [notTooCold],
  },
  fogger: humidifying,
  // Pads must be wet first.
  pad_pump: { ...humidifying, window_s: 300, answersWithin_s: 120 },
  co2_supply: {
    medium: 'air',
    expects: [{ quantity: 'co2', towards: 'up' }],
    affects: ['co2'],
    window_s: 300,
    answersWithin_s: 180,
    drive_pct: 100,
    limits: [{ quantity: 'co2', above: 2000 }],
  },
  exhaust_fan: exchange,
  intake_fan: exchange,
  side_vent: vent,
  roof_vent: vent,
  // It moves air inside and changes none of it.
  circulation_fan: {
    medium: 'air',
    expects: [],
    affects: [],
    window_s: 15,
    answersWithin_s: 15,
    drive_pct: 100,
    limits: [],
  },
  thermal_curtain: curtain,
  shade_curtain: curtain,
  lighting: {
    medium: 'light',
    expects: [{ quantity: 'light', towards: 'up' }],
    affects: ['light'],
    // Discharge lamps need minutes to full light, seconds to a tenth of it.
    window_s: 120,
    answersWithin_s: 60,
    drive_pct: 100,
    limits: [],
  },
  irrigation_pump: {
    medium: 'water',
    expects: [
      { quantity: 'pressure', towards: 'up' },
      { quantity: 'flow', towards: 'up' },
    ],
    affects: ['flow', 'pressure', 'soil_moisture'],
    window_s: 30,
    answersWithin_s: 15,
    drive_pct: 100,
    limits: [],
  },
  irrigation_valve: {
    medium: 'water',
    expects: [
      { quantity: 'flow', towards: 'up' },
      { quantity: 'soil_moisture', towards: 'up' },
      { quantity: 'pressure', towards: 'down' },
    ],
    affects: ['flow', 'pressure', 'soil_moisture'],
    // Enough to see, too little to drown a plant.
    window_s: 60,
    answersWithin_s: 30,
    drive_pct: 100,
    limits: [],
  },
};
