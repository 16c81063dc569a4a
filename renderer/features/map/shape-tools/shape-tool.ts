import type { Feature, Geometry } from '../../../../server/contract/overlay.ts';
import { checkGeometry, isFault } from '../../../../server/domain/geometry/feature-geometry.ts';
import type { MessageKey } from '../../../i18n/index.ts';
import type { Edit } from '../../../map/edit-buffer.ts';
import type { Position } from '../../../map/geometry.ts';
import type { OverlayFault } from '../../../map/topology/overlay.ts';

/** An entry in the bar of a tool; a switch is 0 or 1. */
interface ToolField {
  key: string;
  label: MessageKey;
  kind: 'number' | 'whole' | 'switch';
  /** Of the wire; empty for a bare number. */
  unit: string;
  least: number;
  most: number;
  start: number | ((shapes: readonly Feature[]) => number);
}

type ToolValues = Readonly<Record<string, number>>;

export type ToolFault = OverlayFault | 'twoHouses' | 'tooMany' | 'outOfRange';

/** `isSpread`: shapes now lie where nobody pointed, so they are brought into view. */
export type ToolResult = { edit: Edit; select: string[]; isSpread?: boolean } | { fault: ToolFault };

export interface ToolWork {
  shapes: readonly Feature[];
  values: ToolValues;
  /** What was drawn for it. */
  drawn: Geometry | undefined;
  newId: () => string;
  /** Whether a house occupies a shape. */
  holdsHouse: (id: string) => boolean;
  /** For a copy of what has a name: the next that is free. */
  nextName: (name: string) => string;
}

/** One way to change the selection. It takes effect as a whole, as one undo step. */
export interface ShapeTool {
  title: MessageKey;
  hint: MessageKey;
  icon: string;
  shortcut: string;
  fits(shapes: readonly Feature[]): boolean;
  fields: readonly ToolField[];
  /** Drawn on the map before it takes effect. */
  draws?: 'line' | 'polygon';
  /** The values that a drag from one place to another means. */
  drag?(shapes: readonly Feature[], from: Position, to: Position): ToolValues;
  /** What it makes of the selection, as yet unchecked: `soundAll` goes over it before it takes effect. */
  run(work: ToolWork): ToolResult | Promise<ToolResult>;
}

export function isArea({ geometry }: Feature): boolean {
  return geometry.type === 'Polygon' || geometry.type === 'MultiPolygon';
}

/** An edit that puts each shape with its new geometry. */
export function reshapedAll(shapes: readonly Feature[], change: (geometry: Geometry) => Geometry): ToolResult {
  const put = shapes.map((feature) => ({ ...feature, geometry: change(feature.geometry) }));
  return { edit: { put, remove: [] }, select: idsOf(shapes) };
}

/** Shapes that the service accepts; null when one is off the earth, or so small that its corners coincide. */
export async function soundAll(shapes: readonly Feature[]): Promise<Feature[] | null> {
  const isSound = ({ geometry }: Feature): boolean => !isFault(checkGeometry(geometry, 'reference'));
  if (shapes.every(isSound)) return [...shapes];
  const { repaired } = await import('../../../map/topology/overlay.ts');
  const sound = shapes.flatMap((shape) => {
    const geometry = isSound(shape) ? shape.geometry : isArea(shape) ? repaired(shape.geometry) : 'unsound';
    return geometry === 'unsound' ? [] : [{ ...shape, geometry }];
  });
  return sound.length === shapes.length ? sound : null;
}

export function idsOf(shapes: readonly Feature[]): string[] {
  return shapes.map(({ properties }) => properties.unique_id);
}

/** The same thing once more, under an id and a name of its own. */
export function copyOf(
  feature: Feature,
  { geometry, name, unique_id }: { geometry: Geometry; name: string; unique_id: string },
): Feature {
  return { ...feature, geometry, properties: { ...feature.properties, name, unique_id } };
}
