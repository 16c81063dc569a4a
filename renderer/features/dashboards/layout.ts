import { gridColumns, type Widget } from '../../../server/contract/dashboard.ts';

/** In reading order: by row, then by column. */
export function inReadingOrder<One extends Pick<Widget, 'row' | 'column'>>(widgets: readonly One[]): One[] {
  return widgets.toSorted((one, other) => one.row - other.row || one.column - other.column);
}

type Box = Pick<Widget, 'column' | 'row' | 'columns' | 'rows'>;

/** The first free place for a new widget of a size, from the top left. */
export function freePlace(widgets: readonly Box[], { columns, rows }: Pick<Box, 'columns' | 'rows'>): Box {
  const below = Math.max(0, ...widgets.map((one) => one.row + one.rows));
  for (let row = 0; row < below; row += 1) {
    for (let column = 0; column + columns <= gridColumns; column += 1) {
      const box = { column, row, columns, rows };
      if (!widgets.some((one) => overlaps(one, box))) return box;
    }
  }
  return { column: 0, row: below, columns, rows };
}

function overlaps(one: Box, other: Box): boolean {
  return (
    one.column < other.column + other.columns &&
    other.column < one.column + one.columns &&
    one.row < other.row + other.rows &&
    other.row < one.row + one.rows
  );
}

/** The smallest usable widget, and the tallest that the interface accepts. */
const leastColumns = 2;
const leastRows = 2;
const mostRows = 100;

/** Where an arrow key moves a widget, or with Shift its lower right corner; null for other keys. */
export function stepped(box: Box, { key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>): Box | null {
  const along = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
  if (along === undefined) return null;
  const [right = 0, down = 0] = along;
  if (shiftKey) {
    return {
      ...box,
      columns: Math.min(Math.max(box.columns + right, leastColumns), gridColumns - box.column),
      rows: Math.min(Math.max(box.rows + down, leastRows), mostRows),
    };
  }
  return {
    ...box,
    column: Math.min(Math.max(box.column + right, 0), gridColumns - box.columns),
    row: Math.max(box.row + down, 0),
  };
}

export const least = { columns: leastColumns, rows: leastRows };
