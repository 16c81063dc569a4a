import type { ClimateCause } from '../../contract/climate-reason.ts';
import { actuatorsOf, along, cause, loopLive, type LoopResult, type Moment } from './moment.ts';
import type { ClimateState } from './state.ts';

/** The sun must be on the other side of its threshold for so long, s: passing clouds wear out no valve. */
const light_delay_s = 300;
/** A reading that stays the same to the last digit through so much dosing is that of a dead sensor, s. */
const stuck_s = 7200;

export function isCo2Stuck({ still }: { still?: ClimateState['co2']['still'] | undefined }): boolean {
  return (still?.dosed_s ?? 0) >= stuck_s;
}

/** For how long CO2 was dosed at the present reading. */
function stillAt(
  { readings: { co2_ppm }, dt_s }: Moment,
  still: ClimateState['co2']['still'],
  isDosed: boolean,
): ClimateState['co2']['still'] {
  if (co2_ppm === null) return undefined;
  return still?.ppm === co2_ppm
    ? { ppm: co2_ppm, dosed_s: still.dosed_s + (isDosed ? dt_s : 0) }
    : { ppm: co2_ppm, dosed_s: 0 };
}

/** Whether there is sun enough, once it has lasted, and the mean sun by which the target goes. */
function lightAt(
  { program: { co2: loop }, readings: { radiation_w_m2 }, dt_s }: Moment,
  before: ClimateState['co2']['light'],
): NonNullable<ClimateState['co2']['light']> {
  const isLight = (radiation_w_m2 ?? loop.light_least_w_m2) >= loop.light_least_w_m2;
  const share = Math.min(1, dt_s / light_delay_s);
  const known_w_m2 = before?.sun_w_m2 ?? radiation_w_m2;
  const sun_w_m2 =
    radiation_w_m2 === null || known_w_m2 === null
      ? radiation_w_m2
      : known_w_m2 + share * (radiation_w_m2 - known_w_m2);
  if (before === undefined || before.isLight === isLight) return { isLight, turning_s: 0, sun_w_m2 };
  const turning_s = before.turning_s + dt_s;
  return turning_s >= light_delay_s ? { isLight, turning_s: 0, sun_w_m2 } : { ...before, turning_s, sun_w_m2 };
}

/**
 * Doses CO2 by day up to a target that falls as the vents open, and stops above their limit and while a fan blows it
 * out.
 */
export function co2Loop(
  moment: Moment,
  before: ClimateState['co2'],
  opened: Pick<Seen, 'vents_pct' | 'areFansOn' | 'isUnknown' | 'areLampsLit'>,
): LoopResult<ClimateState['co2']> {
  const {
    program: { co2: loop },
    house,
    readings,
  } = moment;
  const { vents_pct, areLampsLit } = opened;
  const limit_pct = Math.max(loop.vent_most_pct, 0.01);
  const light = lightAt(moment, before.light);
  const wanted = wantedOf(moment, light.sun_w_m2, areLampsLit);
  const target =
    wanted === null ? null : along(vents_pct, [0, wanted], [limit_pct, Math.min(wanted, loop.outdoor_ppm)]);
  const numbers = { co2_ppm: readings.co2_ppm ?? 0, target_ppm: target ?? 0, vents_pct, limit_pct: loop.vent_most_pct };
  const supplies = loop.is_on ? actuatorsOf(house, 'co2_supply') : [];
  const isDosed = before.is_on && supplies.some(({ key }) => readings.stands_pct[key] !== 0);
  const still = loop.is_on ? stillAt(moment, before.still, isDosed) : undefined;
  const isStuck = isCo2Stuck({ still });
  const refused = refusalOf(moment, { ...opened, numbers, isLight: light.isLight, isStuck });
  const isBelow = (readings.co2_ppm ?? Infinity) < (target ?? 0) - (before.is_on ? 0 : loop.deadband_ppm);
  const is_on = refused === null && isBelow;
  const why = refused ?? cause(is_on ? 'co2_dose' : 'co2_reached', numbers);
  return {
    state: { is_on, light, ...(still && { still }) },
    demands: supplies.map(({ key }) => ({ key, pct: is_on ? 100 : 0, cause: why })),
    live: loopLive(
      'co2',
      { target, measured: readings.co2_ppm, demand_pct: is_on ? 100 : 0, cause: why },
      why.code === 'co2_maximum' ? ['co2_maximum'] : [],
    ),
  };
}

/**
 * The setpoint, less while there is little sun where the program says so: what the crop does not take is lost. Lamps
 * count as full light.
 */
function wantedOf(
  { program: { co2: loop }, setpoints }: Moment,
  radiation_w_m2: number | null,
  areLampsLit: boolean,
): number | null {
  const { co2_ppm } = setpoints;
  const { light_full_w_m2, light_least_w_m2, outdoor_ppm } = loop;
  if (co2_ppm === null || light_full_w_m2 === null || radiation_w_m2 === null || areLampsLit) return co2_ppm;
  return along(radiation_w_m2, [light_least_w_m2, Math.min(co2_ppm, outdoor_ppm)], [light_full_w_m2, co2_ppm]);
}

interface Seen {
  vents_pct: number;
  areFansOn: boolean;
  /** Nobody knows where a vent or fan stands. */
  isUnknown: boolean;
  areLampsLit: boolean;
  isLight: boolean;
  isStuck: boolean;
  numbers: Record<string, number>;
}

function refusalOf({ program: { co2: loop }, readings, setpoints, isDay }: Moment, seen: Seen): ClimateCause | null {
  const { vents_pct, areFansOn, areLampsLit, numbers } = seen;
  if (readings.co2_ppm === null) return cause('co2_no_sensor');
  if (readings.co2_ppm >= loop.maximum_ppm) return cause('co2_maximum', { ...numbers, maximum_ppm: loop.maximum_ppm });
  if (seen.isStuck) return cause('co2_stuck', numbers);
  if (setpoints.co2_ppm === null) return cause('co2_none');
  if (!(isDay && seen.isLight) && !areLampsLit)
    return cause('co2_dark', { ...numbers, radiation_w_m2: readings.radiation_w_m2 ?? 0 });
  if (seen.isUnknown) return cause('co2_unknown', numbers);
  if (areFansOn) return cause('co2_fans', numbers);
  return vents_pct > loop.vent_most_pct ? cause('co2_vents', numbers) : null;
}
