import { describe, expect, it } from 'vitest';
import {
  attributesOf,
  attributeValue,
  hasAttributes,
  keyFault,
} from '../../../../../renderer/features/map/attributes.ts';
import { typesOf } from '../../../../../renderer/features/map/shape-types.ts';
import type { Feature, Geometry } from '../../../../../server/contract/overlay.ts';
import { square } from '../../map/features.ts';

function shape(digit: number, others: object, geometry: Geometry = square(digit).geometry): Feature {
  const { properties } = square(digit);
  return { type: 'Feature', geometry, properties: { ...properties, no_trench: true, ...others } };
}

describe('attributes', () => {
  it('are what the map itself has no use for, common or different', () => {
    const shapes = [shape(1, { crop: 'rice', rows: 3, tags: ['a'] }), shape(2, { crop: 'rice', rows: '3', old: null })];
    expect(attributesOf(shapes)).toEqual([
      { key: 'crop', text: 'rice', value: 'rice', isPlain: true },
      { key: 'rows', text: null, value: undefined, isPlain: true },
      { key: 'tags', text: null, value: undefined, isPlain: false },
      { key: 'old', text: null, value: undefined, isPlain: true },
    ]);
    expect(attributesOf(shapes.slice(1)).at(-1)).toEqual({ key: 'old', text: '', value: null, isPlain: true });
  });

  it.each([
    ['1,5', 3, 1.5],
    ['many', 3, 'many'],
    ['false', true, false],
    ['no', true, 'no'],
    ['12', 'eleven', '12'],
    ['12', undefined, 12],
    ['012', undefined, '012'],
    ['Infinity', undefined, 'Infinity'],
    ['', null, ''],
  ])('%j in place of %j is %j', (text, before, after) => {
    expect(attributeValue(text, before)).toBe(after);
  });

  it('take no name that is in use, or that the map or JavaScript needs', () => {
    const shapes = [shape(1, {}), shape(2, { crop: undefined })];
    expect(keyFault('crop', shapes)).toBe('taken');
    expect(keyFault('soil', shapes)).toBeNull();
    expect(keyFault('constructor', shapes)).toBeNull();
    for (const key of ['unique_id', 'type', '__proto__', 'plan_id']) expect(keyFault(key, shapes)).toBe('own');
  });
});

describe('the types that shapes may become', () => {
  it('are those of their outline, and none of a device, a planned pipe or a mixture', () => {
    const point = shape(2, { type: 'label' }, { type: 'Point', coordinates: [1, 2] });
    expect(typesOf([shape(1, {})])).toContain('facility');
    expect(typesOf([point])).not.toContain('facility');
    expect(typesOf([shape(1, {}), point])).toEqual([]);
    expect(typesOf([shape(1, { device_id: 'x' })])).toEqual([]);
    const planned = shape(1, { plan_id: 'x' });
    expect([hasAttributes(planned), typesOf([planned])]).toEqual([false, []]);
  });
});
