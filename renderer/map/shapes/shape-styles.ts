import type { FeatureType } from '../../../server/contract/overlay.ts';
import { outlineStyle, type MapLook, type OutlineState, type OutlineStyle } from '../look.ts';
import type { ShapeStyle } from './shape-painter.ts';

/** How dense a block is, for one has neither outline nor fill. */
const blockOpacity = 0.55;

/** The styles that are in use, each by its place in the list: thousands of shapes share a few. */
export class ShapeStyles {
  #look: MapLook;
  #places = new Map<string, number>();
  #list: ShapeStyle[] = [];
  /** Whether there are some since they were taken. */
  areNew = true;

  constructor(look: MapLook) {
    this.#look = look;
  }

  /** Places given before are void. */
  setLook(look: MapLook): void {
    this.#look = look;
    this.#places = new Map();
    this.#list = [];
  }

  of(type: FeatureType, state: OutlineState): number {
    const key = `${type} ${state.isSelected} ${state.alarm} ${state.opacity}`;
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    this.#list.push(styleOf(outlineStyle(type, this.#look, state)));
    this.#places.set(key, this.#list.length - 1);
    this.areNew = true;
    return this.#list.length - 1;
  }

  taken(): readonly ShapeStyle[] {
    this.areNew = false;
    return this.#list;
  }
}

function styleOf({ color, opacity, weight, fillColor, fillOpacity, dash }: OutlineStyle): ShapeStyle {
  return {
    stroke: withOpacity(color, opacity),
    weight,
    fill: fillOpacity === 0 ? null : withOpacity(fillColor, fillOpacity),
    block: withOpacity(color, opacity * blockOpacity),
    dash,
  };
}

/** #rrggbb as #rrggbbaa. */
function withOpacity(color: string, opacity: number): string {
  const alpha = Math.round(Math.min(1, Math.max(0, opacity)) * 255);
  return `${color}${alpha.toString(16).padStart(2, '0')}`;
}
