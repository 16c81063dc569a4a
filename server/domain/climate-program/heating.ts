import type { ClimateCause } from '../../contract/climate-live.ts';
import {
  actuatorsOf,
  cause,
  clamp,
  loopLive,
  type ClimateActuator,
  type Demand,
  type LoopResult,
  type Moment,
} from './moment.ts';
import type { ClimateState, Stage } from './state.ts';

type Heating = ClimateState['heating'];

/** A lasting error moves the integral no further than that, % of what is installed. */
const most_integral_pct = 60;

/**
 * Heat by the heat loss of the house at the present difference (feed-forward) and a PI law on the air. `dry_pct` is what humidity asks
 * for at least. While vents are wanted for warmth there is no more than that: the two never work against each other.
 */
export function heatingLoop(moment: Moment, before: Heating, dry_pct: number): LoopResult<Heating> {
  const { program, house, readings, setpoints } = moment;
  const heaters = program.heating.is_on ? actuatorsOf(house, 'heater') : [];
  const { pct, integral_pct, why } = demandOf(moment, before.integral_pct, dry_pct);
  const stages = stagesOf(
    heaters.filter(({ kind }) => kind === 'switch'),
    { ...before, demand_pct: pct ?? 0, moment },
  );
  const demands = heaters.map(({ key, kind }): Demand => {
    const share = kind === 'dimmer' ? Math.round(pct ?? 0) : stages.stages[key]?.is_on === true ? 100 : 0;
    return { key, pct: pct === null ? null : share, cause: why };
  });
  return {
    state: { integral_pct, ...stages },
    demands,
    live: loopLive('heating', { target: setpoints.heating_c, measured: readings.temp_c, demand_pct: pct, cause: why }),
  };
}

function demandOf(
  moment: Moment,
  integral: number,
  dry_pct: number,
): { pct: number | null; integral_pct: number; why: ClimateCause } {
  const {
    program: { heating: loop },
    readings,
    setpoints,
    dt_s,
  } = moment;
  const { temp_c } = readings;
  const target_c = setpoints.heating_c;
  if (temp_c === null || target_c === null) return { pct: null, integral_pct: 0, why: cause('no_thermometer') };
  const error_k = target_c - temp_c;
  const ahead_pct = aheadOf(moment, target_c);
  const before_pct = ahead_pct + loop.gain_pct_per_k * error_k + integral;
  const step_pct = (loop.gain_pct_per_k * error_k * dt_s) / (loop.integral_min * 60);
  const isWound = (before_pct >= 100 && step_pct > 0) || (before_pct <= 0 && step_pct < 0);
  const integral_pct = isWound ? integral : clamp(integral + step_pct, -most_integral_pct, most_integral_pct);
  const asked = clamp(ahead_pct + loop.gain_pct_per_k * error_k + integral_pct, 0, 100);
  const numbers = { error_k, target_c, ahead_pct, integral_pct, demand_pct: asked };
  const isVented = temp_c >= (setpoints.ventilation_c ?? Infinity);
  const heat_pct = isVented ? 0 : asked;
  if (dry_pct > heat_pct)
    return { pct: dry_pct, integral_pct, why: cause('dry_by_heat', { ...numbers, demand_pct: dry_pct }) };
  if (isVented) return { pct: 0, integral_pct, why: cause('vents_warm', numbers) };
  return { pct: heat_pct, integral_pct, why: cause(heat_pct > 0 ? 'heat_loss' : 'warm_enough', numbers) };
}

/** Heat that holds the setpoint against the loss of the house, % of what is installed; 0 where either is not known. */
function aheadOf({ program, house, readings }: Moment, target_c: number): number {
  const { loss_w_k, heating_kw } = house;
  if (!program.heating.has_feed_forward || loss_w_k === null || heating_kw === null || readings.outdoor_c === null)
    return 0;
  return clamp((loss_w_k * (target_c - readings.outdoor_c)) / (10 * heating_kw), 0, 100);
}

/**
 * Which of the heaters that are switched are on: as many as the demand asks for on the mean. What was asked for and not given is owed
 * (first-order sigma-delta), so that the mean is right and no heater moves sooner than `stage_min_s`. The one with the fewest hours goes
 * on first, the one with the most goes off first.
 */
function stagesOf(
  heaters: readonly ClimateActuator[],
  { demand_pct, moment, stages: known, owed_stages }: Heating & { demand_pct: number; moment: Moment },
): Pick<Heating, 'stages' | 'owed_stages'> {
  const {
    now_ms,
    dt_s,
    program: {
      heating: { stage_min_s },
    },
  } = moment;
  const fresh: Stage = { is_on: false, since_ms: 0, hours: 0 };
  const stages = heaters.map(({ key }) => {
    const stage = known[key] ?? fresh;
    return { key, ...stage, hours: stage.hours + (stage.is_on ? dt_s / 3600 : 0) };
  });
  const count = stages.filter(({ is_on }) => is_on).length;
  const asked = (demand_pct / 100) * heaters.length;
  const owed = clamp(owed_stages + (asked - count) * dt_s, -stage_min_s, stage_min_s);
  const isRested = ({ since_ms }: Stage): boolean => now_ms - since_ms >= stage_min_s * 1000;
  const wants = demand_pct === 0 ? 'off' : owed >= stage_min_s / 2 ? 'on' : owed <= -stage_min_s / 2 ? 'off' : 'stay';
  const next =
    wants === 'on'
      ? stages.filter((one) => !one.is_on && isRested(one)).sort((a, b) => a.hours - b.hours)[0]
      : wants === 'off'
        ? stages.filter((one) => one.is_on && isRested(one)).sort((a, b) => b.hours - a.hours)[0]
        : undefined;
  const entries = stages.map(({ key, ...stage }) => [
    key,
    key === next?.key ? { ...stage, is_on: !stage.is_on, since_ms: now_ms } : stage,
  ]);
  return {
    owed_stages: demand_pct === 0 ? Math.min(owed, 0) : owed,
    stages: Object.fromEntries(entries) as Record<string, Stage>,
  };
}
