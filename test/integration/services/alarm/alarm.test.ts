import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Alarm } from '../../../../server/contract/alarm.ts';
import { AlarmRepository } from '../../../../server/db/repositories/alarm.ts';
import { alarmBench, condition } from '../../../support/alarm-bench.ts';
import { grower, testDevices } from '../../../support/devices.ts';
import { refusalOf } from '../../../support/refusal.ts';
import { remoteError } from '../../../support/scripted-daemon.ts';

function anAlarm(is: Partial<Alarm> = {}): Alarm {
  const { alarms } = alarmBench();
  alarms.raise(condition());
  const [alarm] = alarms.list();
  if (alarm === undefined) throw new Error('no alarm');
  return { ...alarm, alarm_id: randomUUID(), ...is };
}

/** The services over a scripted daemon that has these alarms; its state is read. */
async function site(...told: Alarm[]) {
  const devices = testDevices();
  devices.daemon.alarms.push(...told);
  devices.start();
  await devices.daemon.polled();
  return { ...devices, watch: devices.facilityWatch };
}

describe('the list of alarms', () => {
  it('has the most urgent first, then the newest', async () => {
    const [quiet, old, bad, fresh] = [
      anAlarm({ state: 'acknowledged', severity: 'emergency' }),
      anAlarm({ raised_at: '2026-01-01T00:00:00.000Z' }),
      anAlarm({ severity: 'emergency' }),
      anAlarm({ raised_at: '2026-01-02T00:00:00.000Z' }),
    ];
    const { alarms } = await site(quiet, old, bad, fresh);
    expect(alarms.list().map(({ alarm_id }) => alarm_id)).toEqual([bad, fresh, old, quiet].map((one) => one.alarm_id));
  });

  it('can be asked for a part', async () => {
    const frost = anAlarm({ code: 'frost', severity: 'emergency', source_id: 'house' });
    const { alarms } = await site(frost, anAlarm());
    for (const query of [{ code: 'frost' }, { severity: 'emergency' }, { source_id: 'house' }] as const) {
      expect(alarms.list(query)).toEqual([frost]);
    }
    expect(alarms.list({ state: 'shelved' })).toEqual([]);
  });

  it('follows what the daemon tells', async () => {
    const alarm = anAlarm();
    const { alarms, daemon } = await site();
    daemon.emit({ kind: 'alarm', ...alarm });
    await daemon.polled();
    expect(alarms.list()).toEqual([alarm]);
    daemon.emit({ kind: 'alarm', ...alarm, state: 'normal' });
    await daemon.polled();
    expect(alarms.list()).toEqual([]);
  });

  it('keeps what was known when the daemon is lost, and says that it is', async () => {
    const alarm = anAlarm();
    // That it was stopped is said once, while it is down.
    const { alarms, daemon, live } = await site(alarm, anAlarm({ code: 'daemon_stopped' }));
    expect(alarms.list({ code: 'daemon_stopped' })).toHaveLength(1);
    const lost = new Promise<void>((resolve) => {
      live.subscribe(({ kind }) => {
        if (kind === 'daemon') resolve();
      });
    });
    daemon.break();
    await lost;
    expect(alarms.list().map(({ code }) => code)).toEqual(['daemon_down', 'command_failed']);
    const [down] = alarms.list();
    const refusal = await refusalOf(alarms.change('acknowledge', grower, { alarm_id: down?.alarm_id ?? '' }));
    expect(refusal.code).toBe('conflict');
  });
});

describe('what people do to an alarm', () => {
  it('goes to the daemon with who and why, and to the audit', async () => {
    const alarm = anAlarm();
    const { alarms, daemon, audited } = await site(alarm);
    const { alarm_id } = alarm;
    expect(await alarms.change('acknowledge', grower, { alarm_id, reason: 'seen' })).toEqual(alarm);
    await alarms.shelve(grower, alarm_id, { duration_s: 600 });
    await alarms.change('unshelve', grower, { alarm_id });
    expect(daemon.told.map((call) => call.replace(alarm_id, 'A').trimEnd())).toEqual([
      'alarm_acknowledge A grower seen',
      'alarm_shelve A 600 grower',
      'alarm_unshelve A grower',
    ]);
    expect(audited.map(({ kind, target, actor }) => [kind, target, actor.username])).toEqual([
      ['alarm.acknowledge', alarm_id, 'grower'],
      ['alarm.shelve', alarm_id, 'grower'],
      ['alarm.unshelve', alarm_id, 'grower'],
    ]);
  });

  it.each([
    ['not_found', 'not_found', 404, []],
    ['conflict', 'conflict', 409, []],
    ['connection_failed', 'daemon_unreachable', 502, ['failed']],
    ['timeout', 'command_unknown', 504, ['unknown']],
  ])(
    'is answered as the daemon ends it, and recorded unless it was refused: %s',
    async (remote, code, status, ends) => {
      const alarm = anAlarm();
      const { alarms, daemon, audited } = await site(alarm);
      const { alarm_id } = alarm;
      daemon.failure = remoteError(remote);
      const refusal = await refusalOf(alarms.change('acknowledge', grower, { alarm_id, reason: 'seen' }));
      expect([refusal.code, refusal.status]).toEqual([code, status]);
      const before = { code: alarm.code, source_name: alarm.source_name, state: alarm.state };
      const after = { reason: 'seen', code };
      const records = ends.map((outcome) => ({ kind: 'alarm.acknowledge', before, after: { ...after, outcome } }));
      expect(audited).toMatchObject(records);
    },
  );

  it('can be done to many, and says which took it', async () => {
    const [one, gone] = [anAlarm(), randomUUID()];
    const { alarms } = await site(one);
    const done = await alarms.acknowledgeMany(grower, { alarm_ids: [one.alarm_id, gone, one.alarm_id] });
    expect(done).toEqual({ alarms: [one], refused: [gone] });
    expect((await refusalOf(alarms.acknowledgeMany(grower, { alarm_ids: [gone] }))).code).toBe('conflict');
  });
});

describe('the journal', () => {
  it('pages without a gap or a repeat, and filters', async () => {
    const { alarms, control } = await site();
    const bench = alarmBench();
    for (const channel of Array.from({ length: 25 }).keys()) bench.alarms.raise(condition({ channel }));
    bench.alarms.raise(condition({ code: 'frost', severity: 'emergency' }));
    for (const change of bench.kept) new AlarmRepository(control).save(change);
    const seen: number[] = [];
    let cursor: string | null = null;
    do {
      const page: ReturnType<typeof alarms.journal> = alarms.journal({ limit: 10, ...(cursor && { cursor }) });
      seen.push(...page.entries.map(({ ordinal }) => ordinal));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(seen).toEqual(Array.from({ length: 26 }, (_, index) => 26 - index));
    expect(alarms.journal({ severity: 'emergency' }).entries).toMatchObject([{ code: 'frost' }]);
    expect(alarms.journal({ to: '2026-01-01T00:00:00Z' }).entries).toEqual([]);
    expect((await refusalOf(async () => alarms.journal({ cursor: 'x' }))).code).toBe('invalid_field');
  });
});

describe('what is wrong with a facility', () => {
  async function frosty() {
    const parts = await site();
    const sensor = await parts.sensor();
    const channel = sensor.channels[0];
    if (channel === undefined) throw new Error('no channel');
    const { measurement_id } = channel;
    const binding = { role: 'indoor_temp', device_id: sensor.unique_id, measurement_id, name: 'air' } as const;
    const house = parts.house({ sensors: [binding] });
    const reading = (value: number) =>
      parts.daemon.emit({
        kind: 'measurement',
        device_id: sensor.unique_id,
        measurement_id,
        channel: channel.channel,
        value,
        unit: 'C',
        quality: 'good',
        time_ms: parts.clock.ms,
      });
    const reports = () => parts.daemon.told.filter((call) => call.startsWith('alarm_report'));
    return { ...parts, house, reading, reports };
  }

  it('is told to the daemon when it changes, not again and again', async () => {
    const { reading, daemon, watch, house, reports, audited } = await frosty();
    reading(-3);
    await daemon.polled();
    await watch.look();
    await watch.look();
    expect(reports()).toEqual([`alarm_report ${house.unique_id} frost`]);
    reading(20);
    await daemon.polled();
    await watch.look();
    expect(reports().at(-1)).toBe(`alarm_report ${house.unique_id} `);
    const alerts = audited.filter(({ kind }) => kind.startsWith('facility.alert'));
    expect(alerts).toMatchObject([
      { kind: 'facility.alert', target: house.unique_id, after: { code: 'frost', value: -3 } },
      { kind: 'facility.alert_end', target: house.unique_id, before: { code: 'frost' } },
    ]);
  });

  it('is in the audit also where its alarm is there before the daemon has answered', async () => {
    const { reading, daemon, watch, house, audited } = await frosty();
    reading(-3);
    await daemon.polled();
    daemon.failure = remoteError('timeout');
    await watch.look();
    daemon.failure = undefined;
    daemon.emit({ kind: 'alarm', ...anAlarm(), code: 'frost', source_kind: 'facility', source_id: house.unique_id });
    await daemon.polled();
    await watch.look();
    expect(audited.filter(({ kind }) => kind.startsWith('facility.alert'))).toMatchObject([
      { kind: 'facility.alert', target: house.unique_id, after: { code: 'frost' } },
    ]);
  });

  it('is told again when the daemon could not be told, and ends with the facility', async () => {
    const { reading, daemon, watch, house, reports, facilities, warnings } = await frosty();
    reading(-3);
    await daemon.polled();
    daemon.failure = remoteError('timeout');
    await watch.look();
    await watch.look(); // every two seconds: it fills no log
    expect(warnings.filter((one) => one.includes('could not be told'))).toHaveLength(1);
    daemon.failure = undefined;
    await watch.look();
    facilities.remove(grower, house.unique_id);
    await watch.look();
    expect(reports().slice(2)).toEqual([`alarm_report ${house.unique_id} frost`, `alarm_report ${house.unique_id} `]);
  });
});
