import { expect, it } from 'vitest';
import { lineLook, type LineKind } from '../../../../renderer/chart/lines.ts';
import { mostLines } from '../../../../renderer/features/trends/channels.ts';

const kinds: readonly (LineKind | 'measured')[] = ['measured', 'earlier', 'elsewhere', 'forecast'];

it('gives every line of a full chart a look of its own, and every kind dashes of its own', () => {
  const looks = kinds.flatMap((kind) =>
    Array.from({ length: mostLines }, (_, index) => ({ kind, ...lineLook(index, kind) })),
  );
  expect(new Set(looks.map(({ light, dash }) => `${light} ${dash.join()}`)).size).toBe(looks.length);
  const dashesOf = (wanted: string) =>
    new Set(looks.flatMap(({ kind, dash }) => (kind === wanted ? [dash.join()] : [])));
  const dashes = kinds.flatMap((kind) => [...dashesOf(kind)]);
  expect(new Set(dashes).size).toBe(dashes.length);
});
