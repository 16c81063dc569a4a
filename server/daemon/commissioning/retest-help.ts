import type { CheckItem, CommissioningCheck } from '../../contract/commissioning.ts';
import type { ActuatorBinding, Facility } from '../../contract/facility.ts';
import { exchangeRoles } from '../../contract/facility-binding.ts';
import type { ActuatorTrial } from './actuator-trial.ts';

/** An item of a check with its binding. */
export interface BoundItem {
  item: CheckItem;
  binding: ActuatorBinding;
}

/** What makes the house differ from outdoors. */
const conditioners: ReadonlySet<string> = new Set(['heater', 'fogger', 'co2_supply']);
/** A device that failed is not driven to help. */
const usable: ReadonlySet<string> = new Set(['ok', 'warn', 'inconclusive', 'pending', 'skipped']);
/** Sensors whose level an exchange with the air outdoors proves, and how many exchanges are driven for it. */
const drawnByAir: ReadonlySet<string> = new Set([
  'indoor_temp',
  'indoor_humidity',
  'indoor_co2',
  'outdoor_temp',
  'outdoor_humidity',
]);
const mostWitnesses = 2;
/** What an open vent carries away at once. */
const blownAway: ReadonlySet<string> = new Set(['fogger', 'pad_pump', 'co2_supply']);

/** The actuators of a house that belong to these items. */
export function boundItems(
  { items }: CommissioningCheck,
  { actuators }: Facility,
  isMeant: (item: CheckItem) => boolean,
): BoundItem[] {
  return items.filter(isMeant).flatMap((item) => {
    const binding = actuators.find((one) => one.device_id === item.device_id && isChannelOf(one, item));
    return binding === undefined ? [] : [{ item, binding }];
  });
}

function isChannelOf(binding: ActuatorBinding, item: CheckItem): boolean {
  return binding.role === item.role && (binding.channel === undefined || binding.channel === item.channel);
}

export function isConditioner({ kind, role, result }: CheckItem): boolean {
  return kind === 'actuator' && conditioners.has(role) && usable.has(result);
}

/** Working vents and fans to drive again when the level of a sensor is not proven. */
export function witnessesFor(
  pending: readonly CheckItem[],
  check: CommissioningCheck,
  facility: Facility,
): BoundItem[] {
  if (!pending.some(({ role }) => drawnByAir.has(role))) return [];
  return boundItems(check, facility, (item) => isAiring(item) && item.result === 'ok').slice(0, mostWitnesses);
}

/** Measurements of sensors that were faulty before: they prove nothing against an actuator. */
export function faultyBefore({ items }: CommissioningCheck): string[] {
  return items.flatMap(({ measurement_id, result }) =>
    measurement_id !== null && (result === 'fail' || result === 'warn') ? [measurement_id] : [],
  );
}

/** Names of vents and fans that are not proven to shut; empty when all are. */
export function mayStandOpen({ items }: CommissioningCheck): string {
  return items
    .filter((item) => isAiring(item) && item.result !== 'ok')
    .map(({ name }) => name)
    .join(', ');
}

/** An open vent carries fog and gas away: while one may be open, these do not fail for having no effect. */
export function spareBlownAway(trials: readonly ActuatorTrial[], open: string): void {
  if (open === '') return;
  for (const trial of trials) {
    const { result, role, findings } = trial.item;
    if (result === 'fail' && blownAway.has(role) && findings?.[0]?.code === 'no_answer') trial.doubt(open);
  }
}

function isAiring({ kind, role }: CheckItem): boolean {
  return kind === 'actuator' && exchangeRoles.has(role);
}
