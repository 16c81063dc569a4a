import type { Feature, FeatureType } from '../../../server/contract/overlay.ts';
import { hasAttributes } from './attributes.ts';
import { outlineOf, typesFor } from './import-plan.ts';

/** The types that all of these may become; none where one is a device or planned, or where they are not of one kind. */
export function typesOf(shapes: readonly Feature[]): FeatureType[] {
  const [outline, ...others] = new Set(shapes.map(({ geometry }) => outlineOf(geometry)));
  const isFixed = (one: Feature): boolean => one.properties.device_id !== undefined || !hasAttributes(one);
  if (outline === undefined || others.length > 0 || shapes.some(isFixed)) return [];
  return [...new Set([...typesFor[outline], ...shapes.map(({ properties }) => properties.type)])];
}
