import { describe, expect, it } from 'vitest';
import type { OutputOrigin } from '../../../server/contract/output.ts';
import { StateStore } from '../../../server/measurement/sqlite/state-store.ts';
import { testDatabase } from '../../support/database.ts';

type Mark = [state: number | null, time_ms: number];

function intervals(marks: readonly Mark[], { isRestarted = false } = {}): unknown[] {
  const db = testDatabase('measurements');
  const states = new StateStore(db);
  for (const [state, time_ms] of marks) states.mark(1, { state, time_ms, origin: null });
  if (isRestarted) states.loseSight();
  return db.prepare('SELECT start_ms, end_ms, seen_ms, state FROM state_interval ORDER BY start_ms').raw().all();
}

describe('state intervals', () => {
  it.each<[string, Mark[], unknown[]]>([
    ['the first state begins one', [[100, 10]], [[10, null, 10, 100]]],
    [
      'the same state again vouches for it',
      [
        [100, 10],
        [100, 70],
      ],
      [[10, null, 70, 100]],
    ],
    [
      'another ends it',
      [
        [100, 10],
        [0, 30],
      ],
      [
        [10, 30, 30, 100],
        [30, null, 30, 0],
      ],
    ],
    [
      'unknown is a state of its own',
      [
        [100, 10],
        [null, 20],
        [0, 30],
      ],
      [
        [10, 20, 20, 100],
        [20, 30, 30, null],
        [30, null, 30, 0],
      ],
    ],
    [
      'two of one moment are the later one',
      [
        [100, 10],
        [40, 10],
      ],
      [[10, null, 10, 40]],
    ],
    [
      'a clock that was set back makes nothing overlap',
      [
        [100, 10],
        [0, 5],
      ],
      [[10, null, 10, 0]],
    ],
    [
      'after a silence that nobody vouched for it was unknown',
      [
        [100, 10],
        [100, 70],
        [100, 200_000],
      ],
      [
        [10, 70, 70, 100],
        [70, 200_000, 200_000, null],
        [200_000, null, 200_000, 100],
      ],
    ],
    [
      'whatever state it is in then',
      [
        [100, 10],
        [0, 200_000],
      ],
      [
        [10, 200_000, 200_000, null],
        [200_000, null, 200_000, 0],
      ],
    ],
    [
      'two minutes are no such silence',
      [
        [100, 10],
        [100, 120_010],
      ],
      [[10, null, 120_010, 100]],
    ],
  ])('%s', (_name, marks, expected) => {
    expect(intervals(marks)).toEqual(expected);
  });

  it('are unknown from the last word of a daemon that is gone', () => {
    const marks: Mark[] = [
      [100, 10],
      [100, 70],
    ];
    expect(intervals(marks, { isRestarted: true })).toEqual([
      [10, 70, 70, 100],
      [70, null, 70, null],
    ]);
    expect(intervals([[100, 10]], { isRestarted: true })).toEqual([[10, null, 10, null]]);
  });
});

describe('the origins of states', () => {
  const by = (actor: string): OutputOrigin => ({ source: 'manual', actor, reason: null, rule: null });
  type Told = [state: number | null, time_ms: number, actor: string | null];

  function origins(marks: readonly Told[], { isRestarted = false } = {}): unknown[] {
    const db = testDatabase('measurements');
    const states = new StateStore(db);
    for (const [state, time_ms, actor] of marks)
      states.mark(1, { state, time_ms, origin: actor === null ? null : by(actor) });
    if (isRestarted) states.loseSight();
    const rows = db.prepare<[], [number, string]>('SELECT start_ms, origin FROM state_origin ORDER BY start_ms').raw();
    return rows.all().map(([start_ms, origin]) => [start_ms, (JSON.parse(origin) as OutputOrigin).actor]);
  }

  it.each<[string, Told[], unknown[]]>([
    [
      'are kept with the beginning of each',
      [
        [100, 10, 'kim'],
        [0, 30, 'lee'],
      ],
      [
        [10, 'kim'],
        [30, 'lee'],
      ],
    ],
    [
      'stay when the same state is said again, by another',
      [
        [100, 10, 'kim'],
        [100, 70, 'lee'],
      ],
      [[10, 'kim']],
    ],
    [
      'are none where nobody drove it there',
      [
        [100, 10, 'kim'],
        [0, 30, null],
      ],
      [[10, 'kim']],
    ],
    [
      'follow a correction of the same moment',
      [
        [100, 10, 'kim'],
        [40, 10, 'lee'],
      ],
      [[10, 'lee']],
    ],
    [
      'go with what was corrected to nobody',
      [
        [100, 10, 'kim'],
        [40, 10, null],
      ],
      [],
    ],
    [
      'are none of what nobody saw',
      [
        [100, 10, 'kim'],
        [100, 70, 'kim'],
        [0, 200_000, 'lee'],
      ],
      [
        [10, 'kim'],
        [200_000, 'lee'],
      ],
    ],
  ])('%s', (_name, marks, expected) => {
    expect(origins(marks)).toEqual(expected);
  });

  it('end where a daemon is gone', () => {
    expect(
      origins(
        [
          [100, 10, 'kim'],
          [100, 70, 'kim'],
        ],
        { isRestarted: true },
      ),
    ).toEqual([[10, 'kim']]);
    expect(origins([[100, 10, 'kim']], { isRestarted: true })).toEqual([]);
  });
});
