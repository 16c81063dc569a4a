import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runsOf } from '../../../../server/domain/geometry/runs.ts';

it('covers the ones of a row, each once, in as few runs as there are', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(0, 1), { maxLength: 40 }), (cells) => {
      const runs = [...runsOf(Uint8Array.from(cells))];
      const filled = cells.map(() => 0);
      for (const { from, length } of runs) filled.fill(1, from, from + length);
      expect(filled).toEqual(cells);
      expect(runs).toHaveLength(cells.filter((cell, at) => cell === 1 && cells[at - 1] !== 1).length);
    }),
  );
});
