import type { ActuatorBinding, ActuatorRole } from '../../contract/facility-binding.ts';

/** Roles that give heat; pipes behind a mixing valve count with the rating of the valve. */
export const heatRoles: readonly ActuatorRole[] = ['heater', 'mixing_valve'];

/** Total heat of all heaters, kW; null when one has no rating, or there are none. */
export function heatingOf_kw(actuators: readonly Pick<ActuatorBinding, 'role' | 'rating_kw'>[]): number | null {
  const ratings = actuators.filter(({ role }) => heatRoles.includes(role)).map(({ rating_kw }) => rating_kw);
  const sum = ratings.reduce<number | null>(
    (total, one) => (total === null || one === undefined ? null : total + one),
    0,
  );
  return sum === 0 ? null : sum;
}
