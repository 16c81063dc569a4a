import { describe, expect, it } from 'vitest';
import type { OutputCreate } from '../../../../server/contract/output.ts';
import { grower, testDevices } from '../../../support/devices.ts';
import { refusalOf } from '../../../support/refusal.ts';
import { remoteError, stateOf } from '../../../support/scripted-daemon.ts';

const coil = { channel: 0, table: 'coil', address: 1 };

type Channel = NonNullable<OutputCreate['channels']>[number];

/** Three relays, of which the first runs a motor out and the second runs it back. */
function motorOf(
  changes: Partial<Channel>,
  ...others: Channel[]
): Pick<OutputCreate, 'driver' | 'options' | 'channels'> {
  const registers = [0, 1, 2].map((channel) => ({ channel, table: 'coil', address: channel }));
  const motor = { channel: 0, motor_close_channel: 1, motor_travel_s: 120, ...changes };
  return { driver: 'modbus', options: { host: 'plc', registers }, channels: [motor, ...others] };
}

describe('OutputService', () => {
  it('makes a simulated switch without options and tells the daemon', async () => {
    const { outputs, daemon, audited } = testDevices();
    const made = await outputs.create(grower, { name: 'Switch', driver: 'simulated' });
    expect(made.channels).toEqual([
      {
        channel: 0,
        name: 'Switch',
        kind: 'switch',
        safe_state: 'off',
        startup_state: 'safe',
        shutdown_state: 'safe',
        min_off_s: 0,
        max_on_s: null,
        current_a: null,
        flow_ml_s: null,
        pwm_cycle_s: null,
        pwm_min_on_s: 1,
        motor_close_channel: null,
        motor_travel_s: null,
        motor_slack_s: 0,
      },
    ]);
    expect(outputs.get(made.unique_id)).toEqual(made);
    expect(daemon.told).toEqual([`controller_refresh ${made.unique_id}`]);
    expect(audited).toMatchObject([{ kind: 'output.create', after: made }]);
  });

  it('keeps numbers and words of a safe state apart', async () => {
    const { outputs } = testDevices();
    const registers = [coil, { channel: 1, table: 'holding', address: 2 }];
    const made = await outputs.create(grower, {
      name: 'PLC',
      driver: 'modbus',
      options: { host: 'plc', registers },
      channels: [
        { channel: 0, safe_state: 'on', max_on_s: 90.5, pwm_cycle_s: 60.5, pwm_min_on_s: 0.5 },
        { channel: 1, safe_state: 35 },
      ],
    });
    expect(
      outputs
        .get(made.unique_id)
        .channels.map((one) => [one.kind, one.safe_state, one.max_on_s, one.pwm_cycle_s, one.pwm_min_on_s]),
    ).toEqual([
      ['switch', 'on', 90.5, 60.5, 0.5],
      ['dimmer', 35, null, null, 1],
    ]);
  });

  it.each<[string, Partial<OutputCreate>, string, string]>([
    ['a driver that reads only', { driver: 'virtual' }, 'unknown_reference', 'driver'],
    [
      'a read-only register',
      { driver: 'modbus', options: { host: 'plc', registers: [{ ...coil, table: 'discrete' }] } },
      'invalid_field',
      'options',
    ],
    [
      'a cycle of a dimmer',
      {
        driver: 'modbus',
        options: { host: 'plc', registers: [{ channel: 1, table: 'holding', address: 2 }] },
        channels: [{ channel: 1, pwm_cycle_s: 60 }],
      },
      'invalid_field',
      'channels[0].pwm_cycle_s',
    ],
    ['a motor of one relay', motorOf({ motor_close_channel: 0 }), 'invalid_field', 'channels[0].motor_close_channel'],
    [
      'a relay that is not there',
      motorOf({ motor_close_channel: 7 }),
      'invalid_field',
      'channels[0].motor_close_channel',
    ],
    ['a motor without its time', motorOf({ motor_travel_s: null }), 'invalid_field', 'channels[0].motor_travel_s'],
    [
      'two motors on one relay',
      motorOf({}, { channel: 2, motor_close_channel: 1, motor_travel_s: 60 }),
      'invalid_field',
      'channels[1].motor_close_channel',
    ],
    [
      'relays that close each other',
      motorOf({}, { channel: 1, motor_close_channel: 2, motor_travel_s: 60 }),
      'invalid_field',
      'channels[0].motor_close_channel',
    ],
    ['a dimmer of a switch', { channels: [{ channel: 0, kind: 'dimmer' }] }, 'invalid_field', 'channels[0].kind'],
    [
      'a percentage as safe state of a switch',
      { channels: [{ channel: 0, safe_state: 50 }] },
      'invalid_field',
      'channels[0].safe_state',
    ],
  ])('refuses %s', async (_, sent, code, path) => {
    const { outputs } = testDevices();
    const refusal = await refusalOf(outputs.create(grower, { name: 'Switch', driver: 'simulated', ...sent }));
    expect([refusal.code, refusal.errors?.[0]?.path]).toEqual([code, path]);
    expect(outputs.list()).toEqual([]);
  });

  it('makes one position of the two relays of a motor, and two switches of them again', async () => {
    const { outputs } = testDevices();
    const { unique_id } = await outputs.create(grower, { name: 'Vent', ...motorOf({}) });
    const kinds = () => outputs.get(unique_id).channels.map(({ channel, kind }) => [channel, kind]);
    expect(kinds()).toEqual([[0, 'dimmer']]);
    await outputs.change(grower, unique_id, { channels: [{ channel: 0, name: 'Roof' }] });
    expect(outputs.get(unique_id).channels[0]).toMatchObject({ motor_close_channel: 1, motor_travel_s: 120 });
    const apart = { motor_close_channel: null, motor_travel_s: null };
    await outputs.change(grower, unique_id, { channels: [{ channel: 0, kind: 'dimmer', ...apart }, { channel: 1 }] });
    expect(kinds()).toEqual([
      [0, 'switch'],
      [1, 'switch'],
    ]);
  });

  it('shows the live state, unknown until the daemon told it', async () => {
    const { outputs, daemon, start, ...all } = testDevices();
    const { unique_id: output_id } = await all.switch();
    expect(outputs.getLive(output_id).state).toMatchObject([{ channel: 0, state: null, quality: 'unknown' }]);
    daemon.outputs.push({ output_id, ...stateOf({ state: 'on' }) });
    start();
    await daemon.polled();
    expect(outputs.listLive()[0]?.state).toMatchObject([{ channel: 0, state: 'on', quality: 'good' }]);
  });

  it('refuses to delete what a facility binds, also as what moves an opening', async () => {
    const { outputs, house, ...all } = testDevices();
    const { unique_id } = await all.switch();
    const opening = { id: 'a', name: 'A', face: 'left', area_m2: 2, centre_height_m: 1 } as const;
    house({ openings: [{ ...opening, actuator_device_id: unique_id }] });
    expect((await refusalOf(outputs.remove(grower, unique_id))).code).toBe('in_use');
  });

  it('deletes and tells the daemon', async () => {
    const { outputs, daemon, ...all } = testDevices();
    const { unique_id } = await all.switch();
    await outputs.remove(grower, unique_id);
    expect(daemon.told.at(-1)).toBe(`controller_refresh ${unique_id}`);
    expect((await refusalOf(() => outputs.get(unique_id))).code).toBe('not_found');
  });

  it('writes commands of outside programs to the audit, and not those of its own users', async () => {
    const { daemon, start, audited } = testDevices();
    start();
    await daemon.polled();
    const output_id = '00000000-0000-4000-8000-00000000000a';
    const ofUser = stateOf({ state: 'on', actor: 'grower' });
    const ofProgram = stateOf({ state: 'on', actor: 'pyro' });
    daemon.emit({ kind: 'output', output_id, ...ofUser, outcome: 'confirmed', commanded_by: 'grower' });
    daemon.emit({ kind: 'output', output_id, ...ofProgram });
    const before = { state: 'off', quality: 'good', source: 'manual', actor: 'grower' } as const;
    const asked = { commanded_by: 'pyro', requested: 'on', before } as const;
    daemon.emit({ kind: 'output', output_id, ...ofProgram, outcome: 'confirmed', ...asked });
    daemon.emit({ kind: 'output', output_id, ...ofUser, outcome: 'blocked', commanded_by: 'pyro' });
    daemon.emit({ kind: 'output', output_id, ...ofProgram, outcome: 'failed' }); // tried again by the daemon itself
    await daemon.polled();
    const record = { kind: 'output.command', target: output_id, actor: { username: 'pyro' } };
    expect(audited).toMatchObject([
      { ...record, before, after: { outcome: 'confirmed', requested: 'on', state: 'on' } },
      { ...record, after: { outcome: 'blocked' } },
    ]);
  });
});

it('writes to the audit what programs did beside, and overrides that ended by themselves', async () => {
  const { daemon, start, audited } = testDevices();
  start();
  await daemon.polled();
  const target = '00000000-0000-4000-8000-00000000000a';
  const deed = { kind: 'program', method: 'controller_deactivate', peer: '127.0.0.1:40000' } as const;
  const before = { state: 'running' };
  const asked = { controller_id: target };
  daemon.emit({ ...deed, target, asked, before, is_done: true, answer: '0: stopped' });
  const ended = { actor: 'kim', value: 'on', override_until: '2026-03-01T06:00:00.000Z' } as const;
  const override = { kind: 'override', output_id: target, channel: 0, ...ended } as const;
  daemon.emit({ ...override, ended_by: 'expired', released_by: null, next: null });
  daemon.emit({ ...override, ended_by: 'released', released_by: 'kim', next: null });
  await daemon.polled();
  expect(audited).toMatchObject([
    {
      kind: 'program.controller_deactivate',
      target,
      before,
      actor: { username: 'pyro', address: '127.0.0.1' },
      after: { asked, is_done: true, answer: '0: stopped' },
    },
    { kind: 'output.override_end', target, before: ended, after: { ended_by: 'expired', next: null } },
  ]);
});

it('writes to the audit that an outside program stopped everything, and let it go again', async () => {
  const { daemon, start, audited } = testDevices();
  start();
  await daemon.polled();
  const kind = 'emergency_stop';
  const since = '2026-03-01T06:00:00.000Z';
  const over = { kind, active: false, since: null, by: null, reason: null } as const;
  for (const by of ['pyro', 'grower']) {
    daemon.emit({ kind, active: true, since, by, reason: 'smoke' });
    daemon.emit({ ...over, released_by: by });
  }
  daemon.emit(over);
  await daemon.polled();
  const actor = { username: 'pyro' };
  expect(audited).toMatchObject([
    { kind: 'emergency_stop.begin', actor, after: { active: true, since, by: 'pyro', reason: 'smoke' } },
    { kind: 'emergency_stop.release', actor, after: { active: false } },
  ]);
});

describe('a changed output', () => {
  const plc = { name: 'PLC', driver: 'modbus', options: { host: 'plc', registers: [coil, { ...coil, channel: 1 }] } };

  it('has what was named changed and keeps the rest of each channel', async () => {
    const { outputs, daemon, audited } = testDevices();
    const made = await outputs.create(grower, {
      ...plc,
      channels: [{ channel: 0, max_on_s: 60, min_off_s: 5 }, { channel: 1 }],
    });
    const changed = await outputs.change(grower, made.unique_id, {
      channels: [{ channel: 0, name: 'Pump', max_on_s: null }, { channel: 1 }],
    });
    expect(changed).toEqual({
      ...made,
      channels: [{ ...made.channels[0], name: 'Pump', max_on_s: null }, made.channels[1]],
    });
    expect(outputs.get(made.unique_id)).toEqual(changed);
    expect(daemon.told.at(-1)).toBe(`controller_refresh ${made.unique_id}`);
    expect(audited.at(-1)).toMatchObject({ kind: 'output.change', before: made, after: changed });
    expect(await outputs.change(grower, made.unique_id, changed)).toEqual(changed);
  });

  it('keeps a channel that a house drives', async () => {
    const { outputs, house } = testDevices();
    const made = await outputs.create(grower, plc);
    const { unique_id } = house({ actuators: [{ role: 'heater', device_id: made.unique_id, name: 'Heater' }] });
    const refusal = await refusalOf(outputs.change(grower, made.unique_id, { channels: [{ channel: 1 }] }));
    expect([refusal.code, refusal.members['users']]).toEqual([
      'in_use',
      [{ kind: 'facility', unique_id, name: 'House' }],
    ]);
    expect((await outputs.change(grower, made.unique_id, { channels: [{ channel: 0 }] })).channels).toHaveLength(1);
  });
});

describe('OutputCommander.release', () => {
  it('ends the manual command of the channel and says so in the audit', async () => {
    const { commander, switch: make, daemon, audited } = testDevices();
    const made = await make();
    const released = await commander.release(grower, made, undefined);
    expect(released).toMatchObject({ output_id: made.unique_id, channel: 0, released: true });
    expect(daemon.told.at(-1)).toBe(`override_release ${made.unique_id} 0`);
    expect(audited.at(-1)).toMatchObject({ kind: 'output.release', target: made.unique_id });
    expect((await refusalOf(commander.release(grower, made, 7))).code).toBe('unknown_reference');
  });
});

describe('EmergencyStopService', () => {
  it('stops and releases in the name of who asked, with the audit', async () => {
    const { emergencyStop, daemon, audited } = testDevices();
    expect(await emergencyStop.stop(grower, 'smoke')).toMatchObject({ active: true, by: 'grower', reason: 'smoke' });
    expect(await emergencyStop.get()).toMatchObject({ active: true });
    expect(await emergencyStop.release(grower, undefined)).toMatchObject({ active: false, by: null });
    expect(audited.map(({ kind }) => kind)).toEqual(['emergency_stop.begin', 'emergency_stop.release']);
    daemon.failure = remoteError('connection_failed');
    expect((await refusalOf(emergencyStop.get())).code).toBe('daemon_unreachable');
  });

  it('writes a stop by a program to the audit as well', async () => {
    const { start, daemon, audited } = testDevices();
    start();
    await daemon.polled();
    const since = '2026-03-01T06:00:00.000Z';
    daemon.emit({ kind: 'emergency_stop', active: true, since, by: 'pyro', reason: null });
    await daemon.polled();
    expect(audited).toMatchObject([{ kind: 'emergency_stop.begin', actor: { username: 'pyro' }, after: { since } }]);
  });
});
