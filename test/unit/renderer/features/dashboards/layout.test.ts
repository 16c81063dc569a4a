import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { freePlace, inReadingOrder, stepped } from '../../../../../renderer/features/dashboards/layout.ts';
import { widgets } from '../../../../../server/contract/dashboard.ts';

const size = fc.record({ columns: fc.integer({ min: 1, max: 24 }), rows: fc.integer({ min: 1, max: 20 }) });

describe('the places of widgets', () => {
  it('of new ones are free, within the grid, and as the interface takes them', () => {
    fc.assert(
      fc.property(fc.array(size, { maxLength: 20 }), (sizes) => {
        const placed: ReturnType<typeof freePlace>[] = [];
        for (const one of sizes) placed.push(freePlace(placed, one));
        const cells = new Set<string>();
        for (const { column, row, columns, rows } of placed) {
          for (let x = column; x < column + columns; x += 1) {
            for (let y = row; y < row + rows; y += 1) {
              expect(cells.has(`${x} ${y}`)).toBe(false);
              cells.add(`${x} ${y}`);
            }
          }
        }
        const made = placed.map((place, index) => ({ kind: 'alarms' as const, id: `${index}`, ...place }));
        expect(widgets.safeParse(made).error).toBeUndefined();
      }),
      { numRuns: 50 },
    );
  });

  it.each([
    ['ArrowRight', false, { column: 21, row: 5, columns: 3, rows: 3 }],
    ['ArrowUp', false, { column: 20, row: 4, columns: 3, rows: 3 }],
    ['ArrowRight', true, { column: 20, row: 5, columns: 4, rows: 3 }],
    ['ArrowDown', true, { column: 20, row: 5, columns: 3, rows: 4 }],
    ['Tab', false, null],
  ])('change by %s (Shift: %s)', (key, shiftKey, expected) => {
    expect(stepped({ column: 20, row: 5, columns: 3, rows: 3 }, { key, shiftKey })).toEqual(expected);
  });

  it('stay in the grid by any keys', () => {
    const keys = fc.record({
      key: fc.constantFrom('ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'),
      shiftKey: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(keys, { maxLength: 60 }), (pressed) => {
        let box = { column: 10, row: 2, columns: 4, rows: 3 };
        for (const key of pressed) box = stepped(box, key) ?? box;
        expect(widgets.safeParse([{ kind: 'alarms', id: 'a', ...box }]).error).toBeUndefined();
      }),
      { numRuns: 100 },
    );
  });

  it('are read row by row', () => {
    const placed = [
      { column: 6, row: 1 },
      { column: 0, row: 1 },
      { column: 12, row: 0 },
    ];
    expect(inReadingOrder(placed).map(({ column }) => column)).toEqual([12, 0, 6]);
  });
});
