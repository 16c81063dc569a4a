/** A rectangle on the screen, px. */
export interface ScreenBox {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** About as wide as a name, so that a box lies in few cells and a cell holds few boxes. */
const cell_px = 96;

/** The screen area already taken by names and marks. */
export class LabelRoom {
  readonly #cells = new Map<string, ScreenBox[]>();

  take(box: ScreenBox): void {
    for (const key of cellsOf(box)) {
      const cell = this.#cells.get(key);
      if (cell === undefined) this.#cells.set(key, [box]);
      else cell.push(box);
    }
  }

  /** Takes the box where nothing lies yet; false where something does. */
  takeFree(box: ScreenBox): boolean {
    const isTaken = cellsOf(box).some((key) => this.#cells.get(key)?.some((one) => overlaps(one, box)));
    if (!isTaken) this.take(box);
    return !isTaken;
  }
}

export function overlaps(a: ScreenBox, b: ScreenBox): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

function cellsOf({ left, top, right, bottom }: ScreenBox): string[] {
  const keys: string[] = [];
  for (let x = Math.floor(left / cell_px); x * cell_px < right; x += 1) {
    for (let y = Math.floor(top / cell_px); y * cell_px < bottom; y += 1) keys.push(`${x} ${y}`);
  }
  return keys;
}
