import type { Feature, FeatureType, Geometry } from '../../../server/contract/overlay.ts';
import { mayHaveForm, type GeometryFaultKind } from '../../../server/domain/geometry/feature-geometry.ts';
import { isAlike } from '../../map/alike.ts';
import { idOf } from '../../map/edit-buffer.ts';
import { refusedOf, type RefusedShape } from '../../map/refused-shape.ts';
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

interface RefusedEntry {
  name: string;
  kind: RefusedShape['kind'] | 'none';
}

export interface ImportPlan {
  shapes: FoundShape[];
  /** On the map already, and no different: left out. */
  known: number;
  /** On the map already, and different there. */
  changed: ChangedShape[];
  /** What the file has and no map takes, with the reason. */
  refused: RefusedEntry[];
  /** Kinds among the shapes whose type must be chosen. */
  untyped: Outline[];
}

export function outlineOf({ type }: Geometry): Outline {
  if (type.endsWith('Polygon')) return 'area';
  return type.endsWith('LineString') ? 'line' : 'point';
}

/**
 * What would be added from a file, with rests. Devices that cannot be placed here lose their link and become ordinary
 * points.
 */
export function* planImport({ shapes, skipped }: FoundShapes, ground: Ground): Generator<void, ImportPlan> {
  const [added, changed]: [FoundShape[], ChangedShape[]] = [[], []];
  const seen = new Map<string, Geometry[]>();
  const refused = skipped.map((name): RefusedEntry => ({ name, kind: 'none' }));
  let known = 0;
  for (const shape of shapes) {
    yield;
    const { unique_id: id, geometry } = shape;
    const on = id === undefined ? undefined : ground.find(id);
    if (id === undefined || on === undefined) {
      const taken = withoutStrangeDevice(shape, ground);
      const kind = faultOf(taken);
      if (kind === undefined) added.push(taken);
      else refused.push({ name: shape.name, kind });
      continue;
    }
    const before = seen.get(id) ?? [];
    const replaced = replacedBy(shape, on);
    const unsound = replaced === null ? null : refusedOf({ put: [replaced] }, ground.find);
    if (unsound !== null) {
      refused.push({ name: shape.name || on.properties.name, kind: unsound.kind });
      continue;
    }
    const isPiece = before.length > 0;
    if (isPiece ? before.some((one) => isAlike(one, geometry)) : replaced === null) known += 1;
    else changed.push({ shape, on, replaced, isPiece });
    seen.set(id, [...before, geometry]);
  }
  const untyped = outlines.filter((outline) =>
    added.some(({ type, geometry }) => type === undefined && outlineOf(geometry) === outline),
  );
  return { shapes: added, known, changed, refused, untyped };
}

/** What becomes of the changed shapes of a plan: edits of those on the map, and shapes to add beside them. */
export function changesBy(
  changed: readonly ChangedShape[],
  choice: ChangeChoice,
): { put: Feature[]; add: FoundShape[] } {
  if (choice === 'skip') return { put: [], add: [] };
  const isBeside = ({ isPiece }: ChangedShape): boolean => isPiece || choice === 'add';
  return {
    put: changed.flatMap((one) => (isBeside(one) ? [] : (one.replaced ?? []))),
    add: changed.filter(isBeside).map(({ shape, on }) => asNew(shape, on)),
  };
}

/** The same beside the map as it is now: others may have changed or removed shapes since the plan was made. */
export function present(changed: readonly ChangedShape[], find: Ground['find']): ChangedShape[] {
  return changed.flatMap((one) => {
    const on = find(idOf(one.on));
    if (on === one.on) return one;
    return on === undefined ? [] : { ...one, on, replaced: replacedBy(one.shape, on) };
  });
}

/** With an id of its own; a device stands in one place. */
function asNew({ others, ...shape }: FoundShape, on: Feature): FoundShape {
  const { device_id: _device, channel: _channel, ...rest } = others;
  const type = shape.type ?? on.properties.type;
  return { ...shape, unique_id: undefined, type: type === 'device' ? undefined : type, others: withoutPlan(rest) };
}

/** Of a pipe that is drawn beside those of its plan: the next laying of the plan would remove it with them. */
export function withoutPlan({ plan_id: _, ...others }: FoundShape['others']): FoundShape['others'] {
  return others;
}

/** A type that the file does not say is chosen to fit. */
function faultOf({ geometry, type, fault }: FoundShape): GeometryFaultKind | undefined {
  return fault ?? (type === undefined || mayHaveForm(type, geometry) ? undefined : 'kind');
}

function withoutStrangeDevice(shape: FoundShape, ground: Ground): FoundShape {
  const { device_id, channel: _, ...others } = shape.others;
  const isPlaceable = shape.type === 'device' && typeof device_id === 'string' && ground.canPlace(device_id);
  if (isPlaceable) return shape;
  return { ...shape, type: shape.type === 'device' ? undefined : shape.type, others };
}

const uuidPattern = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * The features to send, with rests. They keep the ids that they have in the file; the second of an id, and what has
 * none, gets a new one.
 */
export function* featuresOf(
  shapes: readonly FoundShape[],
  chosen: Readonly<Record<Outline, FeatureType>>,
  newId: () => string,
): Generator<void, Feature[]> {
  const used = new Set<string>();
  const features: Feature[] = [];
  for (const { geometry, name, type, others, unique_id: said = '' } of shapes) {
    const unique_id = uuidPattern.test(said) && !used.has(said) ? said : newId();
    used.add(unique_id);
    const properties = { ...others, type: type ?? chosen[outlineOf(geometry)], name, unique_id };
    features.push({ type: 'Feature', geometry, properties });
    yield;
  }
  return features;
}

/** The features named in a refusal, by index, with the first fault of each. */
export function faultyOf<Field extends { path: string }>(fields: readonly Field[]): Map<number, Field> {
  const faulty = new Map<number, Field>();
  for (const field of fields) {
    const index = /^added\[(\d+)\]/.exec(field.path)?.[1];
    if (index !== undefined && !faulty.has(Number(index))) faulty.set(Number(index), field);
  }
  return faulty;
}
