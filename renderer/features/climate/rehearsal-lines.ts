import type { Rehearsal, RehearsedProgram, StoredDays } from '../../../server/contract/climate-rehearsal.ts';
import type { Translate } from '../../i18n/index.ts';
import type { Format } from '../../ui/format.ts';

interface Words {
  t: Translate;
  format: Format;
}

/** Up to this many omitted days are listed one by one. */
const mostDates = 6;

/** By what weather and how good a model a rehearsal was, in sentences. */
export function basisLines(
  { weather, stored, calibration, assumed, unseen }: Rehearsal,
  { t, format }: Words,
): string[] {
  return [
    weather === null ? t('climate.rehearsal.basisStored') : t('climate.rehearsal.basis', { weather }),
    ...(stored === null ? [] : storedLines(stored, { t, format })),
    ...fitLines(calibration, { t, format }),
    ...(assumed.length === 0
      ? []
      : [
          t('climate.rehearsal.assumed', {
            what: assumed.map((one) => t(`climate.rehearsal.assumes.${one}`)).join(t('ui.comma')),
          }),
        ]),
    ...(unseen.length === 0
      ? []
      : [
          t('climate.rehearsal.unseen', {
            what: unseen.map((one) => t(`climate.rehearsal.unsees.${one}`)).join(t('ui.comma')),
          }),
        ]),
  ];
}

/** What was not measured on stored days. */
function storedLines({ left_out, bridged_h, typical }: StoredDays, { t, format }: Words): string[] {
  const dates = left_out.map((day) => format.date(format.moment(`${day}T12:00`) ?? day));
  const days = dates.length > mostDates ? t('climate.rehearsal.span', { n: dates.length }) : dates.join(t('ui.comma'));
  return [
    ...(left_out.length === 0 ? [] : [t('climate.rehearsal.leftOut', { days })]),
    ...(bridged_h === 0 ? [] : [t('climate.rehearsal.bridged', { hours: format.quantity(bridged_h, 'h', 1) })]),
    ...typical.map(({ what, hours }) =>
      t('climate.rehearsal.typical', {
        what: t(`climate.rehearsal.outside.${what}`),
        hours: format.quantity(hours, 'h', 0),
      }),
    ),
  ];
}

/** How far the model is to be believed. */
function fitLines(calibration: Rehearsal['calibration'], { t, format }: Words): string[] {
  if (calibration === null) return [t('climate.rehearsal.notFitted')];
  const { days: n, error_k, drawn_error_k, error_humidity_pct } = calibration;
  const [error, drawn] = [format.quantity(error_k, 'K', 1), format.quantity(drawn_error_k, 'K', 1)];
  return [
    t('climate.rehearsal.fitted', { n, error, drawn }),
    ...(error_humidity_pct === null
      ? []
      : [t('climate.rehearsal.fittedHumidity', { error: format.quantity(error_humidity_pct, '%', 0) })]),
  ];
}

/**
 * Half of what the preset for tomatoes leaves between heating and ventilation, K: beyond it the model may heat where
 * the house ventilates.
 */
const poorFit_k = 2.5;

/** What a person must know before the figures; null where the model is good, or unknown to be bad. */
export function fitWarning({ calibration }: Pick<Rehearsal, 'calibration'>, { t, format }: Words): string | null {
  if (calibration === null || calibration.error_k <= poorFit_k) return null;
  return t('climate.rehearsal.poorFit', { error: format.quantity(calibration.error_k, 'K', 1) });
}

/** A figure of a rehearsal with its value for each program. */
interface Line {
  what: string;
  values: string[];
}

const costs = ['cost_heat', 'cost_lamps', 'cost_co2', 'cost_water'] as const;

/** All that has a price, per m2; null where nothing has. */
export function costOf(program: RehearsedProgram): number | null {
  const known = costs.map((name) => program[name]).filter((cost) => cost !== null);
  return known.length === 0 ? null : known.reduce((sum, cost) => sum + cost, 0);
}

/** The result of a rehearsal as table rows; omits a cost without a price, and values that are 0 for all. */
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
    ...costs.map((name) => [name, 'currency', 2] as const),
  ] as const;
  const always: ReadonlySet<string> = new Set(['cold_kh', 'warm_kh', 'heat_kwh_m2']);
  const known = figures.filter(([name]) => always.has(name) || programs.some((one) => (one[name] ?? 0) > 0));
  const lines = known.map(([name, unit, digits]) => ({
    what: t(`climate.rehearsal.figure.${name}`),
    values: programs.map((one) => format.quantity(one[name], unit, digits)),
  }));
  const paid = known.filter(([, unit]) => unit === 'currency');
  const total = {
    what: t('climate.rehearsal.figure.cost_total'),
    values: programs.map((one) => format.quantity(costOf(one), 'currency', 2)),
  };
  return [...lines, ...(paid.length > 1 ? [total] : []), ...movesOf(programs, { t, format })];
}

function movesOf(programs: readonly RehearsedProgram[], { t, format }: { t: Translate; format: Format }): Line[] {
  const roles = programs[0]?.moves.map(({ role }) => role) ?? [];
  return roles.map((role) => ({
    what: t('climate.rehearsal.moves', { role: t(`role.${role}`) }),
    values: programs.map(({ moves }) => format.number(moves.find((one) => one.role === role)?.moves ?? 0, 0)),
  }));
}
