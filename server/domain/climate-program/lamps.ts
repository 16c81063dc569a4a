import type { ClimateCause } from '../../contract/climate-reason.ts';
import { actuatorsOf, cause, loopLive, type LoopResult, type Moment } from './moment.ts';
import type { ClimateState } from './state.ts';

type Lamps = ClimateState['lamps'];
type Today = ClimateState['today'];

/** Lamps burn in the periods that allow them, while there is little sun and the light of the day is not reached. */
export function lampLoop(moment: Moment, before: Lamps, today: Today): LoopResult<Lamps> {
  const {
    program: { lamps: loop },
    house,
    readings,
    now_ms,
  } = moment;
  const groups = loop.is_on ? actuatorsOf(house, 'lighting') : [];
  const [wants, why] = wantedOf(moment, before, today);
  const isKept = before.lit > 0 && now_ms - before.since_ms < loop.least_on_s * 1000 && why.code !== 'lamps_hours';
  const state = lit({ moment, before, groups: groups.length, wants: wants || isKept });
  return {
    state,
    demands: groups.map(({ key }, index) => ({ key, pct: index < state.lit ? 100 : 0, cause: why })),
    live: loopLive('lamps', {
      ...{ target: loop.sum_mol_m2, measured: today.light_mol_m2 },
      demand_pct: groups.length === 0 ? 0 : (100 * state.lit) / groups.length,
      cause: readings.radiation_w_m2 === null ? cause('no_sensor') : why,
    }),
  };
}

function wantedOf(
  { program: { lamps: loop }, readings, period }: Moment,
  { lit: burning }: Lamps,
  today: Today,
): [boolean, ClimateCause] {
  const sun = readings.radiation_w_m2;
  const numbers = { radiation_w_m2: sun ?? 0, light_mol_m2: today.light_mol_m2, sum_mol_m2: loop.sum_mol_m2 ?? 0 };
  if (period.setpoints.lamps_allowed === false) return [false, cause('lamps_refused')];
  if (today.lamps_s >= loop.most_h * 3600) return [false, cause('lamps_hours', { hours: today.lamps_s / 3600 })];
  if (loop.sum_mol_m2 !== null && today.light_mol_m2 >= loop.sum_mol_m2) return [false, cause('lamps_sum', numbers)];
  if (sun === null) return [false, cause('no_sensor')];
  const isDark = sun < (burning > 0 ? loop.above_w_m2 : loop.below_w_m2);
  return [isDark, cause(isDark ? 'lamps_dark' : 'lamps_bright', numbers)];
}

/** One group more after each delay; all go out together. */
function lit({
  moment,
  before,
  groups,
  wants,
}: {
  moment: Moment;
  before: Lamps;
  groups: number;
  wants: boolean;
}): Lamps {
  const {
    program: { lamps: loop },
    now_ms,
  } = moment;
  if (!wants) return before.lit === 0 ? before : { lit: 0, since_ms: now_ms };
  if (before.lit === 0) return groups === 0 ? before : { lit: 1, since_ms: now_ms };
  const due = 1 + Math.floor((now_ms - before.since_ms) / 1000 / Math.max(loop.group_delay_s, 1));
  return { ...before, lit: Math.min(groups, Math.max(before.lit, due)) };
}
