import { describe, expect, it } from 'vitest';
import { trigger, type Trigger } from '../../../../server/contract/trigger.ts';
import { endlessLoop } from '../../../../server/domain/control/triggers/endless.ts';

const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [x, y] = [id(1), id(2)];
let count = 10;

/** `x on > y off`: while the first is so, the second is made so. */
function rule(text: string, more: object = {}): Trigger {
  const [seen = '', done = ''] = text.split(' > ');
  const [watched, state] = seen.split(' ');
  const [driven, to] = done.split(' ');
  count += 1;
  const output = (name: string | undefined) => (name === 'x' ? x : y);
  const action = { unique_id: id(count), name: 'do', kind: 'output', output_id: output(driven), state: to === 'on' };
  return trigger.parse({
    unique_id: id(count + 1_000),
    name: text,
    is_activated: true,
    missed: 'skip',
    ...('kind' in more ? {} : { kind: 'output', state }),
    output: { output_id: output(watched) },
    actions: [action],
    ...more,
  });
}

describe('triggers that switch each other', () => {
  it.each<[string, Trigger[], string[] | null]>([
    ['one that ends what it acts by', [rule('x on > x off')], null],
    ['a pair that toggles', [rule('x on > x off'), rule('x off > x on')], ['x on > x off', 'x off > x on']],
    [
      'a pair that comes to rest',
      [rule('x on > y off'), rule('y off > x on'), rule('y on > x off'), rule('x off > y on')],
      null,
    ],
    [
      'a ring over two outputs',
      [rule('x on > y on'), rule('y on > x off'), rule('x off > y off'), rule('y off > x on')],
      ['x on > y on', 'y on > x off', 'x off > y off', 'y off > x on'],
    ],
    ['a pulse, which waits', [rule('x on > x off', { for_s: 10 }), rule('x off > x on', { for_s: 50 })], null],
    ['one of them switched off', [rule('x on > x off'), rule('x off > x on', { is_activated: false })], null],
    [
      'a duty cycle that is passed either way',
      [rule('x on > x off', { kind: 'output_pwm', level: 50, direction: 'both' }), rule('x off > x on')],
      ['x on > x off', 'x off > x on'],
    ],
  ])('%s', (_what, rules, expected) => {
    expect(endlessLoop(rules)).toEqual(expected);
  });
});
