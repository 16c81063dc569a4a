import { expect, it } from 'vitest';
import { portionBytes, portionsOf, sizeOf } from '../../../../renderer/map/portion.ts';
import { atOnce } from '../../../../renderer/map/slices.ts';
import { mostSaveBytes } from '../../../../server/contract/overlay.ts';
import { square } from './features.ts';

const shapeOf = (at: number, bytes: number) => square(at, 'x'.repeat(bytes));

it('sends all at once only where it is soon saved, although one save could carry more', () => {
  const shapes = Array.from({ length: 8 }, (_, at) => shapeOf(at, portionBytes / 3));
  expect(sizeOf(shapes)).toBeLessThan(mostSaveBytes);
  const portions = atOnce(portionsOf(shapes));
  expect(portions.map(({ length }) => length)).toEqual([2, 2, 2, 2]);
  expect(portions.flat()).toEqual(shapes);
  for (const portion of portions) expect(sizeOf(portion)).toBeLessThanOrEqual(portionBytes);
  expect(atOnce(portionsOf(shapes.slice(0, 2)))).toEqual([shapes.slice(0, 2)]);
});

it('puts a shape alone that is more than a portion, and goes on with the others', () => {
  const shapes = [shapeOf(1, 10), shapeOf(2, 2 * portionBytes), shapeOf(3, 10), shapeOf(4, 10)];
  expect(atOnce(portionsOf(shapes)).map(({ length }) => length)).toEqual([1, 1, 2]);
});
