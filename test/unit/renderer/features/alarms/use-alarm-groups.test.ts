// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { defineComponent, nextTick, shallowRef } from 'vue';
import { useAlarmGroups } from '../../../../../renderer/features/alarms/use-alarm-groups.ts';
import { useHeldAlarms } from '../../../../../renderer/features/alarms/use-held-alarms.ts';
import type { Alarm, AlarmCode, AlarmState } from '../../../../../server/contract/alarm.ts';
import { mounted } from '../../ui/mounted.ts';

const at = '2026-11-23T08:00:00Z';

function alarm(alarm_id: string, code: AlarmCode, state: AlarmState, caused_by: string | null = null): Alarm {
  return {
    alarm_id,
    code,
    state,
    caused_by,
    severity: 'warning',
    source_kind: 'input',
    source_id: 'probe',
    source_name: 'Probe',
    channel: null,
    role: null,
    name: null,
    value: null,
    limit: null,
    unit: null,
    message: null,
    is_raised: true,
    is_first_out: false,
    occurrences: 1,
    raised_at: at,
    changed_at: at,
    acknowledged_by: null,
    acknowledged_at: null,
    shelved_until: null,
  };
}

it('lists a consequence that speaks for itself by now once: as a new alarm, not beneath its cause', async () => {
  const cause = alarm('cause', 'controller_down', 'unacknowledged');
  const effect = alarm('effect', 'no_data', 'suppressed', 'cause');
  const live = shallowRef<readonly Alarm[]>([cause, effect]);
  let made: ReturnType<typeof useAlarmGroups> | undefined;
  mounted(
    defineComponent(() => {
      const { held, added } = useHeldAlarms(live);
      made = useAlarmGroups({ found: held, added, order: shallowRef('urgency' as const) });
      return () => null;
    }),
    {},
  );
  const shown = () => ({
    beneath: made?.following.value.get('cause')?.map(({ alarm_id }) => alarm_id) ?? [],
    fresh: made?.groups.value.flatMap(({ key, alarms }) => (key === 'new' ? alarms : [])) ?? [],
  });
  expect(shown()).toEqual({ beneath: ['effect'], fresh: [] });
  const alone = { ...effect, state: 'unacknowledged', caused_by: null } as const;
  live.value = [{ ...cause, state: 'returned', is_raised: false }, alone];
  await nextTick();
  expect(shown()).toEqual({ beneath: [], fresh: [alone] });
});

it('keeps a consequence whose cause is acknowledged and over apart from the active alarms', () => {
  const found = [
    alarm('cold', 'frost', 'acknowledged'),
    alarm('over', 'connection_lost', 'returned'),
    alarm('put away', 'rain', 'shelved'),
    alarm('effect', 'controller_down', 'suppressed', 'gone'),
  ];
  let made: ReturnType<typeof useAlarmGroups> | undefined;
  mounted(
    defineComponent(() => {
      made = useAlarmGroups({ found: shallowRef(found), added: shallowRef([]), order: shallowRef('urgency' as const) });
      return () => null;
    }),
    {},
  );
  const idsOf = (alarms: readonly Alarm[]) => alarms.map(({ alarm_id }) => alarm_id);
  const shown = made?.groups.value.map((group) => [group.title, idsOf(group.alarms), idsOf(group.consequences)]);
  expect(shown).toEqual([
    ['Active', ['cold'], []],
    ['Cleared, not acknowledged', ['over'], []],
    ['Silenced', ['put away'], []],
    ['Consequences', [], ['effect']],
  ]);
});
