import type { Feature } from '../../../server/contract/overlay.ts';
import { jsonInOrder } from '../../../server/contract/plain-data.ts';
import { isAlike, withCornersOf } from '../../map/alike.ts';
import type { FoundShape } from '../../map/geojson.ts';
import { attributeValue, hasAttributes } from './attributes.ts';

/** What to do with shapes of a file that differ from those on the map with their ids. */
export const changeChoices = ['skip', 'replace', 'add'] as const;
export type ChangeChoice = (typeof changeChoices)[number];

/** A shape of a file, and the one on the map with its id. */
export interface ChangedShape {
  shape: FoundShape;
  on: Feature;
  /** The one on the map as the file has it; null where that is no different. */
  replaced: Feature | null;
  /** Not the first of its id: a shape that was cut in another program is there twice, each piece with the id. */
  isPiece: boolean;
}

/**
 * The shape on the map as the file has it; null where it says nothing new. What the file cannot say stays: type,
 * device, properties that it leaves out, kinds of values, figures of a plan, and the digits and altitudes of what did
 * not move.
 */
export function replacedBy({ geometry, name, others }: FoundShape, on: Feature): Feature | null {
  const { device_id: _device, channel: _channel, plan_id: _plan, original_type: _type, ...said } = others;
  const differing = Object.entries(hasAttributes(on) ? said : {})
    .map(([key, value]) => [key, ofKind(value, on.properties[key])] as const)
    .filter(([key, value]) => !saysSame(value, on.properties[key]));
  const isMoved = !isAlike(geometry, on.geometry);
  const isRenamed = name !== '' && !isName(name, on.properties.name);
  if (!isMoved && !isRenamed && differing.length === 0) return null;
  return {
    ...on,
    geometry: isMoved ? withCornersOf(geometry, on.geometry) : on.geometry,
    properties: { ...on.properties, ...Object.fromEntries(differing), name: isRenamed ? name : on.properties.name },
  };
}

/** A Shapefile cuts long names. */
function isName(name: string, ours: string): boolean {
  return (
    name === ours || (new TextEncoder().encode(name).length > longestOfFile - lettersBytes && ours.startsWith(name))
  );
}

const longestOfFile = 254;
/** UTF-8 of one letter: names are cut between letters. */
const lettersBytes = 4;

/** Some formats have texts alone. */
function ofKind(theirs: unknown, ours: unknown): unknown {
  return typeof theirs === 'string' ? attributeValue(theirs, ours) : theirs;
}

function saysSame(theirs: unknown, ours: unknown): boolean {
  const text = (value: unknown): string => (typeof value === 'string' ? value : jsonInOrder(value));
  return ours !== undefined && text(theirs) === text(ours);
}
