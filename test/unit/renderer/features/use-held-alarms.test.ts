import { describe, expect, it } from 'vitest';
import { effectScope, nextTick, shallowRef } from 'vue';
import { byUrgency, type Alarm, type AlarmState } from '../../../../server/contract/alarm.ts';
import { useHeldAlarms } from '../../../../renderer/features/alarms/use-held-alarms.ts';

const at = (minute: number): string => `2026-11-23T08:${String(minute).padStart(2, '0')}:00Z`;

function alarm(alarm_id: string, minute: number, state: AlarmState = 'unacknowledged'): Alarm {
  return {
    alarm_id,
    state,
    code: 'stale',
    severity: 'warning',
    source_kind: 'facility',
    source_id: alarm_id,
    source_name: 'House 1',
    channel: null,
    role: null,
    name: null,
    value: null,
    limit: null,
    unit: null,
    message: null,
    is_raised: true,
    caused_by: null,
    is_first_out: false,
    occurrences: 1,
    raised_at: at(minute),
    changed_at: at(minute),
    acknowledged_by: null,
    acknowledged_at: null,
    shelved_until: null,
  };
}

const inOrder = (...alarms: Alarm[]): Alarm[] => alarms.toSorted(byUrgency);

async function listOf(...first: Alarm[]) {
  const live = shallowRef<readonly Alarm[]>(inOrder(...first));
  const held = effectScope().run(() => useHeldAlarms(live));
  if (held === undefined) throw new Error('no scope');
  return {
    ...held,
    places: () => held.held.value.map((one) => held.present(one)).map(({ alarm_id, state }) => `${alarm_id} ${state}`),
    become: async (...now: Alarm[]) => {
      live.value = inOrder(...now);
      await nextTick();
    },
  };
}

describe('the list of alarms', () => {
  it('keeps each where it stands when another comes, is acknowledged or ends', async () => {
    const list = await listOf(alarm('a', 3), alarm('b', 2), alarm('c', 1));
    await list.become(alarm('new', 4), alarm('a', 3, 'acknowledged'), alarm('b', 2));
    expect(list.places()).toEqual(['a acknowledged', 'b unacknowledged', 'c normal']);
    expect(list.added.value.map(({ alarm_id }) => alarm_id)).toEqual(['new']);
  });

  it('adds a consequence that speaks for itself since its cause has ended', async () => {
    const list = await listOf(alarm('cause', 2), alarm('effect', 1, 'suppressed'));
    await list.become(alarm('effect', 1));
    expect(list.added.value.map(({ alarm_id, state }) => [alarm_id, state])).toEqual([['effect', 'unacknowledged']]);
    list.take();
    expect(list.added.value).toEqual([]);
  });

  it('is put in order when somebody asks for it', async () => {
    const list = await listOf(alarm('a', 3), alarm('b', 2));
    await list.become(alarm('new', 4), alarm('a', 3, 'acknowledged'), alarm('b', 2));
    list.take();
    expect(list.places()).toEqual(['new unacknowledged', 'b unacknowledged', 'a acknowledged']);
    expect(list.added.value).toEqual([]);
  });

  it('shows the first alarms by itself, and none when all are over', async () => {
    const list = await listOf();
    await list.become(alarm('a', 1), alarm('b', 2));
    expect(list.places()).toEqual(['b unacknowledged', 'a unacknowledged']);
    await list.become();
    expect(list.places()).toEqual([]);
  });
});
