import type { Feature, FeatureType, Geometry } from '../../../server/contract/overlay.ts';
import { idOf } from '../../map/edit-buffer.ts';
import { refusedOf } from '../../map/refused-shape.ts';
import type { FoundShape, FoundShapes } from '../../map/geojson.ts';
import { replacedBy, type ChangeChoice, type ChangedShape } from './import-changes.ts';

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
  find: (uniqueId: string) => Feature | undefined;
  /** An existing device that is not on the map yet. */
  canPlace: (deviceId: string) => boolean;
}

export interface ImportPlan {
  shapes: FoundShape[];
  /** On the map already, and no different: left out. */
  known: number;
  /** On the map already, and different there. */
  changed: ChangedShape[];
  skipped: number;
  /** Kinds among the shapes whose type must be chosen. */
  untyped: Outline[];
}

export function outlineOf({ type }: Geometry): Outline {
  if (type.endsWith('Polygon')) return 'area';
  return type.endsWith('LineString') ? 'line' : 'point';
}

/** What would be added from a file. Devices that cannot be placed here lose their link and become ordinary points. */
export function planImport({ shapes, skipped }: FoundShapes, ground: Ground): ImportPlan {
  const [added, changed]: [FoundShape[], ChangedShape[]] = [[], []];
  const seen = new Set<string>();
  let [known, unsound] = [0, 0];
  for (const shape of shapes) {
    const { unique_id: id } = shape;
    const on = id === undefined ? undefined : ground.find(id);
    if (id === undefined || on === undefined) added.push(withoutStrangeDevice(shape, ground));
    else {
      const replaced = replacedBy(shape, on);
      if (replaced !== null && refusedOf({ put: [replaced], remove: [] }, ground.find) !== null) unsound += 1;
      // A shape that was cut in another program is there twice, each piece with the id.
      else if (seen.has(id) || replaced !== null) changed.push({ shape, on });
      else known += 1;
    }
    if (id !== undefined) seen.add(id);
  }
  const untyped = outlines.filter((outline) =>
    added.some(({ type, geometry }) => type === undefined && outlineOf(geometry) === outline),
  );
  return { shapes: added, known, changed, skipped: skipped + unsound, untyped };
}

/** What becomes of the changed shapes of a plan: edits of those on the map, and shapes to add beside them. */
export function changesBy(
  changed: readonly ChangedShape[],
  choice: ChangeChoice,
): { put: Feature[]; add: FoundShape[] } {
  const put = new Map<string, Feature>();
  const add: FoundShape[] = [];
  for (const { shape, on } of choice === 'skip' ? [] : changed) {
    const id = idOf(on);
    const replaced = choice === 'add' || put.has(id) ? null : replacedBy(shape, on);
    if (replaced !== null) put.set(id, replaced);
    else add.push(asNew(shape, on));
  }
  return { put: [...put.values()], add };
}

/** With an id of its own; a device stands in one place. */
function asNew({ others, ...shape }: FoundShape, on: Feature): FoundShape {
  const { device_id: _device, channel: _channel, ...rest } = others;
  const type = shape.type ?? on.properties.type;
  return { ...shape, unique_id: undefined, type: type === 'device' ? undefined : type, others: rest };
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
