import type { ClimateAim } from '../../contract/climate-aims.ts';
import type { ClimateLive, ClimateLoopLive } from '../../contract/climate-live.ts';
import { vapourDeficit_kpa } from '../climate/air.ts';

/** CO2 is given up to its target; meanwhile nothing else keeps the program from it. */
const dosing: ReadonlySet<string> = new Set(['co2_dose', 'co2_reached']);

/**
 * What a program aims at now, null where at nothing: of humidity and CO2 the targets of its loops, which deficits and
 * vents shift. The deficit is that of the highest humidity at the present temperature.
 */
export function aimsOf({
  setpoints,
  loops,
}: Pick<ClimateLive, 'setpoints' | 'loops'>): Record<ClimateAim, number | null> {
  const loopOf = (name: ClimateLoopLive['loop']) => loops.find(({ loop }) => loop === name);
  const humidity_pct = loopOf('humidity')?.target ?? null;
  const co2 = loopOf('co2');
  const temp_c = loopOf('heating')?.measured ?? loopOf('ventilation')?.measured ?? null;
  return {
    heating_c: setpoints?.heating_c.value ?? null,
    ventilation_c: setpoints?.ventilation_c.value ?? null,
    humidity_pct,
    deficit_kpa: humidity_pct === null || temp_c === null ? null : vapourDeficit_kpa(temp_c, humidity_pct),
    co2_ppm: dosing.has(co2?.cause.code ?? '') ? (co2?.target ?? null) : null,
  };
}
