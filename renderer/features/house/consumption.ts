import { stringify } from 'csv-stringify/browser/esm/sync';
import type { AnswerOf } from '../../../server/contract/endpoint.ts';
import type { ActuatorBinding, ActuatorRole } from '../../../server/contract/facility-binding.ts';
import type { measurementAnalyticsEndpoints } from '../../../server/contract/measurement-analytics.ts';

type Endpoints = typeof measurementAnalyticsEndpoints;
type Energy = AnswerOf<Endpoints['energy']>;
type StateTime = AnswerOf<Endpoints['stateTime']>;

type EnergySum = Omit<Energy, 'days'> | Energy['days'][number];
type TimeSum = Omit<StateTime, 'days'> | StateTime['days'][number];

/** Consumption over a time; null when unknown. */
interface Taken {
  energy_kwh: number | null;
  water_m3: number | null;
  /** Covered time, s: the smaller one when energy and water have different sources. */
  covered_s: number;
}

/** The consumption of one actuator, in total and by site days. */
export interface Consumption extends Taken {
  role: ActuatorRole;
  name: string;
  /** How often its counter restarted: what passed before that is in no sum. */
  restarts: number;
  days: (Taken & { date: string })[];
}

/** What must be read to determine an actuator's consumption. */
export interface Telling {
  binding: ActuatorBinding;
  energy: boolean;
  /** Water without a meter follows from the rating and the time on. */
  states: boolean;
}

const waterRoles: readonly ActuatorRole[] = ['fogger', 'pad_pump', 'irrigation_pump', 'irrigation_valve'];

/** The actuators of a house whose consumption can be determined: those with a meter or a rating. */
export function telling(actuators: readonly ActuatorBinding[]): Telling[] {
  return actuators
    .map((binding) => ({
      binding,
      energy: binding.meter !== undefined || binding.rating_kw !== undefined,
      states: binding.rating_lph !== undefined,
    }))
    .filter(({ energy, states }) => energy || states);
}

/** The consumption of one actuator from the answers; an answer is null when it was not requested or not available. */
export function consumptionOf(
  { role, name, rating_lph = 0 }: ActuatorBinding,
  { energy, states }: { energy: Energy | null; states: StateTime | null },
): Consumption {
  // For any other role, a volume is fuel.
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

/** A zero over no covered time is unknown, not zero. */
function known(value: number | null, covered_s: number): number | null {
  return value === 0 && covered_s === 0 ? null : value;
}

/** The sum of the known values; null when there are none. */
export function sumOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}

/** By day and actuator, for a spreadsheet (RFC 4180); names that look like formulas are turned into text. */
export function consumptionCsv(consumptions: readonly Consumption[]): string {
  const rows = consumptions.flatMap(({ role, name, days }) =>
    days.map(({ date, energy_kwh, water_m3, covered_s }) => [date, role, name, energy_kwh, water_m3, covered_s]),
  );
  const head = ['date', 'role', 'name', 'energy_kwh', 'water_m3', 'covered_s'];
  // The byte order mark tells a spreadsheet that this is UTF-8.
  return `\uFEFF${stringify([head, ...rows], { escape_formulas: true, record_delimiter: 'windows' })}`;
}
