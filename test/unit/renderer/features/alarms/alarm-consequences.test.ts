// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { defineComponent, h, shallowRef } from 'vue';
import AlarmConsequences from '../../../../../renderer/features/alarms/AlarmConsequences.vue';
import { useAlarmGroups } from '../../../../../renderer/features/alarms/use-alarm-groups.ts';
import type { Alarm, AlarmCondition } from '../../../../../server/contract/alarm.ts';
import { raiseable } from '../../../../../server/daemon/alarms/alarm-key.ts';
import { mounted } from '../../ui/mounted.ts';

const at = '2026-11-23T08:00:00Z';

function alarm(is: Pick<AlarmCondition, 'code'> & Partial<Alarm>): Alarm {
  const source = { severity: 'warning', source_kind: 'controller', source_id: 'x', source_name: 'House 1' } as const;
  return {
    ...raiseable({ ...source, ...is }),
    alarm_id: crypto.randomUUID(),
    state: 'unacknowledged',
    is_raised: true,
    caused_by: null,
    is_first_out: false,
    occurrences: 1,
    raised_at: at,
    changed_at: at,
    acknowledged_by: null,
    acknowledged_at: null,
    shelved_until: null,
    ...is,
  };
}

it('counts and lists what is affected, each once, and says what happens to a house where the title leaves it open', () => {
  const alarms = [
    alarm({ code: 'climate_fallback', name: 'no_thermometer', role: 'indoor_temp' }),
    alarm({ code: 'safety_gate', name: 'stale', message: 'Heater, Side vent' }),
    alarm({ code: 'controller_down', source_id: 'probe', source_name: 'Probe 7', message: 'no answer' }),
  ];
  const shown = mounted(AlarmConsequences, { props: { alarms, of: 'above' } });
  expect(shown.get('summary').text()).toBe('Affected by the above: 2');
  const [house, probe] = shown.findAll('li');
  expect(house?.findAll('span').map((line) => line.text())).toEqual([
    'No indoor temperature reading: heaters, vents and fans are in their safe state.',
    'Held safe: no fresh reading, although commanded otherwise: Heater, Side vent',
  ]);
  expect(house?.text()).toMatch(/^House 1: [^:]+ · Indoor temperature, [^:]+ No indoor/);
  expect(probe?.text()).toBe('Probe 7: Device not working');
});

it('lists what is affected by name, numbers as numbers', () => {
  const alarms = ['Soil 10', 'Soil 9', 'Air'].map((name) =>
    alarm({ code: 'controller_down', source_id: name, source_name: name }),
  );
  const shown = mounted(AlarmConsequences, { props: { alarms, of: 'above' } });
  expect(shown.findAll('li').map((line) => line.text().split(':')[0])).toEqual(['Air', 'Soil 9', 'Soil 10']);
});

it('does not say of what comes later that its alarm is not shown', () => {
  const gateway = alarm({ code: 'connection_lost', source_kind: 'connection' });
  const beneath = (of: Alarm) => alarm({ code: 'controller_down', state: 'suppressed', caused_by: of.alarm_id });
  const other = alarm({ code: 'connection_lost', source_kind: 'connection', source_id: 'y' });
  const [first, later, ofNew] = [beneath(gateway), beneath(gateway), beneath(other)];
  const elsewhere = alarm({ code: 'stale', state: 'suppressed', caused_by: crypto.randomUUID() });
  let made: ReturnType<typeof useAlarmGroups> | undefined;
  const listed = {
    found: shallowRef([gateway, first]),
    added: shallowRef([later, other, ofNew, elsewhere]),
    order: shallowRef('urgency' as const),
  };
  mounted(
    defineComponent(() => {
      made = useAlarmGroups(listed);
      return () => h('div');
    }),
    {},
  );
  expect(made?.following.value.get(gateway.alarm_id)).toEqual([first]);
  expect(made?.following.value.get(other.alarm_id)).toEqual([ofNew]);
  const groups = made?.groups.value.map(({ key, late, consequences }) => ({ key, late, consequences }));
  expect(groups).toEqual([
    { key: 'active', late: [], consequences: [] },
    { key: 'new', late: [later], consequences: [elsewhere] },
  ]);
});
