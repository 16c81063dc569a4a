import { describe, expect, it } from 'vitest';
import type { Point } from '../../../../server/domain/pipes/plane.ts';
import { runsOf } from '../../../../server/domain/pipes/tree.ts';

const at = (x: number, y: number): Point => ({ x, y });

describe('runsOf', () => {
  const [pump, left, right, end] = [at(0, 0), at(10, 10), at(10, -10), at(20, 0)] as const;
  const terminals = [pump, left, right, end];
  const pipes = [
    [at(10, 0), pump],
    [at(10, 0), left],
    [right, at(10, 0)],
    [at(10, 0), at(15, 0)],
    [end, at(15, 0)],
  ];

  it('reads pipes of any direction from the source on', () => {
    const { runs } = runsOf(pipes, terminals);
    expect(runs.map(({ from, to, serves }) => [from, to, serves.toSorted()])).toEqual([
      [{ terminal: 0 }, { junction: 1 }, [1, 2, 3]],
      [{ junction: 1 }, { terminal: 1 }, [1]],
      [{ junction: 1 }, { terminal: 2 }, [2]],
      [{ junction: 1 }, { terminal: 3 }, [3]],
    ]);
    expect(runs[3]?.way).toEqual([at(10, 0), at(15, 0), end]);
  });

  it.each([
    ['a cross where four pipes meet', pipes, terminals, { cross: 1 }],
    [
      'a tee at a device on the way',
      [
        [at(0, 0), at(5, 0)],
        [at(5, 0), at(9, 0)],
      ],
      [at(0, 0), at(5, 0), at(9, 0)],
      { tee: 1 },
    ],
    ['an elbow', [[at(0, 0), at(5, 0), at(5, 5)]], [at(0, 0), at(5, 5)], { elbow_90: 1 }],
    ['a flat elbow', [[at(0, 0), at(5, 0), at(9, 4)]], [at(0, 0), at(9, 4)], { elbow_45: 1 }],
    ['nothing over a short jog', [[at(0, 0), at(5, 0), at(5, 0.1), at(9, 0.1)]], [at(0, 0), at(9, 0.1)], {}],
  ])('counts %s', (_, given, ends, expected) => {
    const none = { elbow_45: 0, elbow_90: 0, tee: 0, cross: 0 };
    expect(runsOf(given, ends).fittings).toEqual({ ...none, ...expected });
  });
});
