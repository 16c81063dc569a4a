import { fittingKinds, type PipePlan } from '../../contract/pipe.ts';
import type { PipeLayout } from '../../domain/pipes/plan.ts';

const defaultWaste_pct = 5;

/** What to buy: pipe with its waste in whole metres, and the fittings that are needed. */
export function billOf(
  { total_length_m, fittings }: Pick<PipeLayout, 'total_length_m' | 'fittings'>,
  waste_pct = defaultWaste_pct,
): PipePlan['bill_of_materials'] {
  const pipe = {
    item: 'pipe' as const,
    quantity: Math.ceil(total_length_m * (1 + waste_pct / 100)),
    unit: 'm' as const,
  };
  const pieces = fittingKinds
    .filter((item) => fittings[item] > 0)
    .map((item) => ({ item, quantity: fittings[item], unit: 'piece' as const }));
  return [pipe, ...pieces];
}
