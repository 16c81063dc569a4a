import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lockHolder } from '../../../server/supervision/discovery.ts';
import { openDatabase } from '../../../server/db/open.ts';
import { InputRepository } from '../../../server/db/repositories/input.ts';
import { OutputRepository } from '../../../server/db/repositories/output.ts';
import {
  configure,
  daemonSite,
  heaterId,
  indoorId,
  simulatedOutput,
  temperatureId,
  ventId,
} from '../../support/daemon-site.ts';
import { controlOf, freePort, startDaemon, until } from '../../support/daemon-process.ts';

const nobody = '00000000-0000-4000-8000-0000000000ff';

describe('a running daemon', () => {
  it('switches an output and says what the device did', async () => {
    const control = await startDaemon({ dataDirectory: daemonSite() }).service();
    const answer = await control.output_command({ output_id: heaterId, state: true, actor: 'kim' });
    expect(answer).toMatchObject({
      outcome: 'confirmed',
      state: { state: 'on', quality: 'good', source: 'manual', actor: 'kim', pending: false },
    });
    expect(await control.output_state(heaterId)).toBe('on');
    expect(await control.output_sec_currently_on(heaterId, 0)).toBeGreaterThanOrEqual(0);
    expect(await control.check_daemon()).toBe('GOOD');
  });

  it('is commanded as programs do it, and the last one wins', async () => {
    const control = controlOf(await startDaemon({ dataDirectory: daemonSite() }).ready);
    expect(await control.output_on(ventId, 'pwm', 35)).toEqual([0, 'confirmed: the device confirmed it']);
    expect(await control.output_state(ventId)).toBe(35);
    expect(await control.output_on_off(ventId, 'off')).toEqual([0, 'confirmed: the device confirmed it']);
    await expect(control.output_on(heaterId, 'vol', 20)).rejects.toMatchObject({ code: 'invalid_argument' });
    expect(await control.output_on(heaterId, 'sec', 0.3)).toEqual([0, 'confirmed: the device confirmed it']);
    await until(
      () => control.output_state(heaterId),
      (state) => state === 'off',
    );
  });

  it('keeps the emergency stop when it is killed, until somebody releases it', async () => {
    const dataDirectory = daemonSite({ startup_state: 'last' });
    const first = startDaemon({ dataDirectory });
    const before = await first.service();
    await before.output_on(heaterId);
    const stopped = await before.emergency_stop('smoke', 'kim');
    expect(stopped).toMatchObject({ active: true, by: 'kim', reason: 'smoke' });
    expect(stopped.outputs.map(({ outcome }) => outcome)).toEqual(['confirmed', 'confirmed']);
    first.child.kill('SIGKILL');
    await first.ended;
    const control = await startDaemon({ dataDirectory }).service();
    expect(await control.emergency_stop_get()).toMatchObject({ active: true, since: stopped.since, by: 'kim' });
    expect((await control.output_on(heaterId))[0]).toBe(1);
    expect(await control.emergency_stop_release('kim')).toMatchObject({ active: false, outputs: [] });
    expect(await control.output_state(heaterId)).toBe('off');
    expect((await control.output_on(heaterId))[0]).toBe(0);
  });

  it('holds an override against programs', async () => {
    const control = controlOf(await startDaemon({ dataDirectory: daemonSite() }).ready);
    const override_until = new Date(Date.now() + 60_000).toISOString();
    await control.output_command({ output_id: heaterId, state: false, override_until });
    const [status, message] = await control.output_on(heaterId);
    expect([status, message.split(':')[0]]).toEqual([1, 'blocked']);
    const released = await control.override_release(heaterId);
    expect(released).toMatchObject({ released: true, state: { state: 'off', source: null, wanted: null } });
    expect(await control.override_release(heaterId)).toMatchObject({ released: false });
  });

  it('refuses what it does not know by a code', async () => {
    const control = controlOf(await startDaemon({ dataDirectory: daemonSite() }).ready);
    for (const method of ['output_on', 'pid_hold', 'controller_activate', 'lcd_reset'] as const) {
      await expect(control[method](nobody), method).rejects.toMatchObject({ code: 'not_found' });
    }
    expect(await control.output_setup('Delete', nobody)).toEqual([1, `there is no output ${nobody}`]);
  });

  it('says by the status why it cannot read', async () => {
    const control = controlOf(await startDaemon({ dataDirectory: daemonSite() }).ready);
    await control.controller_deactivate(indoorId);
    for (const [id, message] of [
      [nobody, `there is no input ${nobody}`],
      [heaterId, `there is no input ${heaterId}`],
      [indoorId, `input ${indoorId} is not active`],
    ] as const)
      expect(await control.input_force_measurements(id)).toEqual([1, message]);
  });

  it('says what a program had run or stop until the settings say so', async () => {
    const dataDirectory = daemonSite();
    const daemon = startDaemon({ dataDirectory });
    const control = controlOf(await daemon.ready);
    const service = await daemon.service();
    const statusOf = async () =>
      (await control.live_state()).controllers.find(({ controller_id }) => controller_id === indoorId);
    const { cursor } = await control.live_state();
    await control.controller_deactivate(indoorId);
    const stopped = { controller_id: indoorId, controller_type: 'Input', state: 'stopped', asked_active: false };
    expect(await statusOf()).toMatchObject(stopped);
    const event = (await control.events_since(cursor, 0)).events.findLast(({ kind }) => kind === 'controller');
    expect(event).toMatchObject(stopped);
    configure(dataDirectory, (database) => {
      const inputs = new InputRepository(database);
      const input = inputs.get(indoorId);
      if (input) inputs.update({ ...input, is_activated: false });
    });
    expect(await statusOf()).toBeUndefined();
    await service.controller_activate(indoorId);
    expect(await statusOf()).not.toHaveProperty('asked_active');
  });

  it('refuses what makes no sense by a code', async () => {
    const control = controlOf(await startDaemon({ dataDirectory: daemonSite() }).ready);
    const wrong = [
      control.output_on(heaterId, 'pwm', 35),
      control.output_on(ventId, 'pwm', 135),
      control.output_on(heaterId, 'sec', -1),
      control.output_state(heaterId, 7),
      control.controller_activate(heaterId, 'Input'),
      control.output_command({ output_id: heaterId, state: true, source: 'emergency_stop' }),
    ];
    for (const one of wrong) await expect(one).rejects.toMatchObject({ code: 'invalid_argument' });
  });

  it('reads, stores and tells its inputs', async () => {
    const dataDirectory = daemonSite();
    const control = controlOf(await startDaemon({ dataDirectory }).ready);
    expect(await control.input_force_measurements(indoorId)).toEqual([0, 'read and stored']);
    expect(await control.last_measurement(indoorId, temperatureId, 10)).toMatchObject({ unit: 'C', quality: 'good' });
    const live = await control.live_state();
    expect(live.measurements).toHaveLength(1);
    expect(live.outputs.map(({ output_id, state }) => [output_id, state])).toEqual([
      [heaterId, 'off'],
      [ventId, 'off'],
    ]);
    const measurements = openDatabase(join(dataDirectory, 'measurements.db'), { readonly: true });
    expect(measurements.prepare('SELECT count(*) FROM sample').pluck().get()).toBeGreaterThan(0);
    measurements.close();
  });

  it('gives the past of what it measured, with samples that others add', async () => {
    const control = controlOf(await startDaemon({ dataDirectory: daemonSite() }).ready);
    await control.input_force_measurements(indoorId);
    const now = Date.now();
    const sample = {
      device_id: indoorId,
      measurement_id: temperatureId,
      channel: 0,
      unit: 'C',
      quality: 'good',
    } as const;
    expect(await control.measurement_create({ ...sample, value: 19.5, time_ms: now - 30_000 })).toBe(true);
    const past = await control.past_measurements(indoorId, temperatureId, 60);
    expect(past).toMatchObject({ unit: 'C', resolution: 'raw' });
    expect([past.times[0], past.values[0]]).toEqual([now - 30_000, 19.5]);
    expect(past.values.length).toBeGreaterThan(1);
    expect((await control.last_measurement(indoorId, temperatureId))?.value).not.toBe(19.5);
    await control.measurement_create({ ...sample, value: 77, time_ms: now + 500 });
    expect((await control.last_measurement(indoorId, temperatureId))?.value).not.toBe(77); // it is read itself
    await control.controller_deactivate(indoorId); // its next reading would be newer still
    const later = { ...sample, value: 20.5, time_ms: now + 1_000 };
    await control.measurement_create(later);
    expect(await control.last_measurement(indoorId, temperatureId)).toMatchObject({ value: 20.5 });
    await expect(control.measurement_create({ ...later, unit: 'F' })).rejects.toMatchObject({
      code: 'invalid_argument',
    });
    await expect(control.past_measurements(indoorId, nobody, 60)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('tells every command as an event after the cursor of the live state', async () => {
    const control = await startDaemon({ dataDirectory: daemonSite() }).service();
    const { cursor } = await control.live_state();
    const waiting = control.events_since(cursor, 5);
    const command = control.output_command({ output_id: heaterId, state: true, actor: 'kim' });
    let { events, cursor: next } = await waiting;
    const isEnd = (): boolean => events.some((event) => event.kind === 'output' && event.outcome === 'confirmed');
    while (!isEnd()) ({ events, cursor: next } = await control.events_since(next, 5));
    const end = events.find((event) => event.kind === 'output' && event.outcome === 'confirmed');
    expect(end).toMatchObject({ output_id: heaterId, state: 'on', actor: 'kim', source: 'manual' });
    expect((await command).cursor).toBe(end?.id);
  });

  it('takes in, changes and lets go of an output without a restart', async () => {
    const dataDirectory = daemonSite();
    const control = controlOf(await startDaemon({ dataDirectory }).ready);
    const added = simulatedOutput(nobody, 'heater', { startup_state: 'safe' });
    configure(dataDirectory, (database) => new OutputRepository(database).insert(added));
    const { cursor } = await control.live_state();
    expect((await control.output_setup('Add', nobody))[0]).toBe(0);
    const { events } = await control.events_since(cursor, 0);
    expect(events).toContainEqual(
      expect.objectContaining({
        kind: 'controller',
        controller_id: nobody,
        controller_type: 'Output',
        state: 'running',
      }),
    );
    await control.output_on(nobody);
    const changed = simulatedOutput(nobody, 'heater', { max_on_s: 0.3 });
    configure(dataDirectory, (database) => new OutputRepository(database).update(changed));
    expect((await control.output_setup('Modify', nobody))[0]).toBe(0);
    await until(
      () => control.output_state(nobody),
      (state) => state === 'off',
    );
    configure(dataDirectory, (database) => new OutputRepository(database).remove(nobody));
    expect((await control.output_setup('Delete', nobody))[0]).toBe(0);
    await expect(control.output_state(nobody)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('the end of a daemon', () => {
  it('is orderly on SIGTERM however often it comes, and ignores SIGINT and SIGHUP', async () => {
    const { child, ready, ended, log } = startDaemon({ dataDirectory: daemonSite() });
    const control = controlOf(await ready);
    await control.output_command({ output_id: heaterId, state: true });
    child.kill('SIGINT');
    child.kill('SIGHUP');
    expect(await control.output_state(heaterId)).toBe('on');
    child.kill('SIGTERM');
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect(log()).toBe('');
  });

  it('answers terminate_daemon before it goes, and has told who asked for it', async () => {
    const { ready, ended, service } = startDaemon({ dataDirectory: daemonSite() });
    const server = await service();
    let { cursor } = await server.live_state();
    const heard = (async () => {
      for (;;) {
        const batch = await server.events_since(cursor, 20);
        for (const event of batch.events) if (event.kind === 'daemon') return event;
        cursor = batch.cursor; // the first readings of its outputs came before
      }
    })();
    expect(await controlOf(await ready).terminate_daemon()).toBe(true);
    const { state, ended_by } = await heard;
    expect(state).toBe('stopping');
    expect(ended_by).toMatch(/^pyro \(127\.0\.0\.1:\d+\)$/);
    expect(await ended).toEqual([0, null]);
  });

  it('comes in order when the process that started it is gone and it may not linger; one that may goes on', async () => {
    const brief = startDaemon({ dataDirectory: daemonSite({ shutdown_state: 'leave' }) });
    const lasting = startDaemon({ dataDirectory: daemonSite(), linger_s: null });
    const port = await lasting.ready;
    for (const one of [await brief.ready, port]) {
      await controlOf(one).output_command({ output_id: heaterId, state: true });
    }
    lasting.child.disconnect();
    brief.child.disconnect();
    expect(await brief.ended).toEqual([0, null]);
    expect(await controlOf(port).output_state(heaterId)).toBe('on');
  });
});

/**
 * Last value, override, and whether it is known since when it is on, of the heater and the vent, as they are on disk.
 */
function keptOutputs(dataDirectory: string): unknown[] {
  const database = openDatabase(join(dataDirectory, 'control.db'), { readonly: true });
  const kept = database
    .prepare('SELECT last_value, override_value, on_since_ms IS NOT NULL FROM output_channels ORDER BY output_id')
    .raw()
    .all();
  database.close();
  return kept;
}

describe('the next start', () => {
  it('after kill -9 drives safe first, and overrides and min_off come back', async () => {
    const dataDirectory = daemonSite({ min_off_s: 600 });
    const first = startDaemon({ dataDirectory });
    const before = await first.service();
    const override_until = new Date(Date.now() + 600_000).toISOString();
    await before.output_command({ output_id: heaterId, state: true });
    await before.output_command({ output_id: ventId, state: true, duty_cycle_pct: 40, override_until, actor: 'kim' });
    // A command is answered before the disk has it.
    await expect
      .poll(() => keptOutputs(dataDirectory))
      .toEqual([
        ['on', null, 1],
        [40, 40, 1],
      ]);
    first.child.kill('SIGKILL');
    await first.ended;
    const control = controlOf(await startDaemon({ dataDirectory }).ready);
    const { events } = await control.events_since(`${(await control.daemon_status()).boot_id}:0`, 0);
    const reached = (id: string): unknown[] =>
      events.flatMap((event) =>
        event.kind === 'output' && event.output_id === id && event.outcome !== undefined ? [event.state] : [],
      );
    expect(reached(heaterId)).toEqual(['off']);
    expect(reached(ventId)).toEqual(['off', 40]);
    const { outputs } = await control.live_state();
    expect(outputs).toMatchObject([
      { output_id: heaterId, state: 'off' },
      { output_id: ventId, state: 40, source: 'manual', actor: 'kim' },
    ]);
    const untilMs = Date.parse(outputs[1]?.until ?? '');
    expect(Math.abs(untilMs - Date.parse(override_until))).toBeLessThan(5); // two clocks of whole ms
    expect(await control.output_on(heaterId)).toEqual([1, expect.stringMatching(/^blocked: it must stay off/)]);
  });

  it('after an orderly stop takes up the last value at once', async () => {
    const dataDirectory = daemonSite({ startup_state: 'last', shutdown_state: 'leave' });
    const first = startDaemon({ dataDirectory });
    await controlOf(await first.ready).output_command({ output_id: heaterId, state: true });
    first.child.kill('SIGTERM');
    await first.ended;
    const control = controlOf(await startDaemon({ dataDirectory }).ready);
    const { events } = await control.events_since(`${(await control.daemon_status()).boot_id}:0`, 0);
    const values = events.flatMap((event) =>
      event.kind === 'output' && event.output_id === heaterId && event.outcome ? [event.state] : [],
    );
    expect(values).toEqual(['on']);
  });
});

describe('a daemon that cannot start', () => {
  it('says that another one has the data directory', async () => {
    const dataDirectory = daemonSite();
    await startDaemon({ dataDirectory }).ready;
    const second = startDaemon({ dataDirectory });
    expect(await second.ended).toEqual([1, null]);
    expect(second.log().trim().split('\n')).toEqual([expect.stringContaining('daemon.lock is locked by process')]);
  });

  it('says that its port is taken, after it has waited for it', async () => {
    const foreign = createServer().listen(await freePort(), '127.0.0.1');
    await once(foreign, 'listening');
    const { port } = foreign.address() as { port: number }; // listens on TCP
    const { ended, log } = startDaemon({ dataDirectory: daemonSite(), port });
    const startedAt = performance.now();
    expect(await ended).toEqual([1, null]);
    expect(performance.now() - startedAt).toBeGreaterThan(4_900);
    expect(log()).toBe(`daemon: port ${port} is taken by another program\n`);
    foreign.close();
  });

  it('can be stopped while it waits for its port', async () => {
    const foreign = createServer().listen(await freePort(), '127.0.0.1');
    await once(foreign, 'listening');
    const { port } = foreign.address() as { port: number }; // listens on TCP
    const dataDirectory = daemonSite();
    const { child, ended, log } = startDaemon({ dataDirectory, port });
    await until(
      () => lockHolder(dataDirectory),
      (pid) => pid === child.pid,
    );
    child.kill('SIGTERM');
    expect([await ended, log()]).toEqual([[0, null], expect.not.stringContaining(String(port))]);
    foreign.close();
  });

  it('says what is wrong with its arguments', async () => {
    const { ended, log } = startDaemon({ dataDirectory: daemonSite(), port: 70_000 });
    expect(await ended).toEqual([1, null]);
    expect(log()).toMatch(/^daemon: --port: .*\n$/);
  });
});
