import type { ClimateLive, ClimateLoopLive, ClimateSums } from '../../../server/contract/climate-live.ts';
import type { ClimateLoop } from '../../../server/contract/climate-settings.ts';
import type { Translate } from '../../i18n/index.ts';
import type { Format } from '../../ui/format.ts';

interface Saying {
  t: Translate;
  format: Format;
}

/** Units of a loop's target and demand; null when the number adds nothing to the sentence. */
const loopUnits: Readonly<Record<ClimateLoop, { level: string | null; demand: string | null }>> = {
  mean_temperature: { level: 'C', demand: 'K' },
  screens: { level: null, demand: '%' },
  humidity: { level: '%', demand: '%' },
  ventilation: { level: 'C', demand: '%' },
  heating: { level: 'C', demand: '%' },
  lamps: { level: 'mol/m2', demand: '%' },
  co2: { level: 'ppm', demand: null },
  irrigation: { level: 'J/cm2', demand: null },
  circulation: { level: 'K', demand: null },
};

/** "20.1 °C of 19.5 °C · 35 %": what a loop measures, goes for and asks for. */
export function loopNumbers({ loop, measured, target, demand_pct }: ClimateLoopLive, { t, format }: Saying): string {
  const { level, demand } = loopUnits[loop];
  const shown = (value: number | null, unit: string | null): string | null =>
    value === null || unit === null ? null : format.quantity(value, unit);
  const [is, goal] = [shown(measured, level), shown(target, level)];
  const levels = is !== null && goal !== null ? t('climate.towards', { measured: is, target: goal }) : (is ?? goal);
  return [levels, shown(demand_pct, demand)].filter((text) => text !== null).join(' · ');
}

const sumUnits = {
  radiation_j_cm2: 'J/cm2',
  light_mol_m2: 'mol/m2',
  mean_temp_c: 'C',
  degree_hours: 'K h',
  lamps_h: 'h',
  co2_h: 'h',
  co2_kg: 'kg',
  water_l_m2: 'l/m2',
  drain_pct: '%',
} as const satisfies Partial<Record<keyof ClimateSums, string>>;

/** What is summed for a loop alone. */
const loopOf: Partial<Record<keyof ClimateSums, ClimateLoopLive['loop']>> = {
  degree_hours: 'mean_temperature',
  lamps_h: 'lamps',
  co2_h: 'co2',
  co2_kg: 'co2',
  water_l_m2: 'irrigation',
  drain_pct: 'irrigation',
};

/** Sums of the day, of what the program does also while they are nothing: one that began later would move the page. */
export function sumLines(
  { sums, loops }: ClimateLive,
  { t, format }: Saying,
): { name: string; what: string; value: string }[] {
  if (sums === null) return [];
  const atWork = new Set(loops.map(({ loop }) => loop));
  const names = Object.keys(sumUnits) as (keyof typeof sumUnits)[]; // of a const object
  return names.flatMap((name) => {
    const value = sums[name];
    const loop = loopOf[name];
    if (loop === undefined ? value === null && name !== 'mean_temp_c' : value === null || !atWork.has(loop)) return [];
    const digits = name.endsWith('_h') ? 1 : undefined;
    return [{ name, what: t(`climate.sum.${name}`), value: format.quantity(value, sumUnits[name], digits) }];
  });
}
