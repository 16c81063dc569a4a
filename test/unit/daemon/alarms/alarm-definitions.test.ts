import { describe, expect, it } from 'vitest';
import { alarmCodes, type AlarmCode } from '../../../../server/contract/alarm.ts';
import { alarmCauses } from '../../../../server/contract/alarm-cause.ts';
import { alarmBench, condition } from '../../../support/alarm-bench.ts';

/** Code, s until it is raised, s until it is over, whether it latches, and what silences it. */
const rows: [AlarmCode, number, number, string, AlarmCode[]][] = [
  ['stale', 5, 5, '', ['controller_down']],
  ['no_data', 5, 5, '', ['controller_down']],
  ['sensor_disagree', 60, 60, '', []],
  ['out_of_band', 60, 60, '', ['frost', 'over_temperature']],
  ['wind', 5, 300, '', []],
  ['rain', 5, 300, '', []],
  ['frost', 0, 60, '', []],
  ['over_temperature', 0, 60, '', []],
  ['heater_and_vent', 60, 5, '', []],
  ['controller_down', 5, 5, '', []],
  ['output_unknown', 5, 5, '', ['controller_down', 'command_failed']],
  ['command_failed', 0, 0, '', []],
  ['daemon_down', 0, 0, '', []],
  ['daemon_stopped', 0, 0, '', []],
  ['daemon_restarted', 0, 0, '', ['crash_loop']],
  ['crash_loop', 0, 0, '', []],
  ['disk_low', 0, 60, '', []],
  ['store_failed', 5, 5, '', []],
  ['emergency_stop', 0, 0, '', []],
  ['safety_gate', 30, 60, '', ['wind', 'rain', 'frost', 'over_temperature']],
  ['watchdog', 0, 0, 'latches', []],
  ['dead_man', 0, 5, '', ['controller_down']],
  ['control_stopped', 0, 0, '', []],
  ['climate_fallback', 60, 60, '', []],
  ['clock_set', 0, 0, '', []],
  ['message_lost', 0, 0, '', []],
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

const consequences = rows.filter(([, , , , causes]) => causes.length > 0);

it.each(consequences)('%s is silent beside its causes', async (code, _on, _off, _latches, causes) => {
  expect(alarmCauses[code]).toEqual(causes);
  for (const cause of causes) {
    const bench = alarmBench();
    bench.alarms.start([]);
    bench.alarms.raise(condition({ code: cause, name: 'the cause' }));
    bench.alarms.raise(condition({ code, ...(code === 'safety_gate' && { name: cause }) }));
    await bench.clock.advance(60_000);
    const states = new Map(bench.alarms.list().map((alarm) => [alarm.code, alarm.state]));
    expect(Object.fromEntries(states)).toEqual({ [cause]: 'unacknowledged', [code]: 'suppressed' });
    bench.alarms.stop();
  }
});
