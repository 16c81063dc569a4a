import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { systemActor } from '../../../../server/auth/system-actor.ts';
import type { Actor } from '../../../../server/auth/actor.ts';
import { LaterWrites } from '../../../../server/db/later-writes.ts';
import { contentVersion } from '../../../../server/db/content-version.ts';
import { DesignRepository } from '../../../../server/db/repositories/design.ts';
import { FacilityRepository } from '../../../../server/db/repositories/facility.ts';
import { JobRepository } from '../../../../server/db/repositories/job.ts';
import { EventRing } from '../../../../server/services/live/event-ring.ts';
import { EventService, type ReaderEvent } from '../../../../server/services/live/event.ts';
import { SiteChanges } from '../../../../server/services/live/site-changes.ts';
import { JobRunner, type JobWork } from '../../../../server/services/record/job.ts';
import { LiveCache } from '../../../../server/services/live/live.ts';
import { testDatabase } from '../../../support/database.ts';
import { ScriptedDaemon, stateOf } from '../../../support/scripted-daemon.ts';
import { refusalOf } from '../../../support/refusal.ts';

const output_id = '00000000-0000-4000-8000-00000000000a';
const startMs = Date.parse('2026-03-01T06:00:00Z');

const person = (user_id: string): Actor => ({ ...systemActor, user_id });
const ann = person('00000000-0000-4000-8000-0000000000a1');
const bob = person('00000000-0000-4000-8000-0000000000b2');

async function setUp(daemon = new ScriptedDaemon(() => startMs), ring = new EventRing()) {
  const live = new LiveCache({
    daemon,
    ring,
    clock: () => startMs,
    log: { warn: () => undefined },
    pause: (_, signal) => new Promise((resolve) => signal.addEventListener('abort', resolve)),
  });
  onTestFinished(() => live.stop());
  live.start();
  await daemon.polled();
  const gone = new AbortController();
  const time = { ms: startMs };
  const clock = () => time.ms;
  const db = testDatabase('orangery');
  const jobs = new JobRunner({
    rows: new JobRepository(db),
    later: new LaterWrites({ db }),
    clock,
    trusted: clock,
    onFault: () => undefined,
  });
  const changes = new SiteChanges({
    designs: new DesignRepository(db),
    facilities: new FacilityRepository(db),
    content: contentVersion(db),
    clock,
    onFault: () => undefined,
  });
  const service = new EventService({ live, jobs, changes, clock });
  const open = (options: Partial<Parameters<EventService['open']>[0]> = {}) =>
    service.open({ actor: ann, signal: gone.signal, ...options });
  return { daemon, live, jobs, time, events: { open }, gone, signal: gone.signal };
}

const emitOutput = (daemon: ScriptedDaemon) => daemon.emit({ kind: 'output', output_id, ...stateOf({}) });
const kindsOf = (events: ReaderEvent[] | null) => events?.map((event) => event.kind) ?? null;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('EventService', () => {
  it('opens so many streams of one login and no more, whoever else reads', async () => {
    const { daemon, events, gone } = await setUp();
    const key = (key_id: string) => ({ actor: { ...ann, key_id } });
    for (let count = 0; count < 32; count += 1) events.open(key('a'));
    expect(await refusalOf(() => events.open(key('a')))).toMatchObject({ code: 'rate_limited' });
    const other = events.open(key('b'));
    emitOutput(daemon);
    await daemon.polled();
    expect(kindsOf(await other.next(1000))).toEqual(['output']);
    gone.abort();
    const again = events.open({ ...key('a'), signal: new AbortController().signal });
    emitOutput(daemon);
    await daemon.polled();
    expect(kindsOf(await again.next(1000))).toEqual(['output']);
  });

  it('gives a reader what happens from now on', async () => {
    const { daemon, events, signal } = await setUp();
    emitOutput(daemon);
    await daemon.polled();
    const stream = events.open({ signal });
    emitOutput(daemon);
    await daemon.polled();
    expect((await stream.next(1000))?.map((event) => event.id)).toEqual(['b1:2']);
  });

  it('gives a returning reader what it missed', async () => {
    const { daemon, events, signal } = await setUp();
    emitOutput(daemon);
    emitOutput(daemon);
    await daemon.polled();
    const stream = events.open({ signal, lastEventId: 'b1:1' });
    expect((await stream.next(1000))?.map((event) => event.id)).toEqual(['b1:2']);
  });

  it('resumes a reader over a restart of the server, as far as the daemon remembers', async () => {
    const { daemon, live } = await setUp();
    for (let count = 0; count < 5; count += 1) emitOutput(daemon);
    await daemon.polled();
    await live.stop();
    daemon.failure = undefined;
    const { events, signal } = await setUp(daemon);
    const stream = events.open({ signal, lastEventId: 'b1:2' });
    expect((await stream.next(1000))?.map((event) => event.id)).toEqual(['b1:3', 'b1:4', 'b1:5']);
    emitOutput(daemon);
    await daemon.polled();
    expect((await stream.next(1000))?.map((event) => event.id)).toEqual(['b1:6']);
  });

  it('resumes a reader by what it asked for, however much there was, in answers of a bounded size', async () => {
    const { daemon, events, signal } = await setUp();
    for (let count = 0; count < 3_000; count += 1) emitOutput(daemon);
    daemon.emit({ kind: 'daemon', state: 'stopping', message: '' });
    await daemon.polled();
    const resumed = events.open({ signal, lastEventId: 'b1:1', kinds: 'daemon' });
    expect((await resumed.next(1000))?.map((event) => event.id)).toEqual(['b1:3001']);
    const all = events.open({ signal, lastEventId: 'b1:1' });
    const ids: string[] = [];
    while (ids.length < 3_000) {
      const some = await all.next(1000);
      expect(some?.length).toBeLessThanOrEqual(500);
      ids.push(...(some ?? []).map((event) => event.id));
    }
    expect(ids).toEqual(Array.from({ length: 3_000 }, (_, index) => `b1:${index + 2}`));
  });

  it.each(['b0:1', 'b1:99', 'x'])('tells a reader that was away too long (%s) to read again', async (lastEventId) => {
    const { events, signal } = await setUp();
    expect(await events.open({ signal, lastEventId }).next(1000)).toEqual([{ kind: 'reset', id: 'b1:0' }]);
  });

  it('gives only the kinds that were asked for, and resets', async () => {
    const { daemon, live, events, signal } = await setUp();
    const stream = events.open({ signal, kinds: 'daemon, controller' });
    emitOutput(daemon);
    daemon.emit({ kind: 'daemon', state: 'stopping', message: '' });
    await daemon.polled();
    expect(kindsOf(await stream.next(1000))).toEqual(['daemon']);
    expect(live.daemonState).toBe('up');
  });

  it('refuses a kind that does not exist', async () => {
    const { events, signal } = await setUp();
    const refusal = await refusalOf(() => events.open({ signal, kinds: 'output,weather' }));
    expect([refusal.code, refusal.errors?.[0]?.path]).toEqual(['invalid_field', 'kinds']);
  });

  it('gives nothing after the quiet time, so that a heartbeat can be sent', async () => {
    const { events, signal } = await setUp();
    const next = events.open({ signal }).next(15_000);
    await vi.advanceTimersByTimeAsync(15_000);
    expect(await next).toEqual([]);
  });

  it('tells a new reader that the daemon is away', async () => {
    const { daemon, events, signal } = await setUp();
    const first = events.open({ signal });
    daemon.break();
    await first.next(1000);
    expect(await events.open({ signal }).next(1000)).toMatchObject([{ kind: 'daemon', state: 'unreachable' }]);
  });

  it('lets a slow reader go on where it is, as long as that is kept', async () => {
    const { daemon, events, signal } = await setUp(undefined, new EventRing({ count: 1_000 }));
    const slow = events.open({ signal });
    const slower = events.open({ signal });
    for (let count = 0; count < 900; count += 1) emitOutput(daemon);
    await daemon.polled();
    expect((await slow.next(1000))?.map((event) => event.id).at(-1)).toBe('b1:500');
    for (let count = 0; count < 500; count += 1) emitOutput(daemon);
    await daemon.polled();
    expect((await slow.next(1000))?.map((event) => event.id).at(0)).toBe('b1:501');
    expect(await slower.next(1000)).toEqual([{ kind: 'reset', id: 'b1:1400' }]);
  });

  it('ends when the reader goes away, also while it waits', async () => {
    const { events, gone, signal } = await setUp();
    const next = events.open({ signal }).next(1000);
    gone.abort();
    expect(await next).toBeNull();
    expect(await events.open({ signal }).next(1000)).toBeNull();
  });
});

describe('jobs of a reader', () => {
  /** Work that the test reports for and ends. */
  function heldWork() {
    const held = Promise.withResolvers<unknown>();
    const reports: ((done: number) => void)[] = [];
    const run: JobWork['run'] = (report, signal) => {
      reports.push(report);
      signal.addEventListener('abort', () => held.reject(new Error('told to end')));
      return held.promise;
    };
    const work: JobWork = { kind: 'overlay.save', total: 100, run };
    return { work, end: held.resolve, report: (done: number) => reports[0]?.(done) };
  }
  const told = (events: ReaderEvent[] | null) =>
    events?.flatMap((event) => (event.kind === 'job' ? [[event.status, event.done, event.total]] : []));

  it('are told to their owner alone, from begin to end, four times a second at most', async () => {
    const { events, jobs, time } = await setUp();
    const [mine, theirs] = [events.open(), events.open({ actor: bob, kinds: 'job' })];
    const { work, end, report } = heldWork();
    const job_id = jobs.begin(ann, work);
    for (const done of [1, 2, 3]) report(done);
    time.ms += 250;
    for (const done of [4, 5]) report(done);
    end('whole');
    await jobs.stop();
    const seen = await mine.next(1000);
    expect(told(seen)).toEqual([
      ['running', 0, 100],
      ['running', 4, 100],
      ['done', 100, 100],
    ]);
    expect(seen?.[0]).toEqual({
      kind: 'job',
      id: 'b1:0',
      at: '2026-03-01T06:00:00.000Z',
      job_id,
      status: 'running',
      done: 0,
      total: 100,
    });
    const quiet = theirs.next(1000);
    await vi.advanceTimersByTimeAsync(1000);
    expect(await quiet).toEqual([]);
  });

  it('that run are told to a new reader, and those that ended in the last hour to one that comes back', async () => {
    const { events, jobs, time } = await setUp();
    const [ended, running] = [heldWork(), heldWork()];
    jobs.begin(ann, ended.work);
    ended.end('whole');
    await jobs.stop();
    jobs.begin(ann, running.work);
    expect(told(await events.open({ kinds: 'job' }).next(1000))).toEqual([['running', 0, 100]]);
    const back = { kinds: 'job', lastEventId: 'b1:0' };
    expect(told(await events.open(back).next(1000))).toEqual([
      ['running', 0, 100],
      ['done', 100, 100],
    ]);
    time.ms += 3_600_001;
    expect(told(await events.open(back).next(1000))).toEqual([['running', 0, 100]]);
  });

  it('that are cancelled say so', async () => {
    const { events, jobs } = await setUp();
    const stream = events.open();
    const { work, report } = heldWork();
    const job_id = jobs.begin(ann, work);
    report(40);
    await jobs.remove(ann, job_id);
    expect(told(await stream.next(1000))).toEqual([
      ['running', 0, 100],
      ['cancelled', 40, 100],
    ]);
  });
});
