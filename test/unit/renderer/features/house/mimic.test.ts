import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bandOf, placeIn, shareOf } from '../../../../../renderer/features/house/bands.ts';
import { bySide, drawnDevices, flapEnd, spread } from '../../../../../renderer/features/house/mimic.ts';
import { faces } from '../../../../../server/contract/envelope.ts';
import type { OutputState } from '../../../../../server/contract/output.ts';

const [leeward, windward, both] = ['a', 'b', 'c'].map((end) => `00000000-0000-4000-8000-00000000000${end}`) as [
  string,
  string,
  string,
];
const opening = { area_m2: 4, centre_height_m: 1 };
const house: Parameters<typeof drawnDevices>[0] = {
  curtains: [],
  fans: [],
  openings: [
    { ...opening, id: '1', name: 'East', face: 'right', actuator_device_id: windward },
    { ...opening, id: '2', name: 'East', face: 'right', actuator_device_id: both },
    { ...opening, id: '3', name: 'West', face: 'left', actuator_device_id: both },
  ],
  actuators: [
    { role: 'side_vent', device_id: leeward, name: 'West', wall: 'left' },
    { role: 'side_vent', device_id: windward, name: 'East' },
    { role: 'side_vent', device_id: both, name: 'Both' },
  ],
};
const known = (device_id: string, state: OutputState) =>
  ({ role: 'side_vent', device_id, channel: 0, name: '', state }) as const;

describe('drawnDevices', () => {
  it('keeps each with its own position, on as fully, on the side that its binding or its openings say', () => {
    const drawn = drawnDevices(house, [known(leeward, 60), known(windward, 'on'), known(both, 0)]);
    expect(drawn.map(({ side, position_pct, isSwitch }) => [side, position_pct, isSwitch])).toEqual([
      ['left', 60, false],
      ['right', 100, true],
      [null, 0, false],
    ]);
  });

  it.each([
    { faces: ['ridge'], expected: { place: 'ridge', side: null } },
    { faces: ['front', 'back'], expected: { place: 'end', side: null } },
    { faces: ['roof_right'], expected: { place: 'sides', side: 'right' } },
    { faces: ['ridge', 'roof_left'], expected: { place: 'sides', side: null } },
  ] as const)('stands where its openings are: $faces', ({ faces, expected }) => {
    const openings = faces.map((face) => ({ ...opening, id: face, name: '', face, actuator_device_id: both }));
    expect(drawnDevices({ ...house, openings }, [known(both, 0)])[0]).toMatchObject(expected);
  });

  it('does not take unknown for off', () => {
    expect(drawnDevices(house, [known(leeward, null)])[0]?.position_pct).toBeNull();
  });

  it('stand on their sides, and where theirs is not known, on the emptier one', () => {
    const drawn = drawnDevices(house, [known(leeward, 1), known(both, 2), known(windward, 3), known(both, 4)]);
    const { left, right } = bySide(drawn);
    const positions = [left, right].map((side) => side.map(({ position_pct }) => position_pct));
    expect(positions).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });
});

describe('what a house describes', () => {
  const at = (face: (typeof faces)[number]) => ({ ...opening, id: face, name: face, face });
  const thermal = { kind: 'thermal', position: 'ceiling', layers: 1 } as const;
  const fan = { kind: 'exhaust', flow_m3h: 1_000, count: 2 } as const;
  const bare = { openings: faces.map(at), curtains: [thermal, thermal], fans: [fan], actuators: [] };
  const outlined = (described: typeof house): string[] =>
    drawnDevices(described, []).flatMap(({ role, place, side, isUnbound }) =>
      isUnbound ? [[role, place, side].filter(Boolean).join(' ')] : [],
    );

  it('is drawn in outline where nothing is bound to it', () => {
    expect(outlined(bare)).toEqual([
      'side_vent end',
      'side_vent sides right',
      'side_vent end',
      'side_vent sides left',
      'roof_vent sides right',
      'roof_vent sides left',
      'roof_vent ridge',
      'thermal_curtain sides',
      'exhaust_fan sides',
    ]);
  });

  it.each([
    { what: 'of its face', binding: { role: 'roof_vent', wall: 'ridge' }, leaves: ['roof_vent sides right'] },
    { what: 'of no face, which moves all of its kind', binding: { role: 'roof_vent' }, leaves: [] },
    { what: 'of another kind', binding: { role: 'side_vent' }, leaves: ['roof_vent sides right', 'roof_vent ridge'] },
  ] as const)('is not drawn twice where it is moved by a device $what', ({ binding, leaves }) => {
    const openings = [at('roof_right'), at('ridge')];
    const actuators = [{ ...binding, device_id: both, name: '' }];
    expect(outlined({ ...bare, curtains: [], fans: [], openings, actuators })).toEqual(leaves);
  });

  it('is what its device does, where it names one', () => {
    const openings = [
      { ...at('left'), actuator_device_id: both },
      { ...at('right'), actuator_device_id: leeward },
    ];
    const actuators = [{ role: 'side_vent' as const, device_id: both, name: '' }];
    expect(outlined({ ...bare, curtains: [], fans: [], openings, actuators })).toEqual(['side_vent sides right']);
  });
});

describe('spread', () => {
  it('gives each bay a device and each device a bay, in order', () => {
    const counts = fc.integer({ min: 1, max: 30 });
    fc.assert(
      fc.property(counts, counts, (n, bays) => {
        const devices = Array.from({ length: n }, (_, index) => index);
        const perBay = spread(devices, bays);
        expect(perBay).toHaveLength(bays);
        for (const own of perBay) expect(own.length).toBeGreaterThan(0);
        expect([...new Set(perBay.flat())]).toEqual(devices);
      }),
    );
    expect(spread(['a', 'b'], 4)).toEqual([['a'], ['a'], ['b'], ['b']]);
    expect(spread(['a', 'b', 'c'], 1)).toEqual([['a', 'b', 'c']]);
  });
});

describe('flapEnd', () => {
  it('keeps its length and opens further the higher its position', () => {
    const pct = fc.double({ min: 0, max: 100, noNaN: true });
    const hinge = { x: 50, y: 20 };
    const rest = { x: 50, y: 60 };
    fc.assert(
      fc.property(pct, pct, (one, other) => {
        const ends = [one, other]
          .toSorted((a, b) => a - b)
          .map((value) => flapEnd(hinge, rest, { pct: value, way: 1 }));
        for (const end of ends) expect(Math.hypot(end.x - hinge.x, end.y - hinge.y)).toBeCloseTo(40, 6);
        // Clockwise on the screen: a flap that hangs down swings to the left.
        expect(ends[1]?.x).toBeLessThanOrEqual((ends[0]?.x ?? 0) + 1e-9);
      }),
    );
    expect(flapEnd(hinge, rest, { pct: 0, way: -1 })).toEqual(rest);
  });
});

describe('bands', () => {
  it('begin at the temperature that the house is designed to hold', () => {
    expect(bandOf('indoor_temp', undefined)?.usual).toEqual([15, 30]);
    expect(bandOf('indoor_temp', 12)?.usual).toEqual([12, 30]);
    expect(bandOf('indoor_temp', 40)?.usual).toEqual([15, 30]);
    expect(bandOf('indoor_humidity', 12)?.usual).toEqual([55, 85]);
  });

  it('are not made up for values without a usual range', () => {
    expect(bandOf('outdoor_temp', undefined)).toBeNull();
    expect(bandOf('rain', undefined)).toBeNull();
  });

  it('hold the pointer on the bar', () => {
    expect(shareOf([0, 40], -5)).toBe(0);
    expect(shareOf([0, 40], 10)).toBe(0.25);
    expect(shareOf([0, 40], 90)).toBe(1);
  });

  it('tell below, within and above, ends included within', () => {
    const band = { scale: [0, 40], usual: [15, 30] } as const;
    expect([14.9, 15, 30, 30.1].map((value) => placeIn(band, value))).toEqual(['below', 'within', 'within', 'above']);
  });
});
