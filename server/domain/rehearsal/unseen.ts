import type { Rehearsal } from '../../contract/climate-rehearsal.ts';
import type { ClimateProgram } from '../../contract/climate-settings.ts';
import { actuatorsOf, type ClimateHouse } from '../climate-program/moment.ts';

type Unseen = Rehearsal['unseen'][number];

/** What programs go by in the house and the model does not have; rain is not kept with the weather of stored days. */
export function unseenBy(
  programs: readonly ClimateProgram[],
  { house, isStored }: { house: ClimateHouse; isStored: boolean },
): Unseen[] {
  const asks = (is: (program: ClimateProgram) => boolean): boolean => programs.some(is);
  const waters = actuatorsOf(house, 'irrigation_valve').length > 0;
  const hasVents = actuatorsOf(house, 'roof_vent', 'side_vent').length > 0;
  const found: [Unseen, boolean][] = [
    ['moisture', waters && asks(({ irrigation: one }) => one.is_on && one.moisture_below_pct !== null)],
    ['drain', waters && asks(({ irrigation: one }) => one.is_on && one.drain_target_pct !== null)],
    ['sky', house.sensors.has('outdoor_longwave')],
    ['measurement', asks(({ influences }) => influences.some(({ source }) => source === 'measurement'))],
    ['rain', isStored && hasVents && house.sensors.has('rain') && asks(({ ventilation }) => ventilation.is_on)],
  ];
  return found.filter(([, is]) => is).map(([what]) => what);
}
