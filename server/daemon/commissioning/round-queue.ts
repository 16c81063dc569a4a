import { exchangeRoles } from '../../contract/facility-binding.ts';
import { faintness } from '../../domain/commissioning/actuator-test.ts';
import type { ActuatorTrial } from './actuator-trial.ts';
import type { RoundKind } from './round-plan.ts';

/** A round to come. */
export interface QueuedRound {
  kind: RoundKind;
  trials: readonly ActuatorTrial[];
}

/** Actuators that are switched in one round: what sensors every 15 s can tell apart in a code. */
const mostInRound = 9;

/** As few rounds as there can be. */
export function together(trials: readonly ActuatorTrial[]): QueuedRound[] {
  return chunks(byTurns(trials)).map((some) => ({ kind: 'coded', trials: some }));
}

/**
 * What moves different things with everything shut, one of a role a round; then what lets air in, each alone, the faintest first: the
 * strongest take away what makes a difference.
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

/** Those of one role one after the other, so that a round has as few of a role as there can be. */
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
