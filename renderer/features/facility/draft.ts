import type {
  ComputeRequest,
  DesignConditions,
  Envelope,
  Facility,
  FacilityPreset,
  FacilitySave,
  RidgeReference,
  RoofType,
  Structure,
} from '../../../server/contract/facility.ts';
import { conditionNames, type ConditionName } from '../../ui/design-condition.ts';
import { bayWidthsOf, presetShape } from './preset.ts';
import { riseOf, type SectionShape } from '../../scene/section.ts';
import { frontAlong, type Rectangle } from '../../../server/domain/geometry/smallest-rectangle.ts';
import { suggestBays } from './suggest-bays.ts';

/** A facility being edited: null where nothing is entered yet. Values are in wire units. */
export interface Draft extends Pick<
  Facility,
  'sensors' | 'actuators' | 'openings' | 'curtains' | 'fans' | 'notes' | 'shape_uuid' | 'name'
> {
  preset: FacilityPreset;
  structure: Structure;
  bay_count: number | null;
  envelope: DraftEnvelope;
  design_conditions: DraftConditions;
  spacing_m: number | null;
  orientation_deg: number | null;
}

interface DraftEnvelope {
  material: string;
  /** null: same as the roof. */
  side_material: string | null;
  end_material: string | null;
  inner_material: string | null;
  roof_type: RoofType;
  ridge_reference: RidgeReference;
  bay_width_m: number | null;
  length_m: number | null;
  eave_height_m: number | null;
  ridge_height_m: number | null;
}

/** null uses the value of the site, its place or the covering. */
type DraftConditions = Record<ConditionName, number | null>;

const usualSpacing_m = 2;

/** A new facility on a shape, with sizes suggested by its outline. */
export function newDraft(shape: { uuid: string; name: string; box: Rectangle | null }): Draft {
  const preset = 'greenhouse';
  const size = shape.box === null ? null : suggestBays(shape.box, bayWidthsOf(preset)[0]);
  const structure = size !== null && size.bay_count > 1 ? 'connected' : 'single';
  return {
    name: shape.name,
    shape_uuid: shape.uuid,
    preset,
    structure,
    bay_count: size?.bay_count ?? 1,
    envelope: {
      ...presetShape(preset, structure),
      side_material: null,
      end_material: null,
      inner_material: null,
      ridge_reference: 'ground',
      bay_width_m: size?.bay_width_m ?? null,
      length_m: size?.length_m ?? null,
    },
    spacing_m: usualSpacing_m,
    orientation_deg: shape.box === null ? null : frontAlong(shape.box, null),
    sensors: [],
    actuators: [],
    openings: [],
    curtains: [],
    fans: [],
    design_conditions: conditionsOf({}),
    notes: '',
  };
}

export function draftOf(facility: Facility): Draft {
  const { envelope, view_3d } = facility;
  const reference = envelope.ridge_height_m >= envelope.eave_height_m ? 'ground' : 'eave';
  return structuredClone({
    name: facility.name,
    shape_uuid: facility.shape_uuid,
    preset: facility.preset,
    structure: facility.structure,
    bay_count: facility.bay_count,
    envelope: {
      material: envelope.material,
      side_material: envelope.side_material ?? null,
      end_material: envelope.end_material ?? null,
      inner_material: envelope.inner_material ?? null,
      roof_type: envelope.roof_type ?? 'gable',
      ridge_reference: envelope.ridge_reference ?? reference,
      bay_width_m: envelope.bay_width_m,
      length_m: envelope.length_m,
      eave_height_m: envelope.eave_height_m,
      ridge_height_m: envelope.ridge_height_m,
    },
    spacing_m: view_3d.spacing_m,
    orientation_deg: view_3d.orientation_deg ?? null,
    sensors: facility.sensors,
    actuators: facility.actuators,
    openings: facility.openings,
    curtains: facility.curtains,
    fans: facility.fans,
    notes: facility.notes,
    design_conditions: conditionsOf(facility.design_conditions ?? {}),
  });
}

function conditionsOf(given: DesignConditions): DraftConditions {
  // Every name is present.
  return Object.fromEntries(conditionNames.map((name) => [name, given[name] ?? null])) as DraftConditions;
}

/** The envelope with its four lengths; null while one is missing. */
function wholeEnvelope(draft: DraftEnvelope): Envelope | null {
  const { side_material, end_material, inner_material, ...outer } = draft;
  const { bay_width_m, length_m, eave_height_m, ridge_height_m, ...rest } = outer;
  if (bay_width_m === null || length_m === null || eave_height_m === null || ridge_height_m === null) return null;
  const others = withoutNulls({ side_material, end_material, inner_material });
  return { ...rest, bay_width_m, length_m, eave_height_m, ridge_height_m, ...others };
}

/** The compute request of a draft; null while a length is missing. */
export function computeRequestOf(draft: Draft): ComputeRequest | null {
  const envelope = wholeEnvelope(draft.envelope);
  if (envelope === null || draft.bay_count === null) return null;
  const { bay_count, structure, curtains, openings, fans, shape_uuid, design_conditions } = draft;
  const own = withoutNulls(design_conditions);
  return { envelope, bay_count, structure, curtains, openings, fans, shape_uuid, design_conditions: own };
}

/** What the drawing needs; null while a length is missing or not above zero. */
export function sectionShapeOf(draft: Draft): (SectionShape & { length_m: number }) | null {
  const envelope = wholeEnvelope(draft.envelope);
  const { bay_count, structure, spacing_m } = draft;
  if (envelope === null || bay_count === null || !Number.isInteger(bay_count)) return null;
  const lengths = [envelope.bay_width_m, envelope.length_m, envelope.eave_height_m, envelope.ridge_height_m];
  if (bay_count < 1 || bay_count > 200 || lengths.some((length) => length <= 0)) return null;
  return {
    roof_type: draft.envelope.roof_type,
    structure,
    bay_count,
    bay_width_m: envelope.bay_width_m,
    length_m: envelope.length_m,
    eave_height_m: envelope.eave_height_m,
    rise_m: riseOf(envelope),
    spacing_m: spacing_m ?? 0,
  };
}

type Known = Pick<Facility, 'unique_id' | 'revision' | 'design_conditions'>;

/** Entered conditions, and null for those that were cleared. */
function conditionsSaved(draft: DraftConditions, before: DesignConditions = {}): Partial<DraftConditions> {
  const names = conditionNames.filter((name) => draft[name] !== null || before[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, draft[name]]));
}

/** Members that are not null. */
export function withoutNulls<Fields extends object>(fields: Fields): { [K in keyof Fields]?: NonNullable<Fields[K]> } {
  // The filter leaves what the type says.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as ReturnType<
    typeof withoutNulls<Fields>
  >;
}

/** The body that saves a draft: for an existing facility with the revision it is based on, else for a new one. */
export function saveOf(draft: Draft, known: Known | null): FacilitySave {
  const { spacing_m, orientation_deg, bay_count, envelope, design_conditions, ...rest } = draft;
  const { side_material, end_material, inner_material, ...outer } = envelope;
  const others = { side_material, end_material, inner_material };
  const conditions = conditionsSaved(design_conditions, known?.design_conditions);
  const given = Object.fromEntries(Object.entries(outer).filter(([, value]) => value !== null));
  return {
    ...rest,
    name: draft.name.trim(),
    ...(bay_count !== null && { bay_count }),
    ...(Object.keys(conditions).length > 0 && { design_conditions: conditions }),
    // Clearing what was never set is no change, but a new facility has nothing to clear.
    envelope: {
      ...given,
      ...(known === null ? withoutNulls(others) : others),
    },
    view_3d: {
      ...(spacing_m !== null && { spacing_m }),
      ...(orientation_deg !== null ? { orientation_deg } : known !== null ? { orientation_deg } : {}),
    },
    ...(known !== null && { unique_id: known.unique_id, revision: known.revision }),
  };
}
