import { describe, expect, it } from 'vitest';
import {
  alarmStates,
  alarmTransitions,
  type AlarmState,
  type AlarmTransition,
} from '../../../../server/contract/alarm.ts';
import { nextState } from '../../../../server/daemon/alarms/alarm-states.ts';

/**
 * Every cell, in the order of `alarmTransitions`: raise, clear, acknowledge, shelve, unshelve, suppress, unsuppress,
 * remove_from_service, return_to_service. `-`: nothing changes. `a/b`: a where the condition is there (of clear: where
 * it latches), else b.
 */
const cells: Record<AlarmState, string> = {
  normal: 'unacknowledged - - shelved - suppressed - out_of_service -',
  unacknowledged: '- returned acknowledged shelved - suppressed - out_of_service -',
  acknowledged: '- latched/normal - shelved - suppressed - out_of_service -',
  returned: 'unacknowledged - normal shelved - suppressed - out_of_service -',
  latched: 'unacknowledged - normal shelved - suppressed - out_of_service -',
  shelved: '- - - - unacknowledged/normal - - out_of_service -',
  suppressed: '- - - shelved - - unacknowledged/normal out_of_service -',
  out_of_service: '- - - - - - - - unacknowledged/normal',
};

interface Cell {
  state: AlarmState;
  transition: AlarmTransition;
  target: string;
}

const rows = alarmStates.flatMap((state) => {
  const targets = cells[state].split(' ');
  return alarmTransitions.map((transition, index): Cell => ({ state, transition, target: targets[index] ?? '' }));
});

describe('the states of an alarm', () => {
  it.each(rows)('$state, $transition: $target', ({ state, transition, target }) => {
    const [yes = '', no = yes] = target.split('/');
    const named = (name: string) => (name === '-' ? undefined : name);
    expect(nextState(state, transition, { is_raised: true, is_latching: true })).toBe(named(yes));
    expect(nextState(state, transition, { is_raised: false, is_latching: false })).toBe(named(no));
  });
});
