import { beforeEach, describe, expect, it } from 'vitest';
import { ControlStoreError, type ControlState } from '../../../../server/daemon/store/control-store.ts';
import { KeptControlStore } from '../../../../server/daemon/store/kept-control-store.ts';
import type { Stale } from '../../../../server/daemon/store/stale-mark.ts';
import type { AlarmChange } from '../../../../server/db/repositories/alarm.ts';
import type { EmergencyStopRow } from '../../../../server/db/repositories/emergency-stop.ts';
import type { OutputStateRow } from '../../../../server/db/repositories/output-state.ts';
import type { StoredCheck } from '../../../../server/db/repositories/commissioning.ts';
import type { StoreCondition } from '../../../../server/measurement/store.ts';
import { alarmBench, condition } from '../../../support/alarm-bench.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { MemoryControlStore } from '../../../support/output-bench.ts';

const full = new ControlStoreError('SQLITE_FULL', 'database or disk is full');
const stop: EmergencyStopRow = { since_ms: 1_700_000_000_000, actor: 'kim', reason: 'smoke' };

function rowOf(min_off_s: number): OutputStateRow {
  return {
    output_id: '00000000-0000-4000-8000-000000000001',
    channel: 0,
    last_value: 'on',
    min_off_s,
    on_since_ms: null,
    min_off_until_ms: null,
    override_value: null,
    override_actor: null,
    override_reason: null,
    override_until_ms: null,
    override_ends_ms: null,
    kept_value: null,
    kept_source: null,
    kept_actor: null,
    kept_hold_ms: null,
  };
}

/** A disk that may refuse everything. */
class Disk extends MemoryControlStore {
  hangs = false;
  /** Ends that it hangs. */
  answer: () => void = () => undefined;
  left: Partial<ControlState> = {};
  readonly alarms: AlarmChange[] = [];
  writes = 0;

  override async load(): Promise<ControlState> {
    if (this.hangs) await new Promise<void>((resolve) => (this.answer = resolve));
    if (this.failure) throw this.failure;
    return { ...(await super.load()), ...this.left };
  }

  override async save(row: OutputStateRow): Promise<void> {
    this.writes += 1;
    await super.save(row);
  }

  override async saveAlarms(change?: AlarmChange): Promise<void> {
    if (this.failure) throw this.failure;
    if (change) this.alarms.push(change);
  }

  override async saveCheck(stored: StoredCheck): Promise<void> {
    if (this.failure) throw this.failure;
    await super.saveCheck(stored);
  }
}

let disk: Disk;
let clock: ManualClock;
let told: StoreCondition[];
let lastStop: EmergencyStopRow | null;
let store: KeptControlStore;
/** What stands in the file beside control.db. */
let mark: Stale;
/** What its writing waits for. */
let markDisk: Promise<void>;

beforeEach(() => {
  disk = new Disk();
  clock = new ManualClock();
  told = [];
  lastStop = null;
  mark = 'no';
  markDisk = Promise.resolve();
  store = openStore();
});

function openStore(): KeptControlStore {
  return new KeptControlStore({
    mark: {
      get value() {
        return mark;
      },
      set: async (value) => {
        await markDisk;
        mark = value;
      },
    },
    clock,
    store: disk,
    tell: (one) => void told.push(one),
    lastKnown: {
      get emergency_stop() {
        return lastStop;
      },
      keep: ({ emergency_stop = null }) => void (lastStop = emergency_stop),
    },
  });
}

const conditions = (): [string, boolean][] => told.map(({ code, is_active }) => [code, is_active]);

describe('on a disk that refuses', () => {
  it('keeps the latest of each thing, tells once, and writes it when the disk takes it again', async () => {
    await store.load();
    disk.failure = full;
    for (const min_off_s of [1, 2, 3]) await store.save(rowOf(min_off_s));
    await store.saveEmergencyStop(stop);
    await store.markRun(true);
    await clock.advance(30_000);
    expect(conditions()).toEqual([['control_not_kept', true]]);
    expect(disk.rows.size).toBe(0);
    disk.failure = undefined;
    disk.writes = 0;
    await clock.advance(2_000);
    expect([...disk.rows.values()].map(({ min_off_s }) => min_off_s)).toEqual([3]);
    expect([disk.writes, disk.emergency_stop, disk.ended_orderly]).toEqual([1, stop, true]);
    expect(conditions()).toEqual([
      ['control_not_kept', true],
      ['control_not_kept', false],
    ]);
    await store.save(rowOf(4));
    expect([...disk.rows.values()].map(({ min_off_s }) => min_off_s)).toEqual([4]);
  });

  it('says what is known, whatever the disk has', async () => {
    await store.save(rowOf(1));
    disk.failure = full;
    await store.save(rowOf(2));
    expect((await store.load()).outputs.map(({ min_off_s }) => min_off_s)).toEqual([2]);
    await store.remove(rowOf(0).output_id);
    expect((await store.load()).outputs).toEqual([]);
    disk.failure = undefined;
    await clock.advance(2_000);
    expect(disk.rows.size).toBe(0);
  });

  it('loses no line of the alarm journal and no alarm', async () => {
    const { alarms, kept } = alarmBench();
    alarms.raise(condition({ channel: 1 }));
    alarms.raise(condition({ channel: 2 }));
    alarms.clear(condition({ channel: 1 }));
    disk.failure = full;
    await Promise.all(kept.map((change) => store.saveAlarms(change)));
    disk.failure = undefined;
    await clock.advance(2_000);
    expect(disk.alarms.flatMap(({ entries }) => entries)).toEqual(kept.flatMap(({ entries }) => entries));
    expect(new Map(disk.alarms.flatMap(({ alarms: all }) => all).map((one) => [one.alarm_id, one]))).toEqual(
      new Map(kept.flatMap(({ alarms: all }) => all).map((one) => [one.alarm_id, one])),
    );
  });

  it('refuses a check, which drives nothing that is not on disk, and writes it later all the same', async () => {
    disk.failure = full;
    const check = { check_id: 'c1' } as StoredCheck['check']; // no more of it is looked at
    await expect(store.saveCheck({ check, under_test: [] })).rejects.toMatchObject({ code: 'not_kept' });
    disk.failure = undefined;
    await clock.advance(2_000);
    expect(disk.stored.has('c1')).toBe(true);
    await store.saveCheck({ check, under_test: [] });
  });

  it('does not keep what no disk would take', async () => {
    disk.failure = new ControlStoreError('SQLITE_CONSTRAINT_CHECK', 'a row that cannot be');
    await expect(store.save(rowOf(1))).rejects.toMatchObject({ code: 'SQLITE_CONSTRAINT_CHECK' });
    expect(told).toEqual([]);
  });

  it('tries once more with its close', async () => {
    disk.failure = full;
    await store.save(rowOf(1));
    disk.failure = undefined;
    await store.close();
    expect(disk.rows.size).toBe(1);
  });
});

describe('at a start', () => {
  it.each<[string, number, () => void]>([
    ['that cannot read', 0, () => void (disk.failure = full)],
    ['whose disk does not answer', 3_000, () => void (disk.hangs = true)],
  ])('%s counts the last daemon as lost, and holds the stop that held', async (_what, waitedMs, spoil) => {
    spoil();
    lastStop = stop;
    const loading = store.load();
    await clock.advance(waitedMs);
    expect(await loading).toMatchObject({
      outputs: [],
      ended_orderly: false,
      has_run: true,
      alarms: [],
      asked: [],
      emergency_stop: stop,
    });
    await clock.advance(30_000);
    expect(conditions()).toEqual([['control_not_kept', true]]);
    disk.failure = undefined;
    disk.hangs = false;
    await clock.advance(6_000);
    expect(conditions()).toEqual([
      ['control_not_kept', true],
      ['control_not_kept', false],
    ]);
  });

  it('whose disk answers late tells then what the outputs were left with', async () => {
    disk.hangs = true;
    disk.left = { outputs: [rowOf(7)] };
    const loading = store.load();
    await clock.advance(3_000);
    const { outputs, late } = await loading;
    expect(outputs).toEqual([]);
    await store.save(rowOf(0)); // as a start does
    disk.answer();
    expect(await late).toEqual([rowOf(7)]);
  });

  it('whose disk refuses keeps what programs had run or stop until it takes it', async () => {
    disk.failure = full;
    await store.load();
    await store.saveAsked('one', true);
    await store.saveAsked('one', false);
    await store.saveAsked('other', true);
    await store.saveAsked('other', null);
    disk.failure = undefined;
    await clock.advance(2_000);
    expect([...disk.asked]).toEqual([['one', false]]);
  });

  it.each<[string, Partial<ControlState>, EmergencyStopRow | null]>([
    ['is whole', {}, null],
    ['is new', { has_run: false }, stop],
    ['was damaged', { is_salvaged: true }, stop],
  ])('goes by a control.db that %s', async (_what, left, held) => {
    disk.left = left;
    lastStop = stop;
    expect((await store.load()).emergency_stop).toEqual(held);
    expect(lastStop).toEqual(held);
  });
});

describe('a restart on a disk that missed the last commands', () => {
  const overridden: OutputStateRow = { ...rowOf(0), override_value: 'on', override_actor: 'kim' };

  it('brings back no override that may have been ended since, and takes it off the disk', async () => {
    await store.load();
    await store.save(overridden);
    disk.failure = full;
    await store.save(rowOf(0));
    expect(mark).toBe('behind');
    disk.failure = undefined;
    const restarted = openStore();
    expect((await restarted.load()).outputs).toEqual([rowOf(0)]);
    await clock.advance(2_000);
    expect([[...disk.rows.values()], mark]).toEqual([[rowOf(0)], 'no']);
  });

  it('holds on to an emergency stop that it could not write down', async () => {
    await store.load();
    disk.failure = full;
    await store.saveEmergencyStop(stop);
    lastStop = null;
    expect(mark).toBe('stopped');
    disk.failure = undefined;
    disk.left = { has_run: true };
    expect((await openStore().load()).emergency_stop).toMatchObject({ actor: 'system' });
  });

  it('says that all is written down only after a restart would believe it', async () => {
    await store.load();
    disk.failure = full;
    await store.save(overridden);
    disk.failure = undefined;
    const { promise, resolve } = Promise.withResolvers<void>();
    markDisk = promise;
    await clock.advance(2_000);
    expect([[...disk.rows.values()], conditions()]).toEqual([[overridden], [['control_not_kept', true]]]);
    resolve();
    await expect.poll(conditions).toEqual([
      ['control_not_kept', true],
      ['control_not_kept', false],
    ]);
  });

  it('trusts the disk again once it has everything', async () => {
    await store.load();
    disk.failure = full;
    await store.save(overridden);
    disk.failure = undefined;
    await clock.advance(2_000);
    expect(mark).toBe('no');
    expect((await openStore().load()).outputs).toEqual([overridden]);
  });
});
