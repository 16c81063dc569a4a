import type { Feature, FeatureType, Geometry } from '../../../server/contract/overlay.ts';
import type { FoundShape, FoundShapes } from '../../map/geojson.ts';

export type Outline = 'area' | 'line' | 'point';
const outlines: readonly Outline[] = ['area', 'line', 'point'];

/** Possible types of a shape of each kind when the file does not say. The first is proposed. */
export const typesFor: Record<Outline, readonly FeatureType[]> = {
  area: ['reference', 'site', 'zone', 'facility', 'bay', 'equipment', 'infrastructure'],
  line: ['reference', 'pipe', 'connection', 'infrastructure'],
  point: ['label', 'equipment', 'connection', 'infrastructure', 'reference'],
};

/** The content of the map that a file is added to. */
export interface Ground {
  has(uniqueId: string): boolean;
  /** An existing device that is not on the map yet. */
  canPlace(deviceId: string): boolean;
}

export interface ImportPlan {
  shapes: FoundShape[];
  /** On the map already: left out. */
  known: number;
  skipped: number;
  /** Kinds among the shapes whose type must be chosen. */
  untyped: Outline[];
}

function outlineOf({ type }: Geometry): Outline {
  if (type.endsWith('Polygon')) return 'area';
  return type.endsWith('LineString') ? 'line' : 'point';
}

/** What would be added from a file. Devices that cannot be placed here lose their link and become ordinary points. */
export function planImport({ shapes, skipped }: FoundShapes, ground: Ground): ImportPlan {
  const isNew = ({ unique_id }: FoundShape): boolean => unique_id === undefined || !ground.has(unique_id);
  const added = shapes.filter(isNew).map((shape) => withoutStrangeDevice(shape, ground));
  const untyped = outlines.filter((outline) =>
    added.some(({ type, geometry }) => type === undefined && outlineOf(geometry) === outline),
  );
  return { shapes: added, known: shapes.length - added.length, skipped, untyped };
}

function withoutStrangeDevice(shape: FoundShape, ground: Ground): FoundShape {
  const { device_id, channel: _, ...others } = shape.others;
  const isPlaceable = shape.type === 'device' && typeof device_id === 'string' && ground.canPlace(device_id);
  if (isPlaceable) return shape;
  return { ...shape, type: shape.type === 'device' ? undefined : shape.type, others };
}

const uuidPattern = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** The features to send, with the ids that they have in the file; the second of an id, and what has none, gets a new one. */
export function featuresOf(
  shapes: readonly FoundShape[],
  chosen: Readonly<Record<Outline, FeatureType>>,
  newId: () => string,
): Feature[] {
  const used = new Set<string>();
  return shapes.map(({ geometry, name, type, others, unique_id: said = '' }) => {
    const unique_id = uuidPattern.test(said) && !used.has(said) ? said : newId();
    used.add(unique_id);
    return {
      type: 'Feature',
      geometry,
      properties: { ...others, type: type ?? chosen[outlineOf(geometry)], name, unique_id },
    };
  });
}

/** The features named in a refusal, by index, with the first fault of each. */
export function faultyOf(fields: readonly { path: string; message: string }[]): Map<number, string> {
  const faulty = new Map<number, string>();
  for (const { path, message } of fields) {
    const index = /^added\[(\d+)\]/.exec(path)?.[1];
    if (index !== undefined && !faulty.has(Number(index))) faulty.set(Number(index), message);
  }
  return faulty;
}
