import { dayPlan } from '../../server/domain/climate-program/day-plan.ts';
import type { ClimateReadings } from '../../server/domain/climate-program/moment.ts';
import { climateStep, type ClimateStep } from '../../server/domain/climate-program/program.ts';
import type { ClimateProgram } from '../../server/contract/climate-settings.ts';
import { freshState, type ClimateState } from '../../server/domain/climate-program/state.ts';
import { modelHouse, programOf } from './climate-run.ts';
import { chicago } from './climate-sites.ts';

/** In Chicago, 20 March. */
export const noon = Date.UTC(2026, 2, 20, 18);

export const calm: ClimateReadings = {
  temp_c: 20,
  substituted: [],
  temps_c: [20],
  humidity_pct: 70,
  co2_ppm: 600,
  outdoor_c: 10,
  outdoor_humidity_pct: 60,
  wind_m_s: 2,
  wind_dir_deg: 270,
  radiation_w_m2: 300,
  rain: 0,
  measured: [],
  stands_pct: {},
  moisture_pct: null,
  pipe_c: null,
  sky_w_m2: null,
  drain_l_h: null,
  flows_l_h: {},
};

/** A program that looks repeatedly at readings that the test sets. */
export function looking(changes: Partial<ClimateProgram> = {}, house = modelHouse) {
  let program = programOf(changes);
  const plan = dayPlan(program, chicago);
  let state: ClimateState = freshState;
  let nowMs = noon;
  const look = (readings: Partial<ClimateReadings>, after_s = 60): ClimateStep => {
    nowMs += after_s * 1000;
    const step = climateStep(state, { program, plan, house, readings: { ...calm, ...readings }, now_ms: nowMs });
    // As after a restart: saved state is JSON.
    state = JSON.parse(JSON.stringify(step.state)) as ClimateState;
    return step;
  };
  const settle = (readings: Partial<ClimateReadings>, looks = 60): ClimateStep => {
    let step = look(readings);
    for (let n = 1; n < looks; n += 1) step = look(readings);
    return step;
  };
  /** Changes the program, but not its periods. */
  const change = (of: (program: ClimateProgram) => Omit<Partial<ClimateProgram>, 'periods'>): void => {
    program = { ...program, ...of(program) };
  };
  return { look, settle, change, state: () => state };
}

export const pctOf = ({ demands }: ClimateStep, key: string) => demands.find((one) => one.key === key)?.pct;
export const whyOf = ({ demands }: ClimateStep, key: string) => demands.find((one) => one.key === key)?.cause.code;
