import { join } from 'node:path';
import { SecretBox } from '../../server/auth/secret-box.ts';
import type { Alarm, AlarmCondition } from '../../server/contract/alarm.ts';
import type { NotificationTargetCreate } from '../../server/contract/notification-target.ts';
import { AlarmRepository } from '../../server/db/repositories/alarm.ts';
import { NotificationRepository } from '../../server/db/repositories/notification.ts';
import { transactor, type Transact } from '../../server/db/transaction.ts';
import type { Delivery } from '../../server/services/notification/delivery.ts';
import { NotificationSender } from '../../server/services/notification/sender.ts';
import { NotificationTargetService } from '../../server/services/notification/target.ts';
import { alarmBench } from './alarm-bench.ts';
import { testDatabase, testFolder } from './database.ts';
import { grower } from './devices.ts';

/** The bench's clock stands there. */
const startMs = Date.UTC(2026, 0, 15, 12);
export const broker = { kind: 'mqtt', url: 'mqtt://broker.example', topic: 'alarms' } as const;

/** Targets and their sender over real databases, with a way out that the test plays. */
export function notificationSite() {
  const db = testDatabase('orangery');
  const control = testDatabase('control');
  const time = { ms: startMs, elapsedMs: 0 };
  const now: Alarm[] = [];
  const sent: Delivery[] = [];
  const audited: unknown[] = [];
  const warnings: string[] = [];
  const out = { failure: undefined as Error | undefined, hangs: undefined as string | undefined, isFull: false };
  const journal = new AlarmRepository(control);
  const shared = {
    rows: new NotificationRepository(db),
    secrets: new SecretBox(join(testFolder(), 'key')),
    /** While the disk is full, the commit fails. */
    transact: ((work) =>
      transactor(db)(() => {
        const result = work();
        if (out.isFull) throw new Error('database or disk is full');
        return result;
      })) as Transact,
    audit: { record: (entry: unknown) => void audited.push(entry) },
    clock: () => time.ms,
    elapsed: () => time.elapsedMs,
    trusted: () => startMs + time.elapsedMs,
    refuseUsed: () => undefined,
    site: () => ({ site_name: 'Farm', time_zone: 'UTC', language: 'en' as const }),
    deliver: async (delivery: Delivery) => {
      if (out.failure !== undefined) throw out.failure;
      if (JSON.stringify(delivery.options).includes(out.hangs ?? 'nobody')) await new Promise(() => undefined);
      sent.push(delivery);
      out.isFull ||= JSON.stringify(delivery.options).includes('fills');
      return 'accepted';
    },
  };
  const targets = new NotificationTargetService(shared);
  const starts = () =>
    new NotificationSender({
      limitMs: 20,
      ...shared,
      targets,
      journal,
      alarms: () => now,
      log: { warn: (line: string) => void warnings.push(line) },
    });
  let sender = starts();
  const bench = alarmBench();
  let written = 0;
  return {
    targets,
    time,
    now,
    sent,
    out,
    audited,
    warnings,
    alarms: bench.alarms,
    rows: shared.rows,
    target: (is: Partial<NotificationTargetCreate> = {}) =>
      targets.create(grower, { name: 'Phone', options: broker, most_per_minute: 60, ...is }),
    /** Brings conditions, writes what the daemon would, and looks. */
    look: async (...conditions: AlarmCondition[]) => {
      for (const one of conditions) bench.alarms.raise(one);
      for (const change of bench.kept.slice(written)) journal.save(change);
      written = bench.kept.length;
      sender.look();
      await sender.settled();
    },
    pass: (s: number) => {
      time.ms += s * 1000;
      time.elapsedMs += s * 1000;
    },
    /** Somebody sets the clock. */
    set: (s: number) => void (time.ms += s * 1000),
    /** Lets it look by itself; returns what ends that. */
    start: () => {
      sender.start();
      return () => sender.stop();
    },
    restart: () => void (sender = starts()),
    said: () => sent.map(({ message }) => message.subject),
  };
}
