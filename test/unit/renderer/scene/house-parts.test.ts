import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  faces,
  roofTypes,
  structures,
  type ActuatorBinding,
  type Envelope,
  type Opening,
} from '../../../../server/contract/facility.ts';
import { houseGeometry } from '../../../../server/domain/geometry/house.ts';
import type { Outline } from '../../../../renderer/scene/bays.ts';
import { stateOf } from '../../../../renderer/scene/drives.ts';
import { houseParts, type ModelHouse } from '../../../../renderer/scene/house-parts.ts';
import { drawnIn, swung } from '../../../../renderer/scene/motion.ts';
import { cornersOf, lengthOf, sheetArea, type Part, type Primitive } from '../../../../renderer/scene/part.ts';
import { builtWidth, riseOf } from '../../../../renderer/scene/section.ts';

const device = (digit: string): string => `00000000-0000-4000-8000-00000000000${digit}`;

const outline = (over: Partial<Outline> = {}): Outline => ({
  roof_type: 'gable',
  structure: 'connected',
  bay_count: 3,
  bay_width_m: 8,
  length_m: 50,
  eave_height_m: 3,
  rise_m: 1.5,
  spacing_m: 2,
  ...over,
});
const house = (over: Partial<ModelHouse> = {}): ModelHouse => ({
  outline: outline(),
  preset: 'greenhouse',
  openings: [],
  curtains: [],
  fans: [],
  actuators: [],
  sensors: [],
  spots: new Map(),
  ...over,
});
const partOf = (parts: readonly Part[], id: string): Part => {
  const found = parts.find((part) => part.id === id);
  if (found === undefined) throw new Error(`no part ${id}`);
  return found;
};
const areaOf = (shapes: readonly Primitive[]): number =>
  shapes.reduce((sum, shape) => sum + (shape.kind === 'sheet' ? sheetArea(shape) : 0), 0);
const envelopeArea = (parts: readonly Part[]): number =>
  parts.filter(({ category }) => category === 'covering').reduce((sum, { size }) => sum + (size.area_m2 ?? 0), 0);

const opening = (over: Partial<Opening>): Opening => ({
  id: 'one',
  name: 'Vent',
  face: 'left',
  area_m2: 20,
  centre_height_m: 1.2,
  ...over,
});
const actuator = (role: ActuatorBinding['role'], over: Partial<ActuatorBinding> = {}): ActuatorBinding => ({
  role,
  device_id: device('1'),
  name: role,
  ...over,
});

/** Envelopes as people enter them, and the outline that the model makes of them. */
const anyEnvelope = fc.record({
  bay_width_m: fc.double({ min: 2, max: 20, noNaN: true }),
  length_m: fc.double({ min: 5, max: 200, noNaN: true }),
  eave_height_m: fc.double({ min: 1, max: 8, noNaN: true }),
  ridge_height_m: fc.double({ min: 0.2, max: 4, noNaN: true }),
  roof_type: fc.constantFrom(...roofTypes),
});

describe('the parts of a house', () => {
  it('have the covering, floor and volume by which the loads are calculated', () => {
    fc.assert(
      fc.property(
        anyEnvelope,
        fc.integer({ min: 1, max: 12 }),
        fc.constantFrom(...structures),
        (sizes, bays, structure) => {
          const envelope: Envelope = { ...sizes, material: 'glass_single', ridge_reference: 'eave' };
          const { bay_width_m, length_m, eave_height_m, roof_type } = sizes;
          const drawn = outline({
            bay_width_m,
            length_m,
            eave_height_m,
            roof_type,
            structure,
            bay_count: bays,
            rise_m: riseOf(envelope),
          });
          const terms = houseGeometry({ envelope, bay_count: bays, structure });
          const parts = houseParts(house({ outline: drawn }));
          const of = (id: string): number => partOf(parts, id).size.area_m2 ?? NaN;
          // An arch is drawn in 32 steps.
          const near = (drawn_m2: number, true_m2: number): void => {
            expect(Math.abs(drawn_m2 - true_m2) / true_m2).toBeLessThan(0.004);
          };
          near(of('roof'), terms.roof_area_m2);
          near(of('side_wall'), terms.side_area_m2);
          near(of('end_wall'), terms.end_area_m2);
          near((of('end_wall') / 2) * length_m, terms.volume_m3);
        },
      ),
      { numRuns: 60 },
    );
  });

  it.each(faces)('lose at %s as much covering as the opening takes', (face) => {
    const closed = envelopeArea(houseParts(house()));
    const parts = houseParts(house({ openings: [opening({ face })] }));
    const part = partOf(parts, 'opening:one');
    if (part.motion.kind !== 'hinged') throw new Error('a vent of a gable house swings');
    const panes_m2 = part.motion.panes.reduce((sum, pane) => sum + lengthOf(pane.edge) * lengthOf(pane.reach), 0);
    expect(panes_m2).toBeCloseTo(20, 6);
    expect(closed - envelopeArea(parts)).toBeCloseTo(20, 6);
  });

  it.each([
    ['each as long as it is, on slopes of their own', 'roof_right', 46],
    ['side by side, where one at the ridge takes both', 'ridge', 23],
  ] as const)('draw roof vents %s', (_how, face, longest_m) => {
    const sizes = { area_m2: undefined, width_m: 45, height_m: 1 };
    const openings = [opening({ ...sizes, face: 'roof_left', id: 'left' }), opening({ ...sizes, face, id: 'other' })];
    const part = partOf(houseParts(house({ openings })), 'opening:left');
    const [pane] = 'panes' in part.motion ? part.motion.panes : [];
    expect(lengthOf(pane?.edge ?? [0, 0, 0])).toBeCloseTo(Math.min(45, longest_m), 6);
    expect(part.size).toMatchObject({ width_m: 45, height_m: 1 });
  });

  it('keep every opening on its face and swing it to the outside', () => {
    const anyOpening = fc.record({
      face: fc.constantFrom(...faces),
      area_m2: fc.double({ min: 0.1, max: 500, noNaN: true }),
      centre_height_m: fc.double({ min: 0, max: 6, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(anyOpening, { maxLength: 8 }), fc.constantFrom(...roofTypes), (list, roof_type) => {
        const openings = list.map((one, index) => opening({ ...one, id: `${index}` }));
        const built = outline({ roof_type });
        for (const { motion } of houseParts(house({ outline: built, openings })).filter(
          ({ role }) => role === 'opening',
        )) {
          for (const pane of 'panes' in motion ? motion.panes : []) {
            for (const [x, y, z] of cornersOf(pane)) {
              expect(Math.abs(x)).toBeLessThanOrEqual(builtWidth(built) / 2 + 1e-6);
              expect(Math.abs(z)).toBeLessThanOrEqual(built.length_m / 2 + 1e-6);
              expect(y).toBeGreaterThanOrEqual(-1e-6);
              expect(y).toBeLessThanOrEqual(built.eave_height_m + built.rise_m + 1e-6);
            }
            const open = swung(pane, 100).reach;
            const out = open.reduce((sum, value, axis) => sum + value * (pane.outward[axis] ?? 0), 0);
            expect(out).toBeGreaterThan(0);
            expect(lengthOf(open)).toBeCloseTo(lengthOf(pane.reach), 6);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it('show the vents that only a drive speaks of, as the ventilation assumes them', () => {
    const parts = houseParts(house({ actuators: [actuator('side_vent'), actuator('roof_vent')] }));
    const vents = parts.filter(({ role }) => role === 'opening');
    expect(vents.map(({ kind, isAssumed, size }) => [kind, isAssumed, size.area_m2])).toEqual([
      ['right', true, 180],
      ['left', true, 180],
      ['ridge', true, 120],
    ]);
  });

  it.each([
    ['the named output', { actuator_device_id: device('3') }, [device('3')]],
    ['all side vents', {}, [device('1'), device('2')]],
    ['those of its wall', { face: 'right' }, [device('1')]],
    ['nothing, a door', { face: 'front' }, []],
  ] as const)('are moved by %s', (_name, over, expected) => {
    const actuators = [
      actuator('side_vent'),
      actuator('side_vent', { device_id: device('2'), wall: 'left' }),
      actuator('roof_vent', { device_id: device('3') }),
    ];
    const part = partOf(houseParts(house({ actuators, openings: [opening(over)] })), 'opening:one');
    expect(part.drives.map(({ device_id }) => device_id)).toEqual(expected);
  });

  it('have one part for every actuator, sensor, fan and curtain', () => {
    const roles = [
      'heater',
      'cooler',
      'heat_pump',
      'fogger',
      'pad_pump',
      'co2_supply',
      'lighting',
      'irrigation_pump',
    ] as const;
    const more = ['irrigation_valve', 'mixing_valve'] as const;
    const actuators = [...roles, ...more].map((role, index) => actuator(role, { channel: index }));
    const parts = houseParts(
      house({
        actuators: [...actuators, actuator('circulation_fan'), actuator('thermal_curtain')],
        curtains: [{ kind: 'shade', position: 'wall', layers: 1 }],
        fans: [{ kind: 'exhaust', flow_m3h: 30_000, count: 4 }],
        sensors: [{ role: 'indoor_temp', device_id: device('1'), measurement_id: device('2'), name: 'T' }],
      }),
    );
    const kinds = parts
      .filter(({ role }) => ['actuator', 'fan', 'curtain', 'sensor'].includes(role))
      .map(({ kind }) => kind);
    expect(kinds.toSorted()).toEqual(
      [...roles, ...more, 'circulation', 'exhaust', 'shade', 'thermal', 'indoor_temp'].toSorted(),
    );
    expect(new Set(parts.map(({ id }) => id)).size).toBe(parts.length);
  });

  it('stay few enough to draw in the largest house that can be entered', () => {
    const parts = houseParts(house({ outline: outline({ bay_count: 200, length_m: 1000, roof_type: 'arch' }) }));
    const shapes = parts.reduce((sum, { motion }) => sum + drawnIn(motion, 0).body.length, 0);
    expect(shapes).toBeLessThan(25_000);
  });
});

describe('the state of a part', () => {
  it.each([
    [[], 'undriven'],
    [['on'], 100],
    [['off'], 0],
    [[40, 60], 50],
    [[40, null], 'unknown'],
    [[undefined], 'unknown'],
  ] as const)('of drives that say %j is %s', (said, expected) => {
    const drives = said.map((_, channel) => ({ device_id: device('1'), channel }));
    expect(stateOf(drives, ({ channel }) => said[channel ?? 0])).toBe(expected);
  });

  const pane = { corner: [0, 2, 0], edge: [0, 0, 10], reach: [0, -1, 0], outward: [1, 0, 0] } as const;
  it.each([
    ['hinged', 0, 10],
    ['hinged', 100, 10],
    ['rolled', 0, 10],
    ['rolled', 75, 2.5],
    ['rolled', 100, 0],
    ['drawn', 0, 0],
    ['drawn', 30, 3],
  ] as const)('%s at %s covers %s m2', (kind, state, area_m2) => {
    expect(areaOf(drawnIn({ kind, panes: [pane] }, state).body)).toBeCloseTo(area_m2, 9);
  });

  it.each(['hinged', 'rolled', 'drawn'] as const)(
    '%s and not known is crossed out, neither open nor closed',
    (kind) => {
      const { body, edges } = drawnIn({ kind, panes: [pane] }, 'unknown');
      expect(body.map((shape) => shape.kind)).toEqual(Array.from({ length: 6 }, () => 'bar'));
      expect(edges).toHaveLength(4);
    },
  );
});
