import type { ClimateCause } from '../../contract/climate-reason.ts';
import { sunPhotons_umol_j } from '../analytics/light-sum.ts';
import { actuatorsOf, cause, clamp, loopLive, type LoopResult, type Moment } from './moment.ts';
import type { ClimateState } from './state.ts';

type Lamps = ClimateState['lamps'];
type Today = ClimateState['today'];

/** Light of the day so far, and what the sun will still bring to the crop today. */
interface Light {
  today: Today;
  sunAhead_mol_m2: number;
}

/** Lamps that are out stay out while the forecast comes so near to the sum of the day. */
const forecast_band = 0.95;
/** A smaller share of the sun's day says nothing of the rest. */
const told_share = 0.25;

/**
 * Light that the rest of the day will bring to the crop, mol/m2, if it goes on as clear or dull as it began: the sun of
 * a day runs as a half sine from rise to set (Monteith & Unsworth, Principles of Environmental Physics, eq. 5.10). 0
 * while too little is known.
 */
export function sunAheadOf(
  { program: { lamps: loop }, now_ms }: Moment,
  today: Today,
  { sunrise_ms, sunset_ms }: { sunrise_ms: number | null; sunset_ms: number | null },
): number {
  if (sunrise_ms === null || sunset_ms === null || sunset_ms <= sunrise_ms) return 0;
  const passed = clamp((now_ms - sunrise_ms) / (sunset_ms - sunrise_ms), 0, 1);
  const share = (1 - Math.cos(Math.PI * passed)) / 2;
  if (share < told_share) return 0;
  const ahead_j_m2 = (today.radiation_j_m2 * (1 - share)) / share;
  return (ahead_j_m2 * sunPhotons_umol_j * loop.transmittance) / 1e6;
}

/** Lamps burn in periods that allow them, while there is little sun and the day's light target is not reached. */
export function lampLoop(moment: Moment, before: Lamps, light: Light): LoopResult<Lamps> {
  const {
    program: { lamps: loop },
    house,
    readings,
    now_ms,
  } = moment;
  const groups = loop.is_on ? actuatorsOf(house, 'lighting') : [];
  const { today } = light;
  const [wants, why] = wantedOf(moment, before, light);
  const isKept = before.lit > 0 && now_ms - before.since_ms < loop.least_on_s * 1000 && why.code !== 'lamps_hours';
  const state = lit({ moment, before, groups: groups.length, wants: wants || isKept });
  return {
    state,
    demands: groups.map(({ key }, index) => ({ key, pct: index < state.lit ? 100 : 0, cause: why })),
    live: loopLive('lamps', {
      target: loop.sum_mol_m2,
      measured: today.light_mol_m2,
      demand_pct: groups.length === 0 ? 0 : (100 * state.lit) / groups.length,
      cause: readings.radiation_w_m2 === null ? cause('no_sensor') : why,
    }),
  };
}

function wantedOf(
  { program: { lamps: loop }, readings, period }: Moment,
  { lit: burning }: Lamps,
  { today, sunAhead_mol_m2 }: Light,
): [boolean, ClimateCause] {
  const sun = readings.radiation_w_m2;
  const numbers = { radiation_w_m2: sun ?? 0, light_mol_m2: today.light_mol_m2, sum_mol_m2: loop.sum_mol_m2 ?? 0 };
  if (period.setpoints.lamps_allowed === false) return [false, cause('lamps_refused')];
  if (today.lamps_s >= loop.most_h * 3600) return [false, cause('lamps_hours', { hours: today.lamps_s / 3600 })];
  if (loop.sum_mol_m2 !== null && today.light_mol_m2 >= loop.sum_mol_m2) return [false, cause('lamps_sum', numbers)];
  if (sun === null) return [false, cause('no_sensor')];
  const willBe_mol_m2 = today.light_mol_m2 + sunAhead_mol_m2;
  // What begins burning needs a lack beyond the forecast's own doubt, what burns goes on until there is none.
  const enough_mol_m2 = (loop.sum_mol_m2 ?? Infinity) * (burning > 0 ? 1 : forecast_band);
  if (willBe_mol_m2 >= enough_mol_m2)
    return [false, cause('lamps_forecast', { ...numbers, ahead_mol_m2: sunAhead_mol_m2 })];
  const isDark = sun < (burning > 0 ? loop.above_w_m2 : loop.below_w_m2);
  return [isDark, cause(isDark ? 'lamps_dark' : 'lamps_bright', numbers)];
}

/** Adds one group after each delay; all switch off together. */
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
