import { dirname } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AuditLog } from '../../../../server/auth/audit.ts';
import type { AuditRecord } from '../../../../server/contract/audit.ts';
import { orangeryMigrations } from '../../../../server/db/migrations/orangery.ts';
import { openDatabase, type Database } from '../../../../server/db/open.ts';
import { AuditRepository } from '../../../../server/db/repositories/audit.ts';
import { HeardEventsRepository } from '../../../../server/db/repositories/heard-events.ts';
import { transactor } from '../../../../server/db/transaction.ts';
import { OutsideAudit } from '../../../../server/services/device/outside-audit.ts';
import type { DaemonEventPort } from '../../../../server/services/live/daemon-port.ts';
import { EventRing } from '../../../../server/services/live/event-ring.ts';
import { LiveCache } from '../../../../server/services/live/live.ts';
import { controlOf, startDaemon, until } from '../../../support/daemon-process.ts';
import { daemonSite, heaterId, ventId } from '../../../support/daemon-site.ts';
import { testDatabase } from '../../../support/database.ts';
import { ScriptedDaemon } from '../../../support/scripted-daemon.ts';

interface Server {
  live: LiveCache;
  outside: OutsideAudit;
  warnings: string[];
  /** Ends in order. */
  stop: () => Promise<void>;
  /** Ends without a last word. */
  die: () => Promise<void>;
}

/** What of a service writes deeds of programs down, once it has read what the daemon says. */
async function serve(db: Database, daemon: DaemonEventPort, ring = new EventRing()): Promise<Server> {
  const warnings: string[] = [];
  const log = { warn: (message: string) => void warnings.push(message) };
  const transact = transactor(db);
  const audit = new AuditLog({ rows: new AuditRepository(db), transact, now: Date.now, directory: dirname(db.name) });
  const live = new LiveCache({ daemon, clock: Date.now, log, ring });
  const heard = new HeardEventsRepository(db);
  const outside = new OutsideAudit({ live, audit, heard, transact, clock: Date.now, log });
  outside.start();
  live.start();
  onTestFinished(() => live.stop());
  await until(
    () => live.daemonState,
    (state) => state === 'up',
    30,
  );
  const stop = async (): Promise<void> => {
    await live.stop();
    outside.stop();
  };
  return { live, outside, warnings, stop, die: () => live.stop() };
}

/** In the order of their writing. */
function recordsOf(db: Database): Pick<AuditRecord, 'at' | 'kind' | 'target' | 'after'>[] {
  return [...new AuditRepository(db).all()].map(({ at, kind, target, after }) => ({
    at,
    kind,
    target,
    after: after === null ? null : (JSON.parse(after) as AuditRecord['after']), // as it was written
  }));
}

const told = (db: Database, count: number) =>
  until(
    () => recordsOf(db),
    (records) => records.length >= count,
    30,
  );

describe('what programs do while the server is away', () => {
  it.each(['in order', 'by a crash'])('is in the audit once, in order, with its own time; gone %s', async (how) => {
    const db = testDatabase('orangery');
    const daemon = startDaemon({ dataDirectory: daemonSite() });
    const program = controlOf(await daemon.ready);
    const first = await serve(db, await daemon.service());
    await program.output_on(heaterId);
    await told(db, 1);
    await (how === 'in order' ? first.stop() : first.die());
    const leftAt = new Date().toISOString();
    await program.output_on(ventId, 'pwm', 35);
    await program.controller_deactivate(heaterId);
    await program.emergency_stop('smoke');
    const backAt = new Date().toISOString();
    const second = await serve(db, await daemon.service());
    const away = (await told(db, 4)).slice(1);
    expect(away.map(({ kind, target }) => [kind, target])).toEqual([
      ['output.command', ventId],
      ['program.controller_deactivate', heaterId],
      ['emergency_stop.begin', null],
    ]);
    const times = away.map(({ at }) => at);
    expect([leftAt, ...times, backAt]).toEqual([leftAt, ...times, backAt].sort());
    await second.die();
    const third = await serve(db, await daemon.service());
    await program.emergency_stop_release();
    expect((await told(db, 5)).slice(4).map(({ kind }) => kind)).toEqual(['emergency_stop.release']);
    await third.stop();
    expect(recordsOf(db)).toHaveLength(5);
  });

  it('and cannot be recalled, since the daemon ended too, is said', async () => {
    const db = testDatabase('orangery');
    const dataDirectory = daemonSite();
    const one = startDaemon({ dataDirectory });
    const first = await serve(db, await one.service());
    await controlOf(await one.ready).output_on(heaterId);
    const [known] = await told(db, 1);
    await first.die();
    one.child.kill('SIGKILL');
    await one.ended;
    const other = startDaemon({ dataDirectory });
    await controlOf(await other.ready).output_off(heaterId);
    const second = await serve(db, await other.service());
    const records = await told(db, 3);
    expect(records.map(({ kind }) => kind)).toEqual(['output.command', 'audit.gap', 'output.command']);
    const { from = '', to = '' } = (records[1]?.after ?? {}) as { from?: string; to?: string }; // as written
    expect([known?.at, from, to]).toEqual([known?.at, from, to].sort());
    await second.stop();
    other.child.kill('SIGKILL');
    await other.ended;
    const last = startDaemon({ dataDirectory });
    const third = await serve(db, await last.service());
    await controlOf(await last.ready).output_on(heaterId);
    expect((await told(db, 4)).slice(3).map(({ kind }) => kind)).toEqual(['output.command']); // ended in order: nothing was missed
    await third.stop();
  });
});

describe('OutsideAudit', () => {
  const deed = { kind: 'program', method: 'lcd_flash', peer: '127.0.0.1:40000', asked: {}, is_done: true } as const;
  const emit = (daemon: ScriptedDaemon, from: number, to: number): void => {
    for (let number = from; number <= to; number += 1)
      daemon.emit({ ...deed, target: String(number), answer: '0: done' });
  };
  const targets = (db: Database) => recordsOf(db).map(({ kind, target }) => (kind === 'audit.gap' ? 'gap' : target));
  const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => String(from + at));

  it('takes many that were missed, a slice at a time, while others come', async () => {
    const db = testDatabase('orangery');
    const daemon = new ScriptedDaemon(Date.now);
    emit(daemon, 1, 650);
    await serve(db, daemon);
    emit(daemon, 651, 660);
    await told(db, 660);
    expect(targets(db)).toEqual(numbers(1, 660));
  });

  it('says what is kept no longer', async () => {
    const db = testDatabase('orangery');
    const daemon = new ScriptedDaemon(Date.now);
    emit(daemon, 1, 2);
    const first = await serve(db, daemon.connect());
    await first.die();
    daemon.failure = undefined;
    emit(daemon, 3, 9);
    await serve(db, daemon, new EventRing({ count: 3 }));
    expect(targets(db)).toEqual(['1', '2', 'gap', '7', '8', '9']);
  });

  it('says nothing of a daemon that fell under its eyes', async () => {
    const db = testDatabase('orangery');
    const daemon = new ScriptedDaemon(Date.now);
    const { live } = await serve(db, daemon);
    emit(daemon, 1, 2);
    await told(db, 2);
    daemon.break();
    daemon.restart();
    emit(daemon, 3, 4);
    daemon.failure = undefined;
    await told(db, 4);
    expect(live.cursor).toBe("b1':2");
    expect(targets(db)).toEqual(numbers(1, 4));
  });

  it('waits for a disk that takes nothing', async () => {
    const db = testDatabase('orangery');
    db.pragma('busy_timeout = 0');
    const other = openDatabase(db.name, { migrations: orangeryMigrations });
    onTestFinished(() => void other.close());
    const daemon = new ScriptedDaemon(Date.now);
    const { warnings } = await serve(db, daemon);
    other.exec('BEGIN IMMEDIATE');
    emit(daemon, 1, 3);
    await until(
      () => warnings.length,
      (count) => count > 0,
    );
    for (let more = 4; more < 8; more += 1) emit(daemon, more, more); // each is refused too
    await daemon.polled();
    expect(recordsOf(db)).toEqual([]);
    expect(warnings).toHaveLength(1);
    other.exec('COMMIT');
    await told(db, 7);
    expect(targets(db)).toEqual(numbers(1, 7));
  });
});
