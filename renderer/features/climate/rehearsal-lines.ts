import type { Rehearsal, RehearsedProgram } from '../../../server/contract/climate-rehearsal.ts';
import type { Translate } from '../../i18n/index.ts';
import type { Format } from '../../ui/format.ts';

/** A figure of a rehearsal with its value for each program. */
interface Line {
  what: string;
  values: string[];
}

/** What a rehearsal found, as lines of a table; a cost without a price and a figure that is 0 of all are left out. */
export function rehearsalLines({ programs }: Rehearsal, { t, format }: { t: Translate; format: Format }): Line[] {
  const figures = [
    ['cold_kh', 'K h', 0],
    ['warm_kh', 'K h', 0],
    ['humid_h', 'h', 0],
    ['heat_kwh_m2', 'kWh/m2', 1],
    ['lamps_kwh_m2', 'kWh/m2', 1],
    ['co2_kg_m2', 'kg/m2', 2],
    ['co2_lost_kg_m2', 'kg/m2', 2],
    ['water_l_m2', 'l/m2', 1],
    ['cost_heat', 'currency', 2],
    ['cost_co2', 'currency', 2],
    ['cost_water', 'currency', 2],
  ] as const;
  const always: ReadonlySet<string> = new Set(['cold_kh', 'warm_kh', 'heat_kwh_m2']);
  const known = figures.filter(([name]) => always.has(name) || programs.some((one) => (one[name] ?? 0) > 0));
  const lines = known.map(([name, unit, digits]) => ({
    what: t(`climate.rehearsal.figure.${name}`),
    values: programs.map((one) => format.quantity(one[name], unit, digits)),
  }));
  return [...lines, ...movesOf(programs, { t, format })];
}

function movesOf(programs: readonly RehearsedProgram[], { t, format }: { t: Translate; format: Format }): Line[] {
  const roles = programs[0]?.moves.map(({ role }) => role) ?? [];
  return roles.map((role) => ({
    what: t('climate.rehearsal.moves', { role: t(`role.${role}`) }),
    values: programs.map(({ moves }) => format.number(moves.find((one) => one.role === role)?.moves ?? 0, 0)),
  }));
}
