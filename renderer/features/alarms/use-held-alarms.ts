import { computed, shallowRef, watch, type ComputedRef, type Ref } from 'vue';
import type { Alarm } from '../../../server/contract/alarm.ts';

interface HeldAlarms {
  /** The alarms as they were when the list was last put in order: their places go by this. */
  held: Readonly<Ref<readonly Alarm[]>>;
  /** What came since, and what was a consequence and speaks for itself by now. */
  added: ComputedRef<readonly Alarm[]>;
  /** An alarm as it is now; normal when it is over. */
  present: (alarm: Alarm) => Alarm;
  /** Puts the list in order again. */
  take: () => void;
  /** Lets go of those that are over; the others stay where they are. */
  dropOver: () => void;
}

/** Keeps every alarm where it stands while somebody aims at it, whatever comes, changes or ends. */
export function useHeldAlarms(live: Readonly<Ref<readonly Alarm[]>>): HeldAlarms {
  const held = shallowRef(live.value);
  watch(live, (now) => {
    if (held.value.length === 0 || now.length === 0) held.value = now;
  });
  const byId = computed(() => new Map(live.value.map((alarm) => [alarm.alarm_id, alarm])));
  const before = computed(() => new Map(held.value.map(({ alarm_id, state }) => [alarm_id, state])));
  const isAdded = ({ alarm_id, state }: Alarm): boolean => {
    const known = before.value.get(alarm_id);
    return known === undefined || (known === 'suppressed' && state !== 'suppressed');
  };
  return {
    held,
    added: computed(() => live.value.filter(isAdded)),
    present: (alarm) => byId.value.get(alarm.alarm_id) ?? { ...alarm, state: 'normal', is_raised: false },
    take: () => {
      held.value = live.value;
    },
    dropOver: () => {
      held.value = held.value.filter(({ alarm_id }) => byId.value.has(alarm_id));
    },
  };
}
