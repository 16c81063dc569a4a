import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bandOf, placeIn, shareOf } from '../../../../../renderer/features/house/bands.ts';
import { flapEnd, roleStates } from '../../../../../renderer/features/house/mimic.ts';

describe('roleStates', () => {
  it('takes the mean of a role, on as fully', () => {
    expect(
      roleStates([
        { role: 'side_vent', state: 20 },
        { role: 'heater', state: 'on' },
        { role: 'side_vent', state: 60 },
      ]),
    ).toEqual([
      { role: 'side_vent', position_pct: 40, count: 2 },
      { role: 'heater', position_pct: 100, count: 1 },
    ]);
  });

  it.each([null, undefined])('says unknown, not off, when one device is %s', (state) => {
    const [heater] = roleStates([
      { role: 'heater', state: 'off' },
      { role: 'heater', state },
    ]);
    expect(heater?.position_pct).toBeNull();
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
