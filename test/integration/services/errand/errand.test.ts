import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AuditEntry } from '../../../../server/auth/actor.ts';
import { SecretBox } from '../../../../server/auth/secret-box.ts';
import type { AlarmCondition } from '../../../../server/contract/alarm.ts';
import type { ErrandTask } from '../../../../server/contract/errand.ts';
import { ErrandRepository, mostErrands } from '../../../../server/db/repositories/errand.ts';
import { NoteRepository } from '../../../../server/db/repositories/note.ts';
import { NotificationRepository } from '../../../../server/db/repositories/notification.ts';
import { transactor, type Transact } from '../../../../server/db/transaction.ts';
import { ErrandIntake } from '../../../../server/services/errand/intake.ts';
import { ErrandSender } from '../../../../server/services/errand/sender.ts';
import type { Delivery } from '../../../../server/services/notification/delivery.ts';
import { NotificationTargetService } from '../../../../server/services/notification/target.ts';
import type { Cause } from '../../../../server/contract/cause.ts';
import type { Language } from '../../../../server/contract/language.ts';
import { NoteService } from '../../../../server/services/record/note.ts';
import { testDatabase, testFolder } from '../../../support/database.ts';
import { grower } from '../../../support/devices.ts';

const startMs = Date.UTC(2026, 0, 15, 12);
const cause = {
  kind: 'conditional',
  unique_id: '00000000-0000-4000-8000-000000000009',
  name: 'Frost',
  because: 't < 5 (t = 2)',
};
const readings = { readings: [{ name: 't', value: 2, unit: 'C' }] };
const asData = {
  ...cause,
  reason: { code: 'condition_not' as const, facts: { condition: { text: 't > 5' }, readings } },
};

/** The way of a message from a controller to its target, over a real database, with a way out that the test plays. */
function site() {
  const db = testDatabase('orangery');
  const time = { ms: startMs, elapsedMs: 0, language: 'en' as Language };
  const sent: Delivery[] = [];
  const audited: AuditEntry[] = [];
  const reported: [string, readonly AlarmCondition[]][] = [];
  const out = { failure: undefined as Error | undefined, hangs: 'nobody', fills: 'nobody', isFull: false };
  const shared = {
    errands: new ErrandRepository(db),
    notifications: new NotificationRepository(db),
    secrets: new SecretBox(join(testFolder(), 'key')),
    /** While the disk is full, the commit fails. */
    transact: ((work) =>
      transactor(db)(() => {
        const result = work();
        if (out.isFull) throw new Error('database or disk is full');
        return result;
      })) as Transact,
    audit: { record: (entry: AuditEntry) => void audited.push(entry) },
    clock: () => time.ms,
    elapsed: () => time.elapsedMs,
    site: () => ({ site_name: 'Farm', time_zone: 'UTC', language: time.language }),
    daemon: {
      alarm_report: async (id: string, conditions: readonly AlarmCondition[]) => {
        reported.push([id, conditions]);
        return 'success' as const;
      },
    },
    deliver: async (delivery: Delivery) => {
      if (JSON.stringify(delivery.options).includes(out.hangs)) await new Promise(() => undefined);
      if (out.failure !== undefined) throw out.failure;
      sent.push(delivery);
      out.isFull ||= JSON.stringify(delivery.options).includes(out.fills);
      return 'accepted';
    },
    log: { warn: () => undefined },
  };
  const notes = new NoteService({ ...shared, rows: new NoteRepository(db), referenceExists: () => false });
  const targets = new NotificationTargetService({
    ...shared,
    rows: shared.notifications,
    refuseUsed: () => undefined,
  });
  const alarms = { sent: 0 };
  const sender = new ErrandSender({ ...shared, limitMs: 20, alarmsSent: () => alarms.sent });
  const { taskOf } = new ErrandIntake({ ...shared, notes });
  const target = (name: string, options: object) =>
    targets.create(grower, {
      name,
      most_per_minute: 60,
      options: { kind: 'mqtt', url: `mqtt://${name}.example`, topic: 'alarms', ...options } as never, // as a test has it
    }).unique_id;
  return {
    time,
    sent,
    alarms,
    audited,
    reported,
    out,
    notes,
    sender,
    target,
    targets,
    hear: (task: ErrandTask, more: { keep_s?: number; value?: number; cause?: Cause } = {}) => {
      const { keep_s = 300, value = null, cause: why = cause } = more;
      const ends_at = new Date(time.ms + keep_s * 1000).toISOString();
      const at = new Date(time.ms).toISOString();
      taskOf({ kind: 'errand', id: 'b:1', at, cause: why, action: 'tell', value, ends_at, task })?.();
    },
    look: async () => {
      sender.look();
      await sender.settled();
    },
    pass: (s: number) => {
      time.ms += s * 1000;
      time.elapsedMs += s * 1000;
    },
  };
}

const kinds = (audited: readonly AuditEntry[]): string[] =>
  audited.map(({ kind }) => kind).filter((kind) => !kind.startsWith('notification_target'));

describe('what a controller hands over', () => {
  it('becomes a note with the cause, of the time at which it was asked for', () => {
    const { hear, notes, audited, time } = site();
    hear({ kind: 'note', text: 'Cold night', category: 'frost' });
    const [note] = notes.list({}).notes;
    expect(note).toMatchObject({ text: 'Cold night\n(Frost: t < 5 (t = 2))', category: 'frost', author: null });
    expect(note?.time).toBe(new Date(time.ms).toISOString());
    expect(kinds(audited)).toEqual(['note.create']);
  });

  it('says the cause in the language of the site', () => {
    const { hear, notes, time } = site();
    time.language = 'ja';
    hear({ kind: 'note', text: '寒い夜', category: null }, { cause: asData });
    expect(notes.list({}).notes[0]?.text).toBe('寒い夜\n（Frost：条件が偽：t > 5 (t = 2\u202f°C)）');
  });

  it('goes to its target in the words of a person, or to a machine with all that is known', async () => {
    const { hear, look, sent, target, audited } = site();
    const mail = {
      kind: 'email',
      host: 'mail.example',
      port: 25,
      security: 'none',
      from: 'a@b.example',
      to: ['c@d.example'],
    };
    hear({ kind: 'message', target_id: target('mail', { ...mail, url: undefined, topic: undefined }), text: 'Cold' });
    const broker = target('broker', {});
    hear({ kind: 'mqtt', target_id: broker, topic: 'house/1/heat', payload: 'ON' });
    await look();
    // Targets are served side by side.
    expect(sent.find(({ options }) => options.kind === 'email')).toMatchObject({
      message: { subject: '[Farm] Cold', text: 'Cold\n(Frost: t < 5 (t = 2))' },
    });
    expect(sent.find(({ options }) => options.kind === 'mqtt')).toMatchObject({
      options: { topic: 'house/1/heat' },
      payload: 'ON',
    });
    hear({ kind: 'mqtt', target_id: broker, topic: null, payload: null }, { value: 3 });
    await look();
    expect(sent[2]?.options).toMatchObject({ topic: 'alarms' });
    expect(JSON.parse(sent[2]?.payload ?? '')).toMatchObject({ action: 'tell', value: 3, cause, text: null });
    expect(kinds(audited)).toEqual(['message.deliver', 'message.deliver', 'message.deliver']);
    expect(audited.at(-1)).toMatchObject({ target: broker, after: { cause, answer: 'accepted' } });
  });

  it('waits for no other target, and for its own in order', async () => {
    const { hear, look, sent, target, out } = site();
    const [slow, quick] = [target('slow', {}), target('quick', {})];
    out.hangs = 'slow';
    hear({ kind: 'mqtt', target_id: slow, topic: null, payload: '1' });
    for (const payload of ['2', '3']) hear({ kind: 'mqtt', target_id: quick, topic: null, payload });
    await look();
    await look();
    expect(sent.map(({ payload }) => payload)).toEqual(['2', '3']);
  });

  it('leaves what a target may take in a minute to the alarms first', async () => {
    const { hear, look, pass, sent, alarms, target } = site();
    const id = target('broker', {});
    for (let count = 0; count < 2; count += 1)
      hear({ kind: 'mqtt', target_id: id, topic: null, payload: String(count) });
    alarms.sent = 59;
    await look();
    await look();
    expect(sent).toHaveLength(1);
    pass(61);
    alarms.sent = 0;
    await look();
    expect(sent).toHaveLength(2);
  });

  it('is tried again, given up at its end, and told as an alarm until the target takes something', async () => {
    const { hear, look, pass, sent, target, out, reported, audited, targets } = site();
    const id = target('broker', {});
    out.failure = new Error('no route');
    hear({ kind: 'mqtt', target_id: id, topic: null, payload: '1' });
    for (const _ of Array.from({ length: 3 })) {
      await look();
      pass(60);
    }
    expect([sent.length, reported.length, targets.get(id).last_result?.message]).toEqual([0, 0, 'no route']);
    pass(300);
    await look();
    expect(reported).toMatchObject([
      [id, [{ code: 'message_lost', name: 'broker', message: 'Frost, tell: no route' }]],
    ]);
    expect(kinds(audited)).toEqual(['message.lose']);
    out.failure = undefined;
    hear({ kind: 'mqtt', target_id: id, topic: null, payload: '2' });
    pass(300 - 1);
    await look();
    expect(sent.map(({ payload }) => payload)).toEqual(['2']);
    expect(reported.at(-1)).toEqual([id, []]);
  });

  it('is not sent twice when the disk refuses the receipt', async () => {
    const { hear, look, sent, target, out, targets } = site();
    const id = target('broker', {});
    out.fills = 'broker';
    hear({ kind: 'mqtt', target_id: id, topic: null, payload: '1' });
    await look();
    await expect(look()).rejects.toThrow('disk is full');
    out.isFull = false;
    out.fills = 'nobody';
    hear({ kind: 'mqtt', target_id: id, topic: null, payload: '2' });
    await look();
    expect(sent.map(({ payload }) => payload)).toEqual(['1', '2']);
    expect(targets.get(id).last_result?.is_delivered).toBe(true);
  });

  it('is bounded: of more than a target can hold the oldest are given up, and so is what has no target', async () => {
    const { hear, look, target, reported, sent, audited, targets } = site();
    const id = target('broker', {});
    for (let n = 0; n < mostErrands + 2; n += 1) hear({ kind: 'mqtt', target_id: id, topic: null, payload: String(n) });
    await look();
    expect(kinds(audited).filter((kind) => kind === 'message.lose')).toHaveLength(2);
    expect(reported[0]?.[1][0]?.message).toBe('Frost, tell: too many wait for its target');
    expect(sent[0]?.payload).toBe('2');
    targets.change(grower, id, { is_enabled: false });
    hear({ kind: 'webhook', target_id: id, text: null });
    hear({ kind: 'webhook', target_id: cause.unique_id, text: null });
    expect(audited.slice(-2)).toMatchObject([
      { kind: 'message.lose', after: { why: 'its target is switched off' } },
      { kind: 'message.lose', after: { why: 'its target is gone' } },
    ]);
  });
});
