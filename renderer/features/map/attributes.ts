import type { Feature } from '../../../server/contract/overlay.ts';
import { jsonInOrder } from '../../../server/contract/plain-data.ts';
import { readDecimal } from '../../units/decimal.ts';

/** A property that is not one of the map's own, of one or several shapes. */
export interface Attribute {
  key: string;
  /** As text; null where it differs among the shapes. */
  text: string | null;
  value: unknown;
  /** Lists and objects of other programs are only shown. */
  isPlain: boolean;
}

/** Properties with a meaning here: they have fields of their own, or none. */
const own = ['type', 'name', 'unique_id', 'device_id', 'channel', 'map_uuid', 'no_trench', 'inner_mm'] as const;
const refusedKeys: ReadonlySet<string> = new Set([...own, 'plan_id', '__proto__']);

/** More shapes are not put together at each change of one of them. */
export const mostDescribed = 5_000;
export const longestKey = 64;
export const longestValue = 1_000;

type KeyFault = 'taken' | 'own';

/** The figures of a planned pipe come from the plan. */
export function hasAttributes({ properties }: Feature): boolean {
  return properties['plan_id'] === undefined;
}

/** In the order in which the first shape with them has them. */
export function attributesOf(shapes: readonly Feature[]): Attribute[] {
  const keys = new Set(shapes.flatMap(({ properties }) => Object.keys(properties)));
  return [...keys].filter((key) => !refusedKeys.has(key)).map((key) => attributeOf(shapes, key));
}

function attributeOf(shapes: readonly Feature[], key: string): Attribute {
  const [value, ...others] = shapes.map(({ properties }) => properties[key]);
  const text = textOf(value);
  const differs = others.some((one) => typeof one !== typeof value || textOf(one) !== text);
  const isPlain = shapes.every(({ properties }) => typeof properties[key] !== 'object' || properties[key] === null);
  return { key, text: differs ? null : text, value: differs ? undefined : value, isPlain };
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : jsonInOrder(value);
}

/** What a text means in place of a value: numbers stay numbers and switches stay switches, else it is a text. */
export function attributeValue(text: string, before: unknown): unknown {
  if (typeof before === 'number') return readDecimal(text) ?? text;
  if (typeof before === 'boolean' && ['true', 'false'].includes(text)) return text === 'true';
  const isNew = before === undefined || before === null;
  return isNew && text !== '' && String(Number(text)) === text && Number.isFinite(Number(text)) ? Number(text) : text;
}

/** Why an attribute cannot be added; null when it can. */
export function keyFault(key: string, shapes: readonly Feature[]): KeyFault | null {
  if (refusedKeys.has(key)) return 'own';
  return shapes.some(({ properties }) => Object.hasOwn(properties, key)) ? 'taken' : null;
}
