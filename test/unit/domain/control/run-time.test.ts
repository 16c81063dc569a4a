import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  afterRun,
  nextRun,
  unreckoned,
  type Reckoned,
  type RunTimeDrive,
} from '../../../../server/domain/control/run-time.ts';

const drive: RunTimeDrive = { travel_s: 100, slack_s: 2, home_pct: 0 };
const at = (pct: number | null, drift_pct = 0, direction: Reckoned['direction'] = 'out'): Reckoned => ({
  pct,
  drift_pct,
  direction,
});

describe('nextRun', () => {
  it.each([
    ['a move on the same way', at(20), 50, ['out', 50, 30]],
    ['a move back takes up the play', at(50), 20, ['back', 20, 32]],
    ['an end takes a tenth longer and the play', at(40), 0, ['back', 0, 52]],
    ['the other end', at(40), 100, ['out', 100, 72]],
    ['an end where it seems to stand, but is not sure', at(0, 3, 'back'), 0, ['back', 0, 15]],
    ['a position that is not known: its home first', unreckoned, 50, ['back', 0, 112]],
    ['an end from a position that is not known', unreckoned, 100, ['out', 100, 112]],
    ['a drift too large: its home first', at(60, 5.1), 50, ['back', 0, 77.1]],
  ] as const)('%s', (_, from, target, [direction, to_pct, run_s]) => {
    const run = nextRun(from, target, drive);
    expect({ ...run, run_s: run?.run_s.toFixed(1) }).toMatchObject({ direction, to_pct, run_s: run_s.toFixed(1) });
  });

  it.each([
    ['where it is', at(50, 2), 50],
    ['where it is within a per cent', at(50, 2), 50.8],
    ['an end that is certain', at(100), 100],
  ] as const)('none: %s', (_, from, target) => {
    expect(nextRun(from, target, drive)).toBeNull();
  });

  it('finds itself anew where it is safe', () => {
    expect(nextRun(at(60, 9), 50, { ...drive, home_pct: 100 })).toMatchObject({ direction: 'out', to_pct: 100 });
  });
});

describe('afterRun', () => {
  it('is certain at an end alone, and only when the whole run was made', () => {
    const run = nextRun(at(40, 4), 0, drive);
    if (run === null) throw new Error('it stands at 40 %');
    expect(afterRun(run, run.run_s, drive)).toEqual(at(0, 0, 'back'));
    const short = afterRun(run, 20, drive);
    expect([short.pct, short.drift_pct > 4]).toEqual([22, true]);
  });

  it('stays unknown where a run that begins nowhere is cut short', () => {
    const run = nextRun(unreckoned, 0, drive);
    expect(run && afterRun(run, 60, drive).pct).toBeNull();
  });
});

it('a real drive of another speed is never further off than the drift says', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0.991, max: 1.009, noNaN: true }),
      fc.double({ min: 0, max: 2, noNaN: true }),
      fc.array(fc.tuple(fc.integer({ min: 0, max: 100 }), fc.double({ min: 0.05, max: 1, noNaN: true })), {
        minLength: 1,
        maxLength: 80,
      }),
      (speed, slack_s, moves) => {
        let known: Reckoned = unreckoned;
        let real = 37;
        let [last, play_s]: [Reckoned['direction'], number] = [null, 0];
        for (const [target, share] of moves) {
          for (let n = 0; n < 3; n += 1) {
            const run = nextRun(known, target, { ...drive, slack_s });
            if (run === null) break;
            const ran_s = n === 0 ? share * run.run_s : run.run_s;
            if (run.direction !== last) play_s = slack_s;
            last = run.direction;
            const lost_s = Math.min(play_s, ran_s);
            play_s -= lost_s;
            const way = (100 * (ran_s - lost_s) * speed) / drive.travel_s;
            real = Math.min(100, Math.max(0, real + (run.direction === 'out' ? way : -way)));
            known = afterRun(run, ran_s, { ...drive, slack_s });
            if (known.pct !== null) expect(Math.abs(known.pct - real)).toBeLessThanOrEqual(known.drift_pct + 1e-9);
          }
        }
      },
    ),
    { numRuns: 300 },
  );
});
