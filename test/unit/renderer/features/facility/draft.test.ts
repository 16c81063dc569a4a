import { describe, expect, it } from 'vitest';
import {
  computeRequestOf,
  draftOf,
  newDraft,
  saveOf,
  sectionShapeOf,
} from '../../../../../renderer/features/facility/draft.ts';
import {
  checkDraft,
  faultsOfAnswer,
  isComputable,
  stepOf,
} from '../../../../../renderer/features/facility/draft-check.ts';
import { presetShape, refilled } from '../../../../../renderer/features/facility/preset.ts';
import {
  computeRequest,
  facilityPresets,
  facilitySave,
  structures,
  type Facility,
} from '../../../../../server/contract/facility.ts';
import { materials } from '../../../../../server/domain/capacity/materials.ts';

const uuid = '11111111-2222-4333-8444-555555555555';
const shape = { uuid, name: 'House 1', box: { length_m: 48, width_m: 16.2, axis_deg: 70 } };

const stored: Facility = {
  unique_id: uuid,
  name: 'North',
  shape_uuid: uuid,
  geo_id: uuid,
  preset: 'venlo',
  structure: 'connected',
  bay_count: 3,
  envelope: {
    material: 'glass_single',
    bay_width_m: 4,
    length_m: 40,
    eave_height_m: 5,
    ridge_height_m: 0.9,
    inner_material: 'pe_single',
  },
  sensors: [],
  actuators: [],
  openings: [],
  curtains: [],
  fans: [],
  view_3d: { spacing_m: 2, render_mode: 'solid', category_visibility: {} },
  notes: '',
  revision: 7,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
};

describe('design conditions', () => {
  it('are sent where they are given', () => {
    const draft = newDraft(shape);
    expect(saveOf(draft, null)).not.toHaveProperty('design_conditions');
    expect(computeRequestOf(draft)?.design_conditions).toEqual({});
    draft.design_conditions.heating_indoor_c = 18;
    expect(saveOf(draft, null).design_conditions).toEqual({ heating_indoor_c: 18 });
    expect(computeRequestOf(draft)?.design_conditions).toEqual({ heating_indoor_c: 18 });
  });

  it('are cleared only where they were', () => {
    const known = { ...stored, design_conditions: { wind_factor: 1.1, heating_indoor_c: 18 } };
    const draft = draftOf(known);
    expect(saveOf(draft, known).design_conditions).toEqual(known.design_conditions);
    draft.design_conditions.wind_factor = null;
    expect(saveOf(draft, known).design_conditions).toEqual({ wind_factor: null, heating_indoor_c: 18 });
    expect(saveOf(draftOf(stored), stored)).not.toHaveProperty('design_conditions');
  });

  it('are held against the contract, on the step where they stand', () => {
    const draft = newDraft(shape);
    draft.design_conditions.heating_outdoor_c = -61;
    const path = 'design_conditions.heating_outdoor_c';
    expect([...checkDraft(draft)]).toEqual([[path, { code: 'too_small', limit: -60 }]]);
    expect(stepOf(path)).toBe('envelope');
  });
});

describe('isComputable', () => {
  const opening = { id: 'top', name: 'Roof', face: 'ridge' as const, centre_height_m: 5.5 };

  it('holds back what the server is known to refuse', () => {
    const draft = newDraft(shape);
    expect(isComputable(checkDraft(draft))).toBe(true);
    draft.openings.push({ ...opening, area_m2: 0 });
    expect(computeRequest.safeParse(computeRequestOf(draft)).success).toBe(false);
    expect(isComputable(checkDraft(draft))).toBe(false);
    draft.openings = [{ ...opening, area_m2: 30 }];
    expect(isComputable(checkDraft(draft))).toBe(true);
    draft.bay_count = 1.5;
    expect(isComputable(checkDraft(draft))).toBe(false);
  });

  it('asks before the house has a name', () => {
    const draft = newDraft({ ...shape, name: '' });
    expect([...checkDraft(draft).keys()]).toEqual(['name']);
    expect(isComputable(checkDraft(draft))).toBe(true);
  });
});

describe('newDraft', () => {
  it('takes its sizes from the drawn outline and is whole at once', () => {
    const draft = newDraft(shape);
    expect(draft).toMatchObject({ name: 'House 1', bay_count: 2, structure: 'connected', orientation_deg: 70 });
    expect(draft.envelope).toMatchObject({ bay_width_m: 8.1, length_m: 48 });
    expect(checkDraft(draft).size).toBe(0);
    expect(facilitySave.safeParse(saveOf(draft, null)).error).toBeUndefined();
    expect(computeRequest.safeParse(computeRequestOf(draft)).error).toBeUndefined();
  });

  it('leaves open what an outline cannot tell', () => {
    const draft = newDraft({ ...shape, box: null });
    expect(computeRequestOf(draft)).toBeNull();
    expect(sectionShapeOf(draft)).toBeNull();
    expect([...checkDraft(draft)].map(([path, { code }]) => [path, code])).toEqual([
      ['envelope.bay_width_m', 'required'],
      ['envelope.length_m', 'required'],
    ]);
  });
});

describe('draftOf', () => {
  it('gives back what it was made of', () => {
    const save = saveOf(draftOf(stored), stored);
    expect(facilitySave.safeParse(save).error).toBeUndefined();
    expect(save).toMatchObject({ unique_id: uuid, revision: 7, name: 'North', bay_count: 3 });
    expect(save.envelope).toMatchObject(stored.envelope);
  });

  it('reads a low ridge as measured from the eave, as the calculation does', () => {
    expect(draftOf(stored).envelope.ridge_reference).toBe('eave');
    expect(sectionShapeOf(draftOf(stored))).toMatchObject({ rise_m: 0.9, eave_height_m: 5 });
  });

  it('clears the inner covering by null, and only where there may be one', () => {
    const draft = draftOf(stored);
    draft.envelope.inner_material = null;
    expect(saveOf(draft, stored).envelope?.inner_material).toBeNull();
    expect(saveOf(draft, null).envelope).not.toHaveProperty('inner_material');
  });
});

describe('checkDraft', () => {
  it.each([
    [{ envelope: { bay_width_m: 0 } }, 'envelope.bay_width_m', { code: 'too_small', limit: 0.001 }],
    [
      { curtains: [{ kind: 'thermal', position: 'wall', layers: 1, u_w_m2k: 0 }] },
      'curtains[0].u_w_m2k',
      { code: 'above_zero' },
    ],
    [{ envelope: { bay_width_m: 101 } }, 'envelope.bay_width_m', { code: 'too_big', limit: 100 }],
    [{ bay_count: 2.5 }, 'bay_count', { code: 'whole' }],
    [{ bay_count: 0 }, 'bay_count', { code: 'too_small', limit: 1 }],
    [{ bay_count: null }, 'bay_count', { code: 'required' }],
    [{ name: '  ' }, 'name', { code: 'required' }],
    [{ spacing_m: 101 }, 'spacing_m', { code: 'too_big', limit: 100 }],
    [
      { curtains: [{ kind: 'thermal', position: 'wall', layers: 0 }] },
      'curtains[0].layers',
      { code: 'too_small', limit: 1 },
    ],
  ] as const)('names %j by its field', (changed, path, fault) => {
    const draft = newDraft(shape);
    const { envelope = {}, ...rest } = { envelope: undefined, ...changed };
    const found = checkDraft({
      ...draft,
      ...structuredClone(rest),
      envelope: { ...draft.envelope, ...envelope },
    } as typeof draft); // readonly rows
    expect(found.get(path)).toEqual(fault);
    expect(found.size).toBe(1);
  });
});

describe('faultsOfAnswer and stepOf', () => {
  it('puts what the server refused beside its field, with the server’s words', () => {
    const field = { code: 'unknown_reference', message: 'is no input' };
    const faults = faultsOfAnswer([{ path: 'sensors[0].device_id', ...field }]);
    expect(faults.get('sensors[0].device_id')).toEqual({ code: 'other', field });
  });

  it.each([
    ['name', 'shape'],
    ['shape_uuid', 'shape'],
    ['bay_count', 'structure'],
    ['envelope.length_m', 'structure'],
    ['view_3d.spacing_m', 'structure'],
    ['envelope.material', 'envelope'],
    ['envelope.ridge_height_m', 'envelope'],
    ['curtains[0].layers', 'envelope'],
    ['fans[0].count', 'openings'],
    ['openings[1].area_m2', 'openings'],
    ['sensors[0].device_id', 'sensors'],
    ['actuators[2].rating_kw', 'actuators'],
  ])('finds %s on the step %s', (path, step) => {
    expect(stepOf(path)).toBe(step);
  });
});

describe('presetShape', () => {
  it.each(facilityPresets.flatMap((preset) => structures.map((structure) => [preset, structure] as const)))(
    'has a covering and a ridge above the eave for %s, %s',
    (preset, structure) => {
      const { material, eave_height_m, ridge_height_m } = presetShape(preset, structure);
      expect(materials.find(({ code }) => code === material)?.kind).toBe('cover');
      expect(ridge_height_m).toBeGreaterThan(eave_height_m);
    },
  );
});

describe('refilled', () => {
  const tunnel = { preset: 'plastic_house', structure: 'single' } as const;
  const usual = { ...presetShape('plastic_house', 'single'), ridge_reference: 'ground' } as const;

  it.each([
    ['another structure', { ...tunnel, structure: 'connected' } as const],
    ['another kind', { preset: 'venlo', structure: 'single' } as const],
  ])('replaces what is usual at %s', (_what, to) => {
    expect(refilled(usual, tunnel, to)).toEqual({ values: presetShape(to.preset, to.structure), kept: [] });
  });

  it.each([
    ['a height', { eave_height_m: 2.1 }, ['eave_height_m', 'ridge_height_m']],
    ['a ridge above the eave', { ridge_reference: 'eave' }, ['eave_height_m', 'ridge_height_m']],
    ['a covering', { material: 'po_single' }, ['material']],
    ['a roof', { roof_type: 'sawtooth' }, ['roof_type']],
  ] as const)('keeps %s that was entered', (_what, entered, kept) => {
    const found = refilled({ ...usual, ...entered }, tunnel, { preset: 'venlo', structure: 'connected' });
    expect(found.kept).toEqual(kept);
    for (const name of kept) expect(found.values).not.toHaveProperty(name);
    expect(Object.keys(found.values)).toHaveLength(4 - kept.length);
  });

  it('fills what was cleared', () => {
    const empty = { ...usual, eave_height_m: null, ridge_height_m: null };
    expect(refilled(empty, tunnel, tunnel).values).toEqual(presetShape('plastic_house', 'single'));
  });
});
