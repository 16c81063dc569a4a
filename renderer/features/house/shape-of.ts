import type { Facility } from '../../../server/contract/facility.ts';
import { riseOf, type SectionShape } from '../../scene/section.ts';

/** What the drawings need of a facility. */
export function sectionShapeOf(facility: Facility): SectionShape & { length_m: number } {
  const { envelope } = facility;
  return {
    roof_type: envelope.roof_type ?? 'gable',
    structure: facility.structure,
    bay_count: facility.bay_count,
    bay_width_m: envelope.bay_width_m,
    length_m: envelope.length_m,
    eave_height_m: envelope.eave_height_m,
    rise_m: riseOf(envelope),
    spacing_m: facility.view_3d.spacing_m,
  };
}
