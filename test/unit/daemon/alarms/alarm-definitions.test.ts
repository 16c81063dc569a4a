import { describe, expect, it } from 'vitest';
import { alarmCodes, type AlarmCode } from '../../../../server/contract/alarm.ts';
import { alarmCauses } from '../../../../server/daemon/alarms/alarm-causes.ts';
import { alarmBench, condition } from '../../../support/alarm-bench.ts';

const lost: AlarmCode[] = ['connection_lost'];
const blind: AlarmCode[] = ['stale', 'no_data', 'controller_down', 'connection_lost'];

/**
 * Code, s until it is raised, s until it is over, whether it latches, and what silences it: of its own source, and of
 * what that needs.
 */
const rows: [AlarmCode, number, number, string, AlarmCode[], AlarmCode[]?][] = [
  ['stale', 5, 5, '', ['controller_down'], lost],
  ['no_data', 5, 5, '', ['controller_down'], lost],
  ['sensor_disagree', 60, 60, '', []],
  ['out_of_band', 60, 60, '', ['frost', 'over_temperature']],
  ['wind', 5, 300, '', []],
  ['rain', 5, 300, '', []],
  ['frost', 0, 60, '', []],
  ['over_temperature', 0, 60, '', []],
  ['heater_and_vent', 60, 5, '', []],
  ['controller_down', 5, 5, '', [], lost],
  ['output_unknown', 5, 5, '', ['controller_down', 'command_failed'], lost],
  ['command_failed', 0, 0, '', ['controller_down'], lost],
  ['daemon_down', 0, 0, '', []],
  ['daemon_stopped', 0, 0, '', []],
  ['daemon_restarted', 0, 0, '', ['crash_loop']],
  ['crash_loop', 0, 0, '', []],
  ['disk_low', 0, 60, '', []],
  ['store_failed', 5, 5, '', []],
  ['emergency_stop', 0, 0, '', []],
  ['safety_gate', 30, 60, '', ['wind', 'rain', 'frost', 'over_temperature'], blind],
  ['watchdog', 0, 0, 'latches', []],
  ['dead_man', 0, 5, '', ['controller_down'], lost],
  ['control_stopped', 0, 0, '', [], blind],
  ['climate_fallback', 60, 60, '', [], blind],
  ['clock_set', 0, 0, '', []],
  ['message_lost', 0, 0, '', []],
  ['connection_lost', 5, 5, '', []],
  ['custom', 0, 0, '', []],
];

it('is a row for every code', () => {
  expect(rows.map(([code]) => code).sort()).toEqual([...alarmCodes].sort());
});

describe.each(rows)('%s', (code, on_s, off_s, latches) => {
  const of = condition({ code });
  const lengthen = async (bench: ReturnType<typeof alarmBench>, seconds: number, isThere: boolean) => {
    await bench.clock.advance(seconds * 1_000 - 1);
    expect(bench.alarms.list().some(({ is_raised }) => is_raised)).toBe(isThere);
    await bench.clock.advance(1);
  };

  it(`is raised after ${on_s} s and over after ${off_s} s`, async () => {
    const bench = alarmBench();
    bench.alarms.start([]);
    bench.alarms.raise(of);
    if (on_s > 0) await lengthen(bench, on_s, false);
    expect(bench.alarms.list()).toMatchObject([{ code, state: 'unacknowledged', is_raised: true }]);
    bench.alarms.clear(of);
    if (off_s > 0) await lengthen(bench, off_s, true);
    expect(bench.alarms.list()).toMatchObject([{ code, state: 'returned', is_raised: false }]);
    expect(bench.journal()).toEqual(['raise: normal > unacknowledged', 'clear: unacknowledged > returned']);
    bench.alarms.stop();
  });

  it(latches === '' ? 'is gone when it was seen and is over' : 'waits for a reset', async () => {
    const bench = alarmBench();
    bench.alarms.start([]);
    bench.alarms.raise(of);
    await bench.clock.advance(on_s * 1_000);
    await bench.alarms.acknowledge(bench.alarms.list()[0]?.alarm_id ?? '', { actor: 'kim' });
    bench.alarms.clear(of);
    await bench.clock.advance(off_s * 1_000);
    expect(bench.alarms.list().map(({ state }) => state)).toEqual(latches === '' ? [] : ['latched']);
    bench.alarms.stop();
  });
});

const consequences = rows.filter(([code]) => alarmCauses[code] !== undefined);

it('has the causes of every code that has some', () => {
  expect(consequences.map(([code]) => code).sort()).toEqual(Object.keys(alarmCauses).sort());
});

describe.each(consequences)('%s is silent beside its causes', (code, _on, _off, _latches, own, needed = []) => {
  it('which are these', () => {
    const isSeen = ['control_stopped', 'climate_fallback', 'safety_gate'].includes(code);
    const { ownIf: _of, neededIf: _for, ...causes } = alarmCauses[code] ?? {};
    expect(causes).toEqual({
      ...(isSeen && { isSeen }),
      ...(own.length > 0 && { own }),
      ...(needed.length > 0 && { needed }),
    });
  });

  const role = code === 'control_stopped' ? null : ('indoor_temp' as const); // a program goes on without a sensor
  const places = [
    ...own.map((cause) => [cause, 'of its source', {}] as const),
    ...needed.map((cause) => [cause, 'of what it needs', { source_id: 'needed' }] as const),
  ];

  it.each(places)('%s %s', async (cause, _where, at) => {
    const isNeeded = 'source_id' in at;
    const needs = [{ source_id: 'needed', role }] as const;
    const bench = alarmBench({ needs: () => (isNeeded ? needs : []) });
    bench.alarms.start([]);
    bench.alarms.raise(condition({ code, role, ...(code === 'safety_gate' && { name: isNeeded ? 'stale' : cause }) }));
    bench.alarms.raise(condition({ code: cause, role, name: 'the cause', ...at }));
    await bench.clock.advance(60_000);
    const found = bench.alarms.list();
    const states = new Map(found.map((alarm) => [alarm.code, alarm.state]));
    expect(Object.fromEntries(states)).toEqual({ [cause]: 'unacknowledged', [code]: 'suppressed' });
    const [of, silent] = [cause, code].map((one) => found.find((alarm) => alarm.code === one));
    expect(silent?.caused_by).toBe(of?.alarm_id);
    bench.alarms.stop();
  });
});

it('makes no code follow from itself by way of others, which would silence all of them', () => {
  const causesOf = (code: AlarmCode): readonly AlarmCode[] => {
    const { own = [], needed = [] } = alarmCauses[code] ?? {};
    return [...own, ...needed];
  };
  const leadsTo = (code: AlarmCode, seen: readonly AlarmCode[]): AlarmCode[] =>
    causesOf(code).flatMap((cause) => {
      if (seen.includes(cause)) throw new Error([...seen, cause].join(' < '));
      return [cause, ...leadsTo(cause, [...seen, cause])];
    });
  for (const [code] of rows) expect(leadsTo(code, [code])).not.toContain(code);
});
