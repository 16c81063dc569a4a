import type { ClimateCause } from '../../../server/contract/climate-live.ts';
import { useText } from '../../i18n/index.ts';
import { useFormat } from '../../ui/format.ts';

/** Wire unit by how the name of a number ends; the longest ending first. */
const units: readonly (readonly [ending: string, unit: string])[] = [
  ['_mol_m2', 'mol/m2'],
  ['_w_m2', 'W/m2'],
  ['_m_s', 'm/s'],
  ['degree_hours', 'K h'],
  ['_kpa', 'kPa'],
  ['_ppm', 'ppm'],
  ['_pct', '%'],
  ['_c', 'C'],
  ['_k', 'K'],
];

export function unitOf(name: string): string {
  return units.find(([ending]) => name.endsWith(ending))?.[1] ?? '';
}

/** Why a loop does what it does, in the shown language, with its numbers in the site's units. */
export function useCauseText(): (cause: ClimateCause) => string {
  const { t } = useText();
  const format = useFormat();
  return ({ code, values }) => {
    const shown = Object.entries(values).map(([name, value]) => [name, format.quantity(value, unitOf(name))]);
    return t(`climate.reason.${code}`, Object.fromEntries(shown) as Record<string, string>);
  };
}
