import { stringify } from 'csv-stringify/browser/esm/sync';
import type { AnswerOf } from '../../../server/contract/endpoint.ts';
import type { ActuatorBinding, ActuatorRole } from '../../../server/contract/facility-binding.ts';
import type { measurementAnalyticsEndpoints } from '../../../server/contract/measurement-analytics.ts';

type Endpoints = typeof measurementAnalyticsEndpoints;
type Energy = AnswerOf<Endpoints['energy']>;
type StateTime = AnswerOf<Endpoints['stateTime']>;

type EnergySum = Omit<Energy, 'days'> | Energy['days'][number];
type TimeSum = Omit<StateTime, 'days'> | StateTime['days'][number];

/** What was taken in a time; null where nothing tells it. */
interface Taken {
  energy_kwh: number | null;
  water_m3: number | null;
  /** Time that is known, s: the lesser where energy and water are told by different things. */
  covered_s: number;
}

/** What one actuator took, in all and by the days of the site. */
export interface Consumption extends Taken {
  role: ActuatorRole;
  name: string;
  /** How often its counter began again: what passed before is in no sum. */
  restarts: number;
  days: (Taken & { date: string })[];
}

/** What has to be read to tell what an actuator took. */
export interface Telling {
  binding: ActuatorBinding;
  energy: boolean;
  /** Water that no meter counts is told by its rating and the time on. */
  states: boolean;
}

const waterRoles: readonly ActuatorRole[] = ['fogger', 'pad_pump', 'irrigation_pump', 'irrigation_valve'];

/** The actuators of a house that tell what they take: those with a meter or a rating. */
export function telling(actuators: readonly ActuatorBinding[]): Telling[] {
  return actuators
    .map((binding) => ({
      binding,
      energy: binding.meter !== undefined || binding.rating_kw !== undefined,
      states: binding.rating_lph !== undefined,
    }))
    .filter(({ energy, states }) => energy || states);
}

/** What the answers come to for one actuator; an answer that was not asked for, or that nobody could give, is null. */
export function consumptionOf(
  { role, name, rating_lph = 0 }: ActuatorBinding,
  { energy, states }: { energy: Energy | null; states: StateTime | null },
): Consumption {
  // A volume that anything else takes is a fuel.
  const countsWater = energy?.meter?.unit === 'm3' && waterRoles.includes(role);
  const tellsEnergy = energy?.meter?.kwh_per_unit !== 0;
  const taken = (of: EnergySum | undefined, on: TimeSum | undefined): Taken => {
    const stated_s = on === undefined ? 0 : on.on_s + on.off_s;
    const byStates = on !== undefined && !countsWater;
    const rated_m3 = byStates ? (on.full_load_s / 3_600) * (rating_lph / 1_000) : null;
    const metered_m3 = countsWater && of !== undefined ? of.metered : null;
    const known_s = [...(of === undefined ? [] : [of.covered_s]), ...(byStates ? [stated_s] : [])];
    return {
      energy_kwh: tellsEnergy && of !== undefined ? known(of.energy_kwh, of.covered_s) : null,
      water_m3: countsWater ? known(metered_m3, of?.covered_s ?? 0) : known(rated_m3, stated_s),
      covered_s: known_s.length === 0 ? 0 : Math.min(...known_s),
    };
  };
  const dates = ((energy ?? states)?.days ?? []).map(({ date }) => date);
  return {
    role,
    name,
    restarts: energy?.meter?.restarts ?? 0,
    ...taken(energy ?? undefined, states ?? undefined),
    days: dates.map((date, index) => ({ date, ...taken(energy?.days[index], states?.days[index]) })),
  };
}

/** Nothing that was taken in no known time is not known to be nothing. */
function known(value: number | null, covered_s: number): number | null {
  return value === 0 && covered_s === 0 ? null : value;
}

/** The sum of what is known; null where nothing is. */
export function sumOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}

/** By day and actuator, for a spreadsheet (RFC 4180); names that look like formulas are made text. */
export function consumptionCsv(consumptions: readonly Consumption[]): string {
  const rows = consumptions.flatMap(({ role, name, days }) =>
    days.map(({ date, energy_kwh, water_m3, covered_s }) => [date, role, name, energy_kwh, water_m3, covered_s]),
  );
  const head = ['date', 'role', 'name', 'energy_kwh', 'water_m3', 'covered_s'];
  // By the mark a spreadsheet knows UTF-8.
  return `\uFEFF${stringify([head, ...rows], { escape_formulas: true, record_delimiter: 'windows' })}`;
}
