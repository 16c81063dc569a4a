import { describe, expect, it } from 'vitest';
import type { Alarm, AlarmState } from '../../../../server/contract/alarm.ts';
import type { Severity } from '../../../../server/contract/facility-live.ts';
import { consequencesOf, filtered, groupsOf, placesOf } from '../../../../renderer/features/alarms/alarm-groups.ts';
import { housesByDevice } from '../../../../renderer/ui/alarm-house.ts';

const at = '2026-11-23T08:00:00Z';

function alarm(source_id: string, severity: Severity, state: AlarmState = 'unacknowledged'): Alarm {
  return {
    alarm_id: crypto.randomUUID(),
    code: 'stale',
    severity,
    source_kind: 'facility',
    source_id,
    state,
    source_name: source_id,
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
    raised_at: at,
    changed_at: at,
    acknowledged_by: null,
    acknowledged_at: null,
    shelved_until: null,
  };
}

const alarms = [
  alarm('House 1', 'warning'),
  alarm('House 1', 'warning'),
  alarm('House 1', 'info', 'suppressed'),
  alarm('House 2', 'info'),
  alarm('House 2', 'emergency'),
  alarm('House 3', 'emergency', 'shelved'),
];

describe('many alarms', () => {
  it.each<[string, Parameters<typeof filtered>[1], number]>([
    ['all', { text: '', severity: null }, 6],
    ['of a severity', { text: '', severity: 'emergency' }, 2],
    ['by words, whatever their case', { text: ' house 2', severity: null }, 2],
    ['by both', { text: 'HOUSE 2', severity: 'info' }, 1],
    ['that do not occur', { text: 'boiler', severity: null }, 0],
  ])('are found: %s', (_name, filter, n) => {
    expect(filtered(alarms, filter, ({ source_name }) => source_name ?? '')).toHaveLength(n);
  });

  it('stand by their place, the worst first, with what follows from them apart and without the shelved', () => {
    const places = placesOf(alarms).map(({ key, counts, alarms: own, consequences }) => [
      key,
      counts.map(({ severity, n }) => `${severity} ${n}`).join(', '),
      own.length,
      consequences.length,
    ]);
    expect(places).toEqual([
      ['facility House 2', 'emergency 1, info 1', 2, 0],
      ['facility House 1', 'warning 2', 2, 1],
    ]);
  });

  it('of a device stand with the house that uses it, unless two do', () => {
    const bound = (device_id: string) => ({ role: 'heater', name: '', device_id }) as const;
    const houses = [
      { unique_id: 'House 1', name: 'Tomatoes', sensors: [], actuators: [bound('boiler'), bound('pump')] },
      { unique_id: 'House 2', name: 'Peppers', sensors: [], actuators: [bound('fan'), bound('fan'), bound('pump')] },
    ];
    const faults = ['boiler', 'fan', 'fan', 'pump', 'weather'].map((id) => ({
      ...alarm(id, 'warning'),
      source_kind: 'output' as const,
    }));
    const places = placesOf([...alarms, ...faults], housesByDevice(houses));
    expect(places.map(({ key, house, alarms: own }) => [key, house, own.length])).toEqual([
      ['facility House 2', 'Peppers', 4],
      ['facility House 1', 'Tomatoes', 3],
      ['output pump', null, 1],
      ['output weather', null, 1],
    ]);
  });

  it('stand by their cause, the worst first, whatever device they are of', () => {
    const faults = [alarm('boiler', 'emergency'), alarm('fan', 'emergency')].map((one) => ({
      ...one,
      code: 'controller_down' as const,
    }));
    const causes = groupsOf([...alarms, ...faults], ({ code }) => code);
    expect(causes.map(({ key, alarms: own, consequences }) => [key, own.length, consequences.length])).toEqual([
      ['stale', 4, 1],
      ['controller_down', 2, 0],
    ]);
  });

  const following = (cause: Alarm, source_id: string): Alarm => ({
    ...alarm(source_id, 'warning', 'suppressed'),
    caused_by: cause.alarm_id,
  });

  it('have what follows from each beneath it, also by way of others', () => {
    const gateway = alarm('10.0.0.9:502', 'warning');
    const down = following(gateway, 'Pump');
    const silent = following(down, 'Pump');
    const [found, elsewhere] = [consequencesOf([silent, down, gateway]), consequencesOf([silent, down])];
    expect([...found]).toEqual([[gateway.alarm_id, [silent, down]]]);
    expect([...elsewhere]).toEqual([[null, [silent, down]]]);
  });

  it('have beneath one that was shown before what came since', () => {
    const gateway = alarm('10.0.0.9:502', 'warning');
    const down = following(gateway, 'Pump');
    expect([...consequencesOf([down], [gateway, down])]).toEqual([[gateway.alarm_id, [down]]]);
  });

  it('of a thousand lost devices are one with all beneath it', () => {
    const gateway = alarm('10.0.0.9:502', 'warning');
    const devices = Array.from({ length: 1_000 }, (_, n) => following(gateway, `Device ${n}`));
    const silent = devices.map((device) => following(device, device.source_id));
    const all = [...silent, ...devices, gateway];
    expect([...consequencesOf(all)].map(([id, list]) => [id, list.length])).toEqual([[gateway.alarm_id, 2_000]]);
    expect(groupsOf(all, () => 'all').map((group) => group.alarms)).toEqual([[gateway]]);
  });

  it('whose cause was acknowledged away are still told', () => {
    expect(placesOf([alarm('House 1', 'warning', 'suppressed')])).toMatchObject([{ alarms: [], consequences: [{}] }]);
  });
});
