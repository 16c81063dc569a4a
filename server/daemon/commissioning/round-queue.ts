import { exchangeRoles } from '../../contract/facility-binding.ts';
import { faintness } from '../../domain/commissioning/actuator-test.ts';
import type { ActuatorTrial } from './actuator-trial.ts';
import type { RoundKind } from './round-plan.ts';

/** A waiting round. */
export interface QueuedRound {
  kind: RoundKind;
  trials: readonly ActuatorTrial[];
}

/** Maximum actuators in one round: as many as sensors read every 15 s can tell apart by their codes. */
const mostInRound = 9;

/** As few rounds as possible. */
export function together(trials: readonly ActuatorTrial[]): QueuedRound[] {
  return chunks(byTurns(trials)).map((some) => ({ kind: 'coded', trials: some }));
}

/**
 * First actuators that move different quantities, with everything shut, one of each role a round; then those that let
 * air in, each alone, the weakest first, as the strongest remove the difference to outdoors.
 */
export function oneByOne(trials: readonly ActuatorTrial[]): QueuedRound[] {
  const shut = trials.filter(({ binding }) => !exchangeRoles.has(binding.role));
  const airing = trials
    .filter(({ binding }) => exchangeRoles.has(binding.role))
    .toSorted((one, other) => faintness(one.binding.role) - faintness(other.binding.role));
  const turns = Map.groupBy(shut, (trial) => turnOf(trial, shut));
  return [
    ...[...turns.values()].flatMap(chunks).map((some) => ({ kind: 'shut' as const, trials: some })),
    ...airing.map((one) => ({ kind: 'alone' as const, trials: [one] })),
  ];
}

/** Spreads the actuators of one role, so that a round has as few of a role as possible. */
function byTurns(trials: readonly ActuatorTrial[]): ActuatorTrial[] {
  return trials.toSorted((one, other) => turnOf(one, trials) - turnOf(other, trials));
}

function turnOf(trial: ActuatorTrial, trials: readonly ActuatorTrial[]): number {
  return trials.filter(({ binding }) => binding.role === trial.binding.role).indexOf(trial);
}

function chunks(trials: readonly ActuatorTrial[]): ActuatorTrial[][] {
  return Array.from({ length: Math.ceil(trials.length / mostInRound) }, (_, index) =>
    trials.slice(index * mostInRound, (index + 1) * mostInRound),
  );
}
