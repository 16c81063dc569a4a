import type { Facility } from '../../../../server/contract/facility.ts';
import type { ModelHouse } from '../../../scene/house-parts.ts';
import type { Spot } from '../../../scene/sensors.ts';
import { riseOf } from '../../../scene/section.ts';
import { sectionShapeOf, type Draft } from '../draft.ts';

const nowhere: ReadonlyMap<string, Spot> = new Map();

/** What the model shows of a facility, with the positions of its devices. */
export function modelHouseOf(facility: Facility, spots: ReadonlyMap<string, Spot> = nowhere): ModelHouse {
  const { envelope, preset, openings, curtains, fans, actuators, sensors } = facility;
  return {
    outline: {
      roof_type: envelope.roof_type ?? 'gable',
      structure: facility.structure,
      bay_count: facility.bay_count,
      bay_width_m: envelope.bay_width_m,
      length_m: envelope.length_m,
      eave_height_m: envelope.eave_height_m,
      rise_m: riseOf(envelope),
      spacing_m: facility.view_3d.spacing_m,
    },
    preset,
    openings,
    curtains,
    fans,
    actuators,
    sensors,
    spots,
  };
}

/** The same for a draft; null while a length is missing. */
export function modelHouseOfDraft(draft: Draft): ModelHouse | null {
  const outline = sectionShapeOf(draft);
  if (outline === null) return null;
  const { preset, openings, curtains, fans, actuators, sensors } = draft;
  return { outline, preset, openings, curtains, fans, actuators, sensors, spots: nowhere };
}
