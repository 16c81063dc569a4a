import type { Feature } from '../../../server/contract/overlay.ts';
import { pipeFeature, type PipeFeature } from '../../../server/contract/pipe.ts';

/** Pipes of the map that a plan has laid, with the figures that were worked out when they were saved. */
export function savedPipes(features: readonly Feature[]): PipeFeature[] {
  return features.flatMap((feature) => {
    const { type, plan_id } = feature.properties;
    return type === 'pipe' && plan_id !== undefined ? (pipeFeature.safeParse(feature).data ?? []) : [];
  });
}

/** A pipe that no plan laid: only its owner knows its size. */
export function isOwnersPipe({ properties: { type, plan_id }, geometry }: Feature): boolean {
  return type === 'pipe' && plan_id === undefined && geometry.type === 'LineString';
}

/** The inner diameter that is entered for all of these, mm; null where there is none or they differ. */
export function innerDiameterOf(pipes: readonly Feature[]): number | null {
  const [first, ...others] = new Set(pipes.map(({ properties }) => properties['inner_mm']));
  return typeof first === 'number' && others.length === 0 ? first : null;
}
