import { readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openControlStore, type ControlStore } from '../../../../server/daemon/store/control-store.ts';
import type { OutputStateRow } from '../../../../server/db/repositories/output-state.ts';
import { alarmIdOf } from '../../../../server/daemon/alarms/alarm-key.ts';
import { AlarmRepository } from '../../../../server/db/repositories/alarm.ts';
import { alarmBench, condition } from '../../../support/alarm-bench.ts';
import { testDatabase, testFolder } from '../../../support/database.ts';

const row: OutputStateRow = {
  output_id: '00000000-0000-4000-8000-000000000001',
  channel: 0,
  last_value: 'on',
  on_since_ms: 1_700_000_000_000,
  min_off_s: 30,
  min_off_until_ms: null,
  override_value: 37.5,
  override_actor: 'kim',
  override_reason: 'frost',
  override_until_ms: 1_700_000_600_000,
  override_ends_ms: null,
  kept_value: null,
  kept_source: null,
  kept_actor: null,
  kept_hold_ms: null,
};

/** Of the journal. */
const everything = {
  from: null,
  to: null,
  alarm_id: null,
  code: null,
  severity: null,
  transition: null,
  source_id: null,
  before: null,
};

const stores: ControlStore[] = [];

/** One that nobody else has open. */
function closedFile(): string {
  const database = testDatabase('control');
  database.close();
  return database.name;
}

function opened(file: string): ControlStore {
  const store = openControlStore(file);
  stores.push(store);
  return store;
}

afterEach(async () => {
  await Promise.all(stores.splice(0).map((store) => store.close()));
});

describe('the control store', () => {
  it('gives back what it was told, in another process of its life', async () => {
    const { name } = testDatabase('control');
    const first = opened(name);
    await first.save(row);
    await first.save({ ...row, channel: 1, last_value: null, override_value: null, override_until_ms: null });
    await first.markRun(true);
    await first.close();
    const { outputs, ended_orderly } = await opened(name).load();
    expect(ended_orderly).toBe(true);
    expect(outputs).toEqual([
      row,
      { ...row, channel: 1, last_value: null, override_value: null, override_until_ms: null },
    ]);
  });

  it('has what it promised when the process dies the moment after', async () => {
    const database = testDatabase('control');
    await opened(database.name).save(row);
    expect(database.prepare('SELECT last_value, override_value FROM output_channels').get()).toEqual({
      last_value: 'on',
      override_value: 37.5,
    });
  });

  it('keeps the emergency stop until it is released', async () => {
    const file = testDatabase('control').name;
    const stopped = { since_ms: 1_700_000_000_000, actor: 'kim', reason: 'smoke' };
    const store = opened(file);
    await store.saveEmergencyStop(stopped);
    await store.close();
    const next = opened(file);
    expect((await next.load()).emergency_stop).toEqual(stopped);
    await next.saveEmergencyStop(null);
    expect((await next.load()).emergency_stop).toBeNull();
  });

  it('keeps what programs had run or stop until it is told that it is settled', async () => {
    const file = testDatabase('control').name;
    const [one, other] = [row.output_id, row.output_id.replace(/1$/, '2')];
    const store = opened(file);
    await store.saveAsked(one, true);
    await store.saveAsked(other, true);
    await store.saveAsked(one, false);
    await store.close();
    const next = opened(file);
    expect((await next.load()).asked).toEqual([
      { controller_id: one, is_active: false },
      { controller_id: other, is_active: true },
    ]);
    await next.saveAsked(one, null);
    expect((await next.load()).asked).toEqual([{ controller_id: other, is_active: true }]);
  });

  it('knows of no orderly end before there was one', async () => {
    const store = opened(testDatabase('control').name);
    expect(await store.load()).toEqual({
      outputs: [],
      controllers: [],
      ended_orderly: false,
      has_run: false,
      alarms: [],
      emergency_stop: null,
      asked: [],
    });
    await store.markRun(true);
    await store.markRun(false);
    expect((await store.load()).ended_orderly).toBe(false);
  });

  it('keeps the latest of many, and every promise', async () => {
    const store = opened(testDatabase('control').name);
    const saves = Array.from({ length: 500 }, (_, n) => store.save({ ...row, channel: n % 5, min_off_s: n }));
    await Promise.all(saves);
    const { outputs } = await store.load();
    expect(outputs.map(({ min_off_s }) => min_off_s)).toEqual([495, 496, 497, 498, 499]);
  });

  it('forgets an output that is gone', async () => {
    const store = opened(testDatabase('control').name);
    await store.save(row);
    await store.remove(row.output_id);
    expect((await store.load()).outputs).toEqual([]);
  });

  it('keeps of each controller what it wrote last, until it is gone', async () => {
    const file = closedFile();
    const store = opened(file);
    const [one, other] = ['a', 'b'];
    const written = [1, 2, 3].map((n) => store.saveController({ controller_id: one, state: `{"n":${n}}` }));
    await Promise.all([...written, store.saveController({ controller_id: other, state: '{}' })]);
    await store.remove(other);
    await store.close();
    expect((await opened(file).load()).controllers).toEqual([{ controller_id: one, state: '{"n":3}' }]);
  });

  it('keeps alarms that are not normal, and every line of their journal in order', async () => {
    const database = testDatabase('control');
    const { alarms, kept } = alarmBench();
    alarms.raise(condition({ message: 'refused' }));
    alarms.raise(condition({ channel: 1 }));
    alarms.clear(condition());
    await alarms.acknowledge(alarmIdOf(condition()), { actor: 'kim', note: 'seen' });
    const store = opened(database.name);
    await Promise.all(kept.map((change) => store.saveAlarms(change)));
    expect((await store.load()).alarms).toEqual(alarms.list());
    const journal = new AlarmRepository(database).journal({ ...everything, limit: 10 });
    expect(journal.map(({ ordinal, transition, actor }) => [ordinal, transition, actor])).toEqual([
      [4, 'acknowledge', 'kim'],
      [3, 'clear', null],
      [2, 'raise', null],
      [1, 'raise', null],
    ]);
    expect(journal[3]).toMatchObject({ message: 'refused', state_before: 'normal', state: 'unacknowledged' });
  });

  it('keeps every alarm of a flood, and every line of its journal', async () => {
    const database = testDatabase('control');
    const { alarms, kept } = alarmBench();
    for (let channel = 0; channel < 500; channel += 1) alarms.raise(condition({ channel }));
    const store = opened(database.name);
    await Promise.all(kept.map((change) => store.saveAlarms(change)));
    expect((await store.load()).alarms).toHaveLength(500);
    const journal = new AlarmRepository(database).journal({ ...everything, limit: 1_000 });
    expect(journal.map(({ channel }) => channel)).toEqual(Array.from({ length: 500 }, (_, at) => 499 - at));
  });

  it('refuses what the file cannot hold, and goes on', async () => {
    const store = opened(testDatabase('control').name);
    await expect(store.save({ ...row, override_until_ms: null })).rejects.toMatchObject({
      code: 'SQLITE_CONSTRAINT_CHECK',
    });
    await store.save(row);
    expect((await store.load()).outputs).toHaveLength(1);
  });

  it('says when its file cannot be opened, and tries again with the next task', async () => {
    const store = opened(`${testFolder()}/missing/control.db`);
    await expect(store.load()).rejects.toThrow();
    await expect(store.load()).rejects.toThrow();
  });

  it('sets a damaged file aside, and takes over what can be read of it', async () => {
    const file = closedFile();
    const first = opened(file);
    for (let channel = 0; channel < 400; channel += 1) await first.save({ ...row, channel });
    await first.saveEmergencyStop({ since_ms: 1_700_000_000_000, actor: 'kim', reason: 'smoke' });
    await first.markRun(true);
    await first.close();
    const { size } = statSync(file);
    truncateSync(file, Math.floor((size * 3) / 4 / 4_096) * 4_096);
    const told: string[] = [];
    const store = openControlStore(file, (message) => void told.push(message));
    stores.push(store);
    const left = await store.load();
    expect(left).toMatchObject({ ended_orderly: false, is_salvaged: true });
    expect(left.outputs.length).toBeGreaterThan(0);
    expect(told).toEqual([expect.stringContaining('control.db was damaged')]);
    await store.save(row);
    expect(readdirSync(dirname(file)).join()).toContain('control.db.salvaged-');
  });

  it('sets aside what is no database at all', async () => {
    const file = closedFile();
    writeFileSync(file, 'no database, and long enough to be looked at'.repeat(200));
    const store = opened(file);
    expect(await store.load()).toMatchObject({ outputs: [], ended_orderly: false, is_salvaged: true });
    await store.save(row);
  });

  it('takes nothing after it was closed', async () => {
    const store = opened(testDatabase('control').name);
    await store.close();
    await expect(store.save(row)).rejects.toMatchObject({ code: 'closed' });
  });
});
