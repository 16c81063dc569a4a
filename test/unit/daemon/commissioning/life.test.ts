import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { CommissioningCheck } from '../../../../server/contract/commissioning.ts';
import type { FunctionSettings } from '../../../../server/contract/function.ts';
import { ownMeasurementId } from '../../../../server/contract/measured.ts';
import { commissioningBench, itemOf, resultsOf } from '../../../support/commissioning-bench.ts';

const heaterOnly = { actuators: [{ role: 'heater' }] } as const;
const heaterAndFan = { actuators: [{ role: 'heater' }, { role: 'exhaust_fan' }] } as const;

async function started(options: Parameters<typeof commissioningBench>[0] = heaterOnly) {
  const bench = commissioningBench(options);
  await bench.start();
  const { check_id } = await bench.engine.begin(bench.facility.unique_id, null, 'kim');
  const check = (): CommissioningCheck => bench.engine.get(check_id);
  return { ...bench, bench, check, check_id, isDriven: () => bench.stateOf('heater').source === 'commissioning' };
}

describe('the end of a check', () => {
  it('is foreseen before it begins and while it runs, about as it comes', async () => {
    const { bench, check, clock, engine, facility } = await started(heaterAndFan);
    const planned = clock.now() + 1000 * engine.plan(facility.unique_id).takes_s;
    await clock.advance(2_000);
    const foreseen = Date.parse(check().expected_end_at ?? '');
    expect(Math.abs(foreseen - planned)).toBeLessThan(5_000);
    await clock.advance(60_000);
    expect(Math.abs(Date.parse(check().expected_end_at ?? '') - foreseen)).toBeLessThan(30_000);
    await bench.until(() => check().status !== 'running');
    expect(Math.abs(clock.now() - foreseen)).toBeLessThan(60_000);
    expect(check()).not.toHaveProperty('expected_end_at');
    for (const { name, checks } of check().items) {
      const codes = checks.map(({ code }) => code);
      expect([name, codes]).toEqual([name, [...new Set(codes)]]); // no two tests of one name
    }
    expect(itemOf(check(), 'indoor_temp').checks.map(({ code }) => code)).toContain('residual');
  });
});

describe('what a check drives', () => {
  it('is driven as commissioning, in the name of who began, and is on disk before', async () => {
    const { bench, isDriven, store, check_id } = await started();
    await bench.until(isDriven);
    expect(bench.stateOf('heater')).toMatchObject({ state: 'on', source: 'commissioning', actor: 'kim' });
    expect(store.stored.get(check_id)?.under_test).toMatchObject([{ former: 'off', source: null }]);
    await bench.until(() => !isDriven());
    expect(bench.stateOf('heater').state).toBe('off');
    expect(store.stored.get(check_id)?.under_test).toEqual([]);
  });

  it('is not driven where its former state cannot be kept', async () => {
    const { bench, check, store } = await started();
    store.saveCheck = async () => Promise.reject(new Error('disk full'));
    await bench.until(() => check().status !== 'running');
    expect(itemOf(check(), 'heater')).toMatchObject({ result: 'inconclusive', findings: [{ code: 'not_moved' }] });
    expect(itemOf(check(), 'heater').checks).not.toContainEqual(expect.objectContaining({ code: 'response' }));
    expect(bench.stateOf('heater')).toMatchObject({ state: 'off', source: null });
  });

  it('ends by itself should nobody end it', async () => {
    const { bench, isDriven } = await started();
    await bench.until(isDriven);
    expect(bench.stateOf('heater').until).not.toBeNull();
  });

  it.each(['on', 'off'] as const)('comes back to %s after an abort', async (state) => {
    const bench = commissioningBench(heaterOnly);
    await bench.start();
    const heater = bench.running.channel(bench.output('heater').unique_id);
    await heater.command({ source: 'automatic', actor: 'pid', value: state, hold: 'next_command' });
    const { check_id } = await bench.engine.begin(bench.facility.unique_id, null, 'kim');
    await bench.until(() => bench.stateOf('heater').source === 'commissioning');
    expect(bench.stateOf('heater').state).toBe(state === 'on' ? 'off' : 'on');
    await bench.engine.abort(check_id, 'lee');
    expect(bench.stateOf('heater')).toMatchObject({ state, source: 'automatic', actor: 'pid' });
    expect(bench.engine.get(check_id)).toMatchObject({ status: 'aborted', reason: 'aborted by lee', phase: 'ended' });
  });

  it('comes back to a position that nobody commands any more', async () => {
    const bench = commissioningBench({ actuators: [{ role: 'side_vent' }] });
    await bench.start();
    const vent = bench.running.channel(bench.output('side_vent').unique_id);
    await vent.command({ source: 'manual', actor: 'lee', value: 20, hold: 'next_command' });
    await bench.clock.advance(300_000);
    const { check_id } = await bench.engine.begin(bench.facility.unique_id, null, 'kim');
    await bench.until(() => bench.stateOf('side_vent').source === 'commissioning');
    await bench.engine.abort(check_id, 'kim');
    expect(bench.stateOf('side_vent')).toMatchObject({ state: 20, source: null });
    const restored = { code: 'restored', passed: true, measured: 20, expected: '20', unit: '%' };
    expect(itemOf(bench.engine.get(check_id), 'side_vent').checks).toContainEqual(restored);
  });

  it('comes back after a crash, and the check is aborted with the reason', async () => {
    const { bench, isDriven, store, check_id, facility } = await started();
    await bench.until(isDriven);
    // What a process that dies leaves: the store as it is at this moment, with the heater on before the check.
    const left = store.stored.get(check_id);
    if (left === undefined) throw new Error('nothing was stored');
    await store.saveCheck({
      ...left,
      under_test: left.under_test.map((one) => ({ ...one, former: 'on', source: null })),
    });
    const after = commissioningBench({ ...heaterOnly, store, facility, outputs: bench.outputs });
    await after.start();
    expect(after.stateOf('heater')).toMatchObject({ state: 'on', source: null });
    expect(after.engine.get(check_id)).toMatchObject({
      status: 'aborted',
      reason: 'the control service was restarted',
    });
    expect(store.stored.get(check_id)?.check.status).toBe('aborted');
  });

  it('comes back when the daemon stops in order', async () => {
    const { bench, isDriven, check } = await started();
    await bench.until(isDriven);
    await bench.engine.stop();
    expect(bench.stateOf('heater').state).toBe('off');
    expect(check()).toMatchObject({ status: 'aborted', reason: 'the control service was stopped' });
  });

  it('stays stopped after an emergency stop, which ends the check', async () => {
    const { bench, isDriven, check } = await started();
    await bench.until(isDriven);
    const heater = bench.running.channel(bench.output('heater').unique_id);
    await heater.command({ source: 'emergency_stop', actor: 'lee', value: 'off', hold: 'released' });
    await bench.clock.advance(2_000);
    expect(check()).toMatchObject({ status: 'aborted', reason: 'emergency stop' });
    await heater.release('emergency_stop');
    await bench.clock.advance(5_000);
    expect(bench.stateOf('heater')).toMatchObject({ state: 'off', source: null });
  });

  it('comes back when the house is deleted', async () => {
    const { bench, isDriven, check_id, engine, store } = await started();
    await bench.until(isDriven);
    bench.standing.is = 'in_trash';
    await bench.clock.advance(2_000);
    expect(bench.stateOf('heater').state).toBe('off');
    expect(() => engine.get(check_id)).toThrow(expect.objectContaining({ code: 'not_found' }));
    expect(store.stored.get(check_id)?.check).toMatchObject({ status: 'aborted', reason: 'the house was deleted' });
    bench.standing.is = 'gone';
    await engine.start();
    expect(store.stored.size).toBe(0);
  });
});

it('a lamp alone that is not active is planned, and ends its item', async () => {
  const bench = commissioningBench({ sensors: [{ role: 'indoor_light' }], actuators: [{ role: 'lighting' }] });
  await bench.start();
  await bench.running.deactivate(bench.output('lighting').unique_id);
  expect(bench.engine.plan(bench.facility.unique_id).takes_s).toBeGreaterThan(20);
  expect(resultsOf(await bench.run())).toMatchObject({ lighting: 'error' });
});

describe('what interferes', () => {
  it.each([null, 3_600_000])(
    'a manual command is obeyed and makes the item inconclusive (override %s)',
    async (forMs) => {
      const { bench, isDriven, check } = await started();
      await bench.until(isDriven);
      const heater = bench.running.channel(bench.output('heater').unique_id);
      const hold = forMs === null ? 'next_command' : bench.clock.elapsed() + forMs;
      const answer = await heater.command({ source: 'manual', actor: 'lee', value: 'off', hold });
      expect(answer.outcome).toBe('confirmed');
      await bench.until(() => check().status !== 'running');
      expect(itemOf(check(), 'heater')).toMatchObject({
        result: 'inconclusive',
        message: 'Another command came during the test: lee.',
      });
      expect(bench.stateOf('heater')).toMatchObject({ state: 'off', source: 'manual', actor: 'lee', wanted: null });
    },
  );

  it('another actuator of the air that somebody moves makes it inconclusive', async () => {
    const { bench, isDriven, check } = await started(heaterAndFan);
    await bench.until(isDriven);
    const fan = bench.running.channel(bench.output('exhaust_fan').unique_id);
    await fan.command({ source: 'manual', actor: 'lee', value: 'on', hold: 'next_command' });
    await bench.until(() => itemOf(check(), 'heater').result === 'inconclusive');
    expect(itemOf(check(), 'heater').message).toContain('exhaust_fan moved during the test');
    expect(bench.stateOf('exhaust_fan')).toMatchObject({ state: 'on', actor: 'lee' });
  });

  it('a device under an override is left alone', async () => {
    const bench = commissioningBench(heaterOnly);
    await bench.start();
    const heater = bench.running.channel(bench.output('heater').unique_id);
    await heater.command({ source: 'manual', actor: 'lee', value: 'off', hold: bench.clock.elapsed() + 36e5 });
    const check = await bench.run();
    expect(itemOf(check, 'heater')).toMatchObject({ result: 'inconclusive', message: 'Held by lee.' });
  });

  it('a device that vanishes ends its item, not the check', async () => {
    // At noon in April, when the fan shows clearly.
    const { bench, isDriven, check } = await started({ ...heaterAndFan, now: Date.UTC(2026, 3, 15, 4) });
    await bench.until(isDriven);
    await bench.running.deactivate(bench.output('heater').unique_id);
    await bench.until(() => check().status !== 'running');
    expect(resultsOf(check())).toMatchObject({ heater: 'error', exhaust_fan: 'ok' });
  });
});

describe('beginning and judging', () => {
  it('refuses a second check of a house, one without devices, and devices that are not bound', async () => {
    const { engine, facility } = await started();
    const id = facility.unique_id;
    await expect(engine.begin(id, null, 'kim')).rejects.toMatchObject({ code: 'check_running' });
    await expect(engine.begin('nowhere', null, 'kim')).rejects.toMatchObject({ code: 'not_found' });
    const bare = commissioningBench({ sensors: [], actuators: [] });
    await expect(bare.engine.begin(bare.facility.unique_id, null, 'kim')).rejects.toMatchObject({
      code: 'nothing_bound',
    });
    const other = commissioningBench();
    const asked = other.engine.begin(other.facility.unique_id, ['nobody'], 'kim');
    await expect(asked).rejects.toMatchObject({ code: 'invalid_argument' });
  });

  it('begins and tests again nothing during an emergency stop, of which no empty check is left', async () => {
    const bench = commissioningBench();
    const { engine, facility, safety } = bench;
    await bench.start();
    await safety.emergency.begin('lee', null);
    const refused = { code: 'emergency_stopped' };
    await expect(engine.begin(facility.unique_id, null, 'kim')).rejects.toMatchObject(refused);
    expect(engine.list(facility.unique_id)).toEqual([]);
    await safety.emergency.release('lee');
    const { check_id } = await bench.run([bench.output('lighting').unique_id]);
    await safety.emergency.begin('lee', null);
    Object.assign(engine.get(check_id).items[0] ?? {}, { result: 'inconclusive' });
    await expect(engine.retest(check_id, 'kim')).rejects.toMatchObject(refused);
  });

  it('includes only what is asked for', async () => {
    const bench = commissioningBench();
    await bench.start();
    const check = await bench.run([bench.output('lighting').unique_id]);
    expect(resultsOf(check)).toEqual({ lighting: 'ok' });
  });

  it('is judged when all is tested, item by item, and keeps what was replaced', async () => {
    const { engine, check, check_id, bench } = await started();
    const ids = [...new Set(check().items.map(({ device_id }) => device_id))];
    const [device_id = ''] = ids;
    await expect(engine.verdict(check_id, { device_id, verdict: 'approved' }, 'kim')).rejects.toMatchObject({
      code: 'not_judgeable',
    });
    await bench.until(() => check().status === 'awaiting_verdict');
    await expect(engine.verdict(check_id, { device_id: 'x', verdict: 'held' }, 'kim')).rejects.toMatchObject({
      code: 'not_in_check',
    });
    const held = await engine.verdict(check_id, { device_id, verdict: 'held', reason: 'sensor', note: 'drips' }, 'kim');
    expect(held).toMatchObject({
      verdict: 'held',
      verdict_reason: 'sensor',
      verdict_by: 'kim',
      note: 'drips',
      history: [],
    });
    await bench.clock.advance(1_000);
    const again = await engine.verdict(
      check_id,
      { device_id, verdict: 'held', reason: 'sensor', note: 'drips' },
      'kim',
    );
    expect(again).toMatchObject({ verdict_at: held.verdict_at, history: [] }); // a second press says nothing new
    for (const id of ids) await engine.verdict(check_id, { device_id: id, verdict: 'approved' }, 'lee');
    expect(check()).toMatchObject({ status: 'completed', phase: 'ended', summary: { held: 0, unjudged: 0 } });
    expect(check().items[0]).toMatchObject({
      verdict: 'approved',
      verdict_by: 'lee',
      note: '',
      history: [{ verdict: 'held', by: 'kim', note: 'drips' }],
    });
    const late = () => engine.verdict(check_id, { device_id, verdict: 'held' }, 'kim');
    await expect(late()).rejects.toMatchObject({ code: 'check_completed' });
    expect(check()).toMatchObject({ status: 'completed', summary: { held: 0 } });
    await engine.reopen(check_id, 'it drips again', 'kim');
    expect(check()).toMatchObject({
      status: 'awaiting_verdict',
      phase: 'judging',
      ended_at: null,
      reopened: [{ reason: 'it drips again', by: 'kim' }],
    });
    await expect(engine.reopen(check_id, 'twice', 'kim')).rejects.toMatchObject({ code: 'not_completed' });
    await late();
    expect(check()).toMatchObject({ status: 'completed', phase: 'ended', summary: { held: 1 } });
    await expect(engine.abort(check_id, 'kim')).rejects.toMatchObject({ code: 'not_running' });
  });

  it('tells its progress as events', async () => {
    const { bench, events, check } = await started();
    const begun = events.cursor;
    await bench.until(() => check().status === 'awaiting_verdict');
    const told = (await events.since(begun, 0, new AbortController().signal)).events.filter(
      ({ kind }) => kind === 'commissioning',
    );
    const heater = told.flatMap((event) =>
      event.kind === 'commissioning' && event.item?.role === 'heater' ? [event.item.result] : [],
    );
    expect(heater).toEqual(['running', 'ok']);
    expect(told.at(-1)).toMatchObject({
      status: 'awaiting_verdict',
      phase: 'judging',
      progress: { done: 7, total: 7 },
    });
  });
});

describe('forty devices', () => {
  it('are finished in minutes', async () => {
    const sensorRoles = [
      'indoor_temp',
      'indoor_humidity',
      'indoor_co2',
      'indoor_light',
      'outdoor_temp',
      'outdoor_humidity',
    ] as const;
    const sensors = Array.from({ length: 20 }, (_, n) => ({
      role: sensorRoles[n % 6] ?? 'indoor_temp',
      name: `sensor ${n}`,
    }));
    const roles = [
      'heater',
      'exhaust_fan',
      'side_vent',
      'lighting',
      'shade_curtain',
      'circulation_fan',
      'fogger',
    ] as const;
    const actuators = Array.from({ length: 20 }, (_, n) => ({ role: roles[n % 7] ?? 'heater', name: `actuator ${n}` }));
    const bench = commissioningBench({ sensors, actuators });
    await bench.start();
    const check = await bench.run();
    const minutes = (bench.clock.now() - Date.parse(check.started_at)) / 60_000;
    // Three of a role in one house hide each other's work: not all can be approved, but none is failed.
    expect(check.items.filter(({ result }) => result === 'fail').map(({ name, message }) => [name, message])).toEqual(
      [],
    );
    expect(minutes).toBeLessThan(45);
  }, 60_000);
});

describe('a sensor that is a function', () => {
  it('is checked by the period of the function', async () => {
    const sensors = [
      { role: 'indoor_temp', name: 'east' },
      { role: 'indoor_temp', name: 'west' },
    ] as const;
    const house = commissioningBench({ sensors, actuators: [] });
    const measurements = house.inputs.map(({ unique_id, channels: [channel] }) => ({
      device_id: unique_id,
      measurement_id: channel?.measurement_id ?? '',
      max_age_s: 60,
    }));
    const unique_id = randomUUID();
    const mean: FunctionSettings = {
      unique_id,
      name: 'mean',
      is_activated: true,
      kind: 'average',
      options: { period_s: 30, measurements },
    };
    const bound = {
      role: 'indoor_temp',
      device_id: unique_id,
      measurement_id: ownMeasurementId(unique_id, 0),
    } as const;
    const facility = { ...house.facility, sensors: [{ ...bound, name: 'mean' }] };
    const bench = commissioningBench({ actuators: [], foreign: house.inputs, functions: [mean], facility });
    await bench.start();
    const { check_id } = await bench.engine.begin(facility.unique_id, null, 'kim');
    const tell = (): void => {
      const timeMs = bench.clock.now();
      const { device_id, measurement_id } = bound;
      bench.live.record({
        device_id,
        measurement_id,
        channel: 0,
        value: 18 + timeMs / 1e15,
        unit: 'C',
        quality: 'good',
        time_ms: timeMs,
      });
    };
    for (let round = 0; bench.engine.get(check_id).status === 'running'; round += 1) {
      tell();
      await bench.clock.advance(30_000);
      if (round > 10) throw new Error('it did not end');
    }
    const item = itemOf(bench.engine.get(check_id), 'indoor_temp', 'mean');
    expect(item.channel).toBe(0);
    expect(item.checks).toContainEqual(expect.objectContaining({ code: 'received', passed: true, expected: '>= 2' }));
    expect(item.findings).toMatchObject([{ code: 'level_unproven' }]);
    await bench.stop();
    await house.stop();
  });
});
