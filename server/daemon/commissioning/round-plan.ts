import type { ActuatorRole } from '../../contract/facility.ts';
import { actuatorTests } from '../../domain/commissioning/actuator-test.ts';
import {
  codeLength,
  isOnInPhase,
  phaseLength_s,
  promptPhase_s,
  promptPhases,
} from '../../domain/commissioning/switching.ts';

/**
 * coded: many at once, each with a code; prompt: one that reacts at once; long: one that may be slow; shut: several
 * that move different quantities, at once; alone: one that lets air in.
 */
export type RoundKind = 'coded' | 'prompt' | 'long' | 'shut' | 'alone';

interface Turn {
  /** Index of the actuator in its round. */
  index: number;
  role: ActuatorRole;
}

interface RoundPlan {
  phases: number;
  /** Length of a phase for sensors with this period, s. */
  phase_s: (period_s: number, roles: readonly ActuatorRole[]) => number;
  isOn: (phase: number, turn: Turn) => boolean;
  /** How far a dimmer is opened, %; by default as its test says. */
  drive_pct?: number;
}

/** Minimum time on in a long round, s. */
const shortestLong_s = 160;
/**
 * Minimum phases in rounds by itself, s: a minute of exchange, and enough gas for 15 readings to show 30 % of a rating.
 */
const shortestAlone_s = 60;
const shortestShut_s = 90;

/**
 * When a device is on, one digit a phase: each is on twice, in half of the phases, arranged so that a curved trend
 * affects the sums of gas, vapour and warmth least (the least variance of all plans of eight phases); each two of them
 * agree in half of their phases.
 */
const shutCodes = ['11000110', '00111010', '10011100'] as const;
/**
 * Devices that affect the same, or may be wired for one another, follow different codes; the others follow the first.
 */
const shutCodeOf: Partial<Record<ActuatorRole, 1 | 2>> = {
  heater: 1,
  heat_pump: 1,
  cooler: 1,
  shade_curtain: 1,
  thermal_curtain: 1,
  fogger: 2,
  pad_pump: 2,
  lighting: 2,
  irrigation_valve: 2,
};

export const roundPlans: Readonly<Record<RoundKind, RoundPlan>> = {
  coded: {
    phases: codeLength,
    phase_s: phaseLength_s,
    isOn: (phase, { index }) => isOnInPhase(index, phase),
  },
  prompt: { phases: promptPhases, phase_s: promptPhase_s, isOn: (phase) => phase % 2 === 1 },
  // On for as long as the slowest may take, then off and on again for half of that.
  long: {
    phases: 4,
    phase_s: (_period_s, roles) =>
      Math.max(shortestLong_s, ...roles.map((role) => actuatorTests[role].answersWithin_s)) / 2,
    isOn: (phase) => phase < 2 || phase === 3,
  },
  shut: {
    phases: shutCodes[0].length,
    phase_s: (period_s) => Math.max(shortestShut_s, phaseLength_s(period_s)),
    isOn: (phase, { role }) => shutCodes[shutCodeOf[role] ?? 0][phase] === '1',
  },
  alone: {
    phases: 5,
    phase_s: (period_s) => Math.max(shortestAlone_s, phaseLength_s(period_s)),
    isOn: (phase) => phase % 2 === 1,
    drive_pct: 100,
  },
};
