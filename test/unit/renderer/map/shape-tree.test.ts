import { describe, expect, it } from 'vitest';
import type { Feature, FeatureType, Geometry } from '../../../../server/contract/overlay.ts';
import { parentsOf, treeRows } from '../../../../renderer/map/shape-tree.ts';
import { area, box, line } from '../../../support/farm.ts';

function shape(unique_id: string, type: FeatureType, geometry: Geometry): Feature {
  return { type: 'Feature', geometry, properties: { type, name: unique_id, unique_id } };
}

function parents(features: Feature[]): Record<string, string> {
  const work = parentsOf(features);
  for (;;) {
    const step = work.next();
    if (step.done === true) return Object.fromEntries(step.value);
  }
}

const point = (x: number, y: number): Geometry => ({ type: 'Point', coordinates: line([x, y])[0] ?? [] });

const farm = [
  shape('site', 'site', area(box(0, 0, 100, 100))),
  shape('zone', 'zone', area(box(0, 0, 50, 100))),
  shape('house', 'facility', area(box(10, 10, 40, 60))),
  shape('bay', 'bay', area(box(10, 10, 20, 60))),
  shape('tank', 'equipment', area(box(60, 10, 70, 20))),
  shape('probe', 'device', point(15, 30)),
  shape('level', 'device', point(65, 15)),
  shape('gate', 'device', point(80, 80)),
  shape('far', 'device', point(400, 400)),
  shape('pipe', 'pipe', { type: 'LineString', coordinates: line([5, 5], [30, 30], [65, 15]) }),
];

describe('what lies in what', () => {
  it('is the innermost of the wider kinds, by a place inside', () => {
    expect(parents(farm)).toEqual({
      zone: 'site',
      house: 'zone',
      bay: 'house',
      tank: 'site',
      pipe: 'house',
      probe: 'bay',
      level: 'tank',
      gate: 'site',
    });
  });

  it('is not what surrounds it by a hole, by a hollow of its outline, or of the same kind', () => {
    const ring = shape('ring', 'zone', area(box(0, 0, 60, 60), [...box(20, 20, 40, 40)].reverse()));
    const hollow: [number, number][] = [
      [0, 0],
      [90, 0],
      [90, 90],
      [80, 90],
      [80, 10],
      [0, 10],
    ];
    const features = [
      ring,
      shape('inner', 'zone', area(box(2, 2, 8, 8))),
      shape('in hole', 'facility', area(box(25, 25, 30, 30))),
      shape('beside', 'facility', area(box(2, 12, 8, 18))),
      shape('bent', 'facility', area(hollow)),
      shape('in hollow', 'bay', area(box(62, 40, 70, 50))),
    ];
    expect(parents(features)).toEqual({ beside: 'ring' });
  });

  it('finds what it looks for beneath what holds it, and folds what is closed', () => {
    const items = farm.map(({ properties }) => ({ id: properties.unique_id }));
    const known = new Map(Object.entries(parents(farm)));
    const ids = (closed: string[], wanted: string | null): string[] =>
      treeRows(items, {
        parents: known,
        closed: new Set(closed),
        isWanted: wanted === null ? null : ({ id }) => id === wanted,
      }).map(({ item, depth, isOpen }) => `${depth} ${item.id}${isOpen === null ? '' : isOpen ? ' open' : ' closed'}`);
    const places = treeRows(items, { parents: known, closed: new Set(['house']), isWanted: null });
    expect(places.map(({ place, among }) => `${place}/${among}`).join(' ')).toBe('1/2 1/3 1/1 2/3 1/1 3/3 2/2');
    expect(ids(['house'], null)).toEqual([
      '0 site open',
      '1 zone open',
      '2 house closed',
      '1 tank open',
      '2 level',
      '1 gate',
      '0 far',
    ]);
    expect(ids(['house', 'site'], 'probe')).toEqual([
      '0 site open',
      '1 zone open',
      '2 house open',
      '3 bay open',
      '4 probe',
    ]);
  });
});
