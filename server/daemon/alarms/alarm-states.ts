import type { AlarmState, AlarmTransition } from '../../contract/alarm.ts';

/** What decides between two next states of one cell. */
export interface AlarmFacts {
  /** Whether the condition is present. */
  is_raised: boolean;
  /** Whether it needs a reset after it was acknowledged and its condition ended. */
  is_latching: boolean;
}

type Target = AlarmState | ((facts: AlarmFacts) => AlarmState);

const byCondition: Target = ({ is_raised }) => (is_raised ? 'unacknowledged' : 'normal');
const byLatch: Target = ({ is_latching }) => (is_latching ? 'latched' : 'normal');
const silence = { shelve: 'shelved', suppress: 'suppressed', remove_from_service: 'out_of_service' } as const;

/** ISA-18.2, 2016, figure 2. A missing cell means that the event changes nothing in that state. */
const table: Readonly<Record<AlarmState, Partial<Record<AlarmTransition, Target>>>> = {
  normal: { ...silence, raise: 'unacknowledged' },
  unacknowledged: { ...silence, clear: 'returned', acknowledge: 'acknowledged' },
  acknowledged: { ...silence, clear: byLatch },
  returned: { ...silence, raise: 'unacknowledged', acknowledge: 'normal' },
  latched: { ...silence, raise: 'unacknowledged', acknowledge: 'normal' },
  shelved: { unshelve: byCondition, remove_from_service: 'out_of_service' },
  suppressed: { unsuppress: byCondition, shelve: 'shelved', remove_from_service: 'out_of_service' },
  out_of_service: { return_to_service: byCondition },
};

/** The state after an event, undefined when the event changes nothing. */
export function nextState(state: AlarmState, transition: AlarmTransition, facts: AlarmFacts): AlarmState | undefined {
  const target = table[state][transition];
  return typeof target === 'function' ? target(facts) : target;
}
