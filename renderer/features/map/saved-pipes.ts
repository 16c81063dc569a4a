import type { Feature } from '../../../server/contract/overlay.ts';
import { pipeFeature, type PipeFeature } from '../../../server/contract/pipe.ts';

/** Pipes of the map that a plan has laid, with the figures that were worked out when they were saved. */
export function savedPipes(features: readonly Feature[]): PipeFeature[] {
  return features.flatMap((feature) => {
    const { type, plan_id } = feature.properties;
    return type === 'pipe' && plan_id !== undefined ? (pipeFeature.safeParse(feature).data ?? []) : [];
  });
}
