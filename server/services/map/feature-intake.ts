import { randomUUID } from 'node:crypto';
import { Refusal, type FieldError } from '../../contract/errors.ts';
import type { FeatureInput, SaveResult } from '../../contract/overlay.ts';
import type { DrawnFeature } from '../../db/repositories/overlay.ts';
import { checkGeometry, isAreal, isFault, geometrySaid } from '../../domain/geometry/feature-geometry.ts';

/** A feature as it will be stored, with its place in the request. */
export interface SentFeature extends DrawnFeature {
  /** E.g. `features[3]`. */
  path: string;
  /** Whether a facility can stand on it. */
  isAreal: boolean;
}

export interface Intake {
  features: SentFeature[];
  warnings: SaveResult['warnings'];
}

export interface SentList {
  /** Field of the request: features, added or modified. */
  field: string;
  features: readonly FeatureInput[];
  /** True when only known features may appear, so that each must name its id. */
  needsId?: boolean;
}

/** More errors would not help the caller. */
const errorLimit = 100;

/**
 * Reads the features sent for a map: checks geometry, adds missing ids, drops foreign members. Refuses with
 * invalid_geometry, read_only_field or invalid_field, naming up to 100 places.
 */
export function takeIn(mapId: string, { field, features, needsId = false }: SentList): Intake {
  const errors: FieldError[] = [];
  const dropped = new Map<string, { count: number; first: string }>();
  const taken: SentFeature[] = [];
  for (const [index, feature] of features.entries()) {
    const path = `${field}[${index}]`;
    for (const member of foreignMembers(feature)) count(dropped, member, path);
    const read = readFeature(feature, path, { mapId, needsId });
    if (!('code' in read)) taken.push(read);
    else if (errors.push(read) === errorLimit) break;
  }
  const [first] = errors;
  if (first !== undefined) throw refusalOf(first, errors);
  return { features: taken, warnings: warningsOf(dropped) };
}

function refusalOf(first: FieldError, errors: FieldError[]): Refusal {
  const code = first.code === 'read_only_field' || first.code === 'invalid_field' ? first.code : 'invalid_geometry';
  return new Refusal(code, `${first.path} ${first.message}`, { errors });
}

function readFeature(
  sent: FeatureInput,
  path: string,
  { mapId, needsId }: { mapId: string; needsId: boolean },
): SentFeature | FieldError {
  const { type, name = '', unique_id: id, map_uuid: map, ...others } = sent.properties;
  if (id === undefined && needsId) {
    return {
      path: `${path}.properties.unique_id`,
      code: 'invalid_field',
      message: 'is needed to know which to change',
    };
  }
  if (map !== undefined && (typeof map !== 'string' || map.toLowerCase() !== mapId)) {
    return { path: `${path}.properties.map_uuid`, code: 'read_only_field', message: 'is another map' };
  }
  const checked = checkGeometry(sent.geometry, type);
  if (isFault(checked)) return { path: `${path}.${checked.path}`, code: 'invalid_geometry', ...geometrySaid(checked) };
  const uniqueId = id ?? randomUUID();
  return {
    unique_id: uniqueId,
    type,
    geometry: JSON.stringify(checked.geometry),
    properties: JSON.stringify({ type, name, unique_id: uniqueId, ...others }),
    ...placeOf(type, others),
    ...checked.bounds,
    path,
    isAreal: isAreal(checked.geometry),
  };
}

/** Only a feature of type device places one; elsewhere device_id is an ordinary property. */
function placeOf(
  type: string,
  { device_id, channel }: { device_id?: string | undefined; channel?: number | undefined },
): Pick<DrawnFeature, 'device_id' | 'channel'> {
  if (type !== 'device' || device_id === undefined) return { device_id: null, channel: null };
  return { device_id, channel: channel ?? null };
}

function foreignMembers(feature: FeatureInput): string[] {
  return [
    ...Object.keys(feature).filter((member) => !['type', 'geometry', 'properties'].includes(member)),
    ...Object.keys(feature.geometry)
      .filter((member) => !['type', 'coordinates'].includes(member))
      .map((member) => `geometry.${member}`),
  ];
}

function count(dropped: Map<string, { count: number; first: string }>, member: string, path: string): void {
  const known = dropped.get(member);
  if (known === undefined) dropped.set(member, { count: 1, first: path });
  else known.count += 1;
}

function warningsOf(dropped: ReadonlyMap<string, { count: number; first: string }>): SaveResult['warnings'] {
  return Array.from(dropped, ([member, { count, first }]) => ({
    code: 'foreign_member_dropped' as const,
    message: `${member} of ${count} features is not kept, first of ${first}: put it into properties`,
  })).slice(0, errorLimit);
}
