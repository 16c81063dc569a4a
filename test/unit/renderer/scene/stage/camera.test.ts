import { expect, it } from 'vitest';
import { baysOf, type Outline } from '../../../../../renderer/scene/bays.ts';
import { rowPlaces } from '../../../../../renderer/scene/frame.ts';
import { doorOf } from '../../../../../renderer/scene/stage/camera.ts';

const size = { length_m: 60, bay_width_m: 6.4, eave_height_m: 5, rise_m: 0.9, spacing_m: 2 };

it.each(
  (['connected', 'single'] as const).flatMap((structure) =>
    [1, 2, 3, 10, 200].map((bay_count): Outline => ({ ...size, structure, bay_count, roof_type: 'gable' })),
  ),
)('a walk begins inside, clear of posts and rows: $structure, $bay_count bays', (outline) => {
  const { position, target } = doorOf(outline);
  const away = (places: readonly number[]): number => Math.min(...places.map((x) => Math.abs(x - position.x)));
  const bays = baysOf(outline);
  expect(bays.some(({ left_m, right_m }) => position.x > left_m && position.x < right_m)).toBe(true);
  expect(away(bays.flatMap(({ left_m, right_m }) => [left_m, right_m]))).toBeGreaterThan(0.8);
  expect(away(rowPlaces(outline))).toBeGreaterThan(0.8);
  expect(target.x).toBe(position.x);
});
