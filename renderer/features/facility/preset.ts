import type { FacilityPreset, RidgeReference, RoofType, Structure } from '../../../server/contract/facility.ts';

/** Usual dimensions of a kind of house: initial values that the user edits, never stored themselves. */
export interface PresetShape {
  roof_type: RoofType;
  eave_height_m: number;
  ridge_height_m: number;
  material: string;
}

interface Preset extends PresetShape {
  /** Where gutter-connected houses of the kind differ. */
  connected?: Partial<PresetShape>;
  /** Usual bay widths of the kind, m, most usual first. */
  bay_widths_m: readonly number[];
}

const plain = [8, 6, 10] as const;

/** Ridge heights are above ground. */
const presets: Record<FacilityPreset, Preset> = {
  greenhouse: {
    roof_type: 'gable',
    eave_height_m: 3,
    ridge_height_m: 4.5,
    material: 'vinyl_double',
    connected: { eave_height_m: 4, ridge_height_m: 5.8 },
    bay_widths_m: [8, 7, 9.6],
  },
  plastic_house: {
    roof_type: 'arch',
    eave_height_m: 1.8,
    ridge_height_m: 3.4,
    material: 'po_double',
    connected: { eave_height_m: 2.8, ridge_height_m: 4.6 },
    bay_widths_m: [7, 8, 6],
  },
  venlo: {
    roof_type: 'gable',
    eave_height_m: 5,
    ridge_height_m: 5.9,
    material: 'glass_single',
    bay_widths_m: [8, 6.4, 9.6],
  },
  nursery: {
    roof_type: 'gable',
    eave_height_m: 2.5,
    ridge_height_m: 3.8,
    material: 'polycarbonate_twin',
    connected: { eave_height_m: 3.5, ridge_height_m: 5 },
    bay_widths_m: plain,
  },
  livestock: {
    roof_type: 'gable',
    eave_height_m: 3,
    ridge_height_m: 5,
    material: 'polycarbonate_triple',
    bay_widths_m: plain,
  },
  storage: {
    roof_type: 'gable',
    eave_height_m: 3,
    ridge_height_m: 4.5,
    material: 'polycarbonate_triple',
    bay_widths_m: plain,
  },
  other: {
    roof_type: 'gable',
    eave_height_m: 3,
    ridge_height_m: 4.5,
    material: 'vinyl_double',
    bay_widths_m: plain,
  },
};

/** Usual heights, roof and covering of a kind of house and structure. */
export function presetShape(preset: FacilityPreset, structure: Structure): PresetShape {
  const { connected, bay_widths_m: _widths, ...shape } = presets[preset];
  return structure === 'connected' ? { ...shape, ...connected } : shape;
}

/** What the usual values depend on. */
export interface HouseKind {
  preset: FacilityPreset;
  structure: Structure;
}

type Entered = { [Name in keyof PresetShape]: PresetShape[Name] | null } & { ridge_reference: RidgeReference };

/** Heights belong together: of a pair with one that was entered, neither changes. */
const groups = [['roof_type'], ['eave_height_m', 'ridge_height_m'], ['material']] as const;

/** The usual values after a change of kind, apart from those in place of which another was entered. */
export function refilled(envelope: Entered, from: HouseKind, to: HouseKind) {
  const [before, after] = [presetShape(from.preset, from.structure), presetShape(to.preset, to.structure)];
  const isUsual = (name: keyof PresetShape): boolean => {
    if (name === 'ridge_height_m' && envelope.ridge_reference !== 'ground') return false;
    return envelope[name] === null || envelope[name] === before[name];
  };
  const [replaced, kept] = [
    groups.filter((names) => names.every(isUsual)),
    groups.filter((names) => !names.every(isUsual)),
  ];
  const values: Partial<PresetShape> = Object.fromEntries(replaced.flat().map((name) => [name, after[name]]));
  return { values, kept: kept.flat().filter((name) => envelope[name] !== after[name]) };
}

export const bayWidthsOf = (preset: FacilityPreset): readonly number[] => presets[preset].bay_widths_m;
