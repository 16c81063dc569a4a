import { expect, it } from 'vitest';
import { worstByHouse } from '../../../../../renderer/features/map/use-house-alarms.ts';
import type { Alarm, AlarmState } from '../../../../../server/contract/alarm.ts';
import type { Severity } from '../../../../../server/contract/facility-live.ts';

const at = '2026-11-23T08:00:00Z';
const alarm = (source_id: string, severity: Severity, state: AlarmState = 'unacknowledged'): Alarm => ({
  ...{ alarm_id: crypto.randomUUID(), code: 'stale', severity, source_kind: 'output', source_id, state },
  ...{ source_name: null, channel: null, role: null, name: null, value: null, limit: null, unit: null, message: null },
  ...{ is_raised: true, caused_by: null, is_first_out: false, occurrences: 1, raised_at: at, changed_at: at },
  ...{ acknowledged_by: null, acknowledged_at: null, shelved_until: null },
});
const bound = (device_id: string) => ({ role: 'heater', name: '', device_id }) as const;
const houses = [
  { unique_id: 'house 1', name: 'Tomatoes', sensors: [], actuators: [bound('boiler'), bound('pump')] },
  { unique_id: 'house 2', name: 'Peppers', sensors: [], actuators: [bound('fan'), bound('pump')] },
];

it('a house has the worst alarm of its own and of the devices that it alone uses', () => {
  const alarms = [
    alarm('house 1', 'warning'),
    alarm('boiler', 'emergency', 'acknowledged'),
    alarm('fan', 'warning'),
    alarm('fan', 'emergency', 'shelved'),
    alarm('pump', 'emergency'),
  ];
  const worst = worstByHouse(alarms, houses);
  expect([worst.get('house 1'), worst.get('house 2')]).toEqual(['emergency', 'warning']);
  expect(worstByHouse([alarm('fan', 'info')], houses).get('house 2')).toBeUndefined();
});

it.each([
  ['unacknowledged', 'warning'],
  ['acknowledged', 'warning'],
  ['shelved', undefined],
] as const)('shows what follows in it from a lost gateway elsewhere that is %s: %s', (state, shown) => {
  const gateway = { ...alarm('modbus 10.0.0.9:502', 'warning', state), source_kind: 'connection' as const };
  const down = { ...alarm('fan', 'warning', 'suppressed'), caused_by: gateway.alarm_id };
  const unknown = { ...alarm('fan', 'warning', 'suppressed'), caused_by: down.alarm_id };
  expect(worstByHouse([unknown, down, gateway], houses).get('house 2')).toBe(shown);
});
