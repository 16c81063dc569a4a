import { expect, it } from 'vitest';
import { LineWatch } from '../../../../server/daemon/drivers/modbus/line-watch.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

type Happening = number | 'connected' | 'released' | { missed: number } | { lost: string } | { pause_s: number };
const missed = (unit: number): Happening => ({ missed: unit });
const lost = (why: string): Happening => ({ lost: why });
const pause = (pause_s: number): Happening => ({ pause_s });
const silent = 'connected, but no unit behind it answers';
const suspected = `${silent}?`;

/** What happens, a number for a unit that answers; and what is told. */
const rows: [string, Happening[], (string | null)[]][] = [
  ['answers', [1, 2, 1], [null]],
  ['a refused connection, told once', [lost('refused'), lost('refused')], ['refused']],
  ['a connection that is back', [lost('refused'), 'connected', 1], ['refused', null]],
  ['one silent unit', [1, missed(1), missed(1), missed(1)], [null]],
  ['a silent unit among others', [missed(1), 2, missed(1), 3, missed(1), 2], [null]],
  ['two units that fall silent together', [1, 2, missed(1), missed(2)], [null, silent]],
  [
    'two of three that fall silent together, before the third is asked',
    [1, 2, 3, missed(1), missed(2)],
    [null, suspected],
  ],
  ['and the third too', [1, 2, 3, missed(1), missed(2), missed(3)], [null, suspected, silent]],
  ['and the third answers', [1, 2, 3, missed(1), missed(2), 3, missed(1), missed(2)], [null, suspected, null]],
  ['and the third is to be asked', [1, 2, 3, missed(1), missed(2), pause(299), missed(1)], [null, suspected]],
  ['and the third is asked no more', [1, 2, 3, missed(1), missed(2), pause(300), missed(1)], [null, suspected, silent]],
  ['and answer again', [missed(1), missed(2), 2], [silent, null]],
  [
    'two that are silent for long, polled one after the other',
    [missed(1), missed(2), 3, missed(1), missed(2)],
    [silent, null],
  ],
  ['a gateway that is connected anew while its line is cut', [missed(1), missed(2), 'connected', missed(1)], [silent]],
  [
    'a gateway that is lost and back after its line was cut',
    [missed(1), missed(2), lost('refused'), 'connected', missed(1), missed(2)],
    [silent, 'refused', null, silent],
  ],
  ['a bus that nothing uses any more', [lost('refused'), 'released', lost('refused')], ['refused', null]],
];

it.each(rows)('%s', async (_, happenings, expected) => {
  const told: (string | null)[] = [];
  const clock = new ManualClock();
  const line = new LineWatch(
    () => clock.elapsed(),
    (failure, isSure) => void told.push(isSure ? failure : `${failure}?`),
  );
  for (const one of happenings) {
    if (typeof one === 'number') line.heard(one);
    else if (typeof one === 'string') line[one]();
    else if ('missed' in one) line.missed(one.missed);
    else if ('lost' in one) line.lost(one.lost);
    else await clock.advance(one.pause_s * 1000);
  }
  expect(told).toEqual(expected);
});
