import { describe, expect, it } from 'vitest';
import { isQuiet } from '../../../../server/services/notification/quiet.ts';
import { condition } from '../../../support/alarm-bench.ts';
import { grower } from '../../../support/devices.ts';
import { broker, notificationSite as site } from '../../../support/notification-site.ts';
import { refusalOf } from '../../../support/refusal.ts';

const channels = (count: number, from = 0) => Array.from({ length: count }, (_, n) => condition({ channel: from + n }));

describe('an alarm', () => {
  it('is told to a target once, with what it says', async () => {
    const { target, look, sent } = site();
    target();
    await look();
    await look(condition({ source_name: 'Valve 3', message: 'it refuses' }));
    await look();
    expect(sent.map(({ message }) => message)).toEqual([
      {
        subject: '[Farm] Warning: Command failed · Valve 3',
        text: 'Jan 15, 2026, 12:00  Warning: Command failed · Valve 3\n    The last command was not carried out.\n    it refuses',
      },
    ]);
    expect(sent[0]?.outgoing[0]).toMatchObject({ reason: 'came', facts: { code: 'command_failed' } });
  });

  it('of before there was anybody to tell is not told', async () => {
    const { target, look, sent } = site();
    await look(condition());
    target();
    await look();
    expect(sent).toEqual([]);
  });

  it('is told in the language of the target', async () => {
    const { target, look, said } = site();
    target({ language: 'ko' });
    await look();
    await look(condition({ source_name: 'V3' }));
    expect(said()).toEqual(['[Farm] 경고: 명령 실패 · V3']);
  });

  it('below the severity of the target, or of one that is off, is not told', async () => {
    const { target, look, sent } = site();
    target({ min_severity: 'emergency' });
    target({ is_enabled: false });
    await look();
    await look(condition());
    expect(sent).toEqual([]);
    await look(condition({ code: 'frost', severity: 'emergency' }));
    expect(sent).toHaveLength(1);
  });

  it('is told to be over only where that is wanted', async () => {
    const { target, look, sent, alarms } = site();
    target();
    const wanted = target({ tells_end: true });
    await look();
    await look(condition());
    alarms.clear(condition());
    await look();
    const ends = sent.filter(({ outgoing }) => outgoing[0]?.reason === 'over');
    expect(ends.map(({ outgoing }) => outgoing[0]?.target_id)).toEqual([wanted.unique_id]);
    expect(ends[0]?.message.subject).toContain('(cleared)');
  });

  describe('that is silent as the consequence of another', () => {
    const source = { source_kind: 'daemon', source_id: 'daemon', channel: null } as const;
    const restarted = condition({ code: 'daemon_restarted', ...source });
    const loop = condition({ code: 'crash_loop', ...source });

    async function told(...steps: ((alarms: ReturnType<typeof site>['alarms']) => void)[]): Promise<string[]> {
      const { target, look, sent, alarms } = site();
      target({ tells_end: true });
      await look();
      for (const step of steps) {
        step(alarms);
        await look();
      }
      const all = sent.flatMap(({ outgoing }) => outgoing);
      return all.map(({ reason, facts }) => `${facts.code} ${reason}`);
    }

    it('is told to be over once, if it was told to be there', async () => {
      expect(
        await told(
          (alarms) => alarms.raise(restarted),
          (alarms) => alarms.raise(loop),
          (alarms) => alarms.clear(restarted),
          (alarms) => alarms.raise(restarted),
          (alarms) => alarms.clear(restarted),
          (alarms) => alarms.clear(loop),
          (alarms) => alarms.tick(),
        ),
      ).toEqual(['daemon_restarted came', 'crash_loop came', 'daemon_restarted over', 'crash_loop over']);
    });

    it('is not told to be over, if nobody heard of it', async () => {
      expect(
        await told(
          (alarms) => alarms.raise(loop),
          (alarms) => alarms.raise(restarted),
          (alarms) => alarms.clear(restarted),
          (alarms) => alarms.clear(loop),
          (alarms) => alarms.tick(),
        ),
      ).toEqual(['crash_loop came', 'crash_loop over']);
    });
  });

  it('is told again while nobody acknowledged it', async () => {
    const { target, look, said, alarms, now, pass } = site();
    target({ repeat_min: 10 });
    await look();
    await look(condition({ source_name: 'V' }));
    now.push(...alarms.list());
    await look();
    pass(599);
    await look();
    expect(said()).toHaveLength(1);
    pass(2);
    await look();
    expect(said()[1]).toBe('[Farm] Warning: Command failed · V (still there)');
    now.splice(0);
    pass(700);
    await look();
    expect(said()).toHaveLength(2);
  });
});

describe('a flood', () => {
  it('comes as one message, shortened, the worst named', async () => {
    const { target, look, sent } = site();
    target();
    await look();
    await look(...channels(200), condition({ code: 'frost', severity: 'emergency', source_name: 'House' }));
    expect(sent).toHaveLength(1);
    expect(sent[0]?.message.subject).toBe('[Farm] 201 alarms · Emergency: Frost · House');
    expect(sent[0]?.message.text.split('\n').at(-1)).toMatch(/^and 171 more: \S.* × 171$/);
    expect(sent[0]?.outgoing).toHaveLength(201);
  });

  it('is held to so many messages a minute; the rest comes together', async () => {
    const { target, look, said, pass } = site();
    target({ most_per_minute: 2 });
    await look();
    for (let n = 0; n < 10; n += 1) await look(...channels(1, n));
    expect(said()).toHaveLength(2);
    pass(61);
    await look();
    expect(said()).toHaveLength(3);
    expect(said()[2]).toMatch(/^\[Farm\] 8 alarms/);
  });
});

describe('quiet hours', () => {
  it.each([
    ['2026-03-01T21:59:00Z', false],
    ['2026-03-01T22:00:00Z', true],
    ['2026-03-01T05:59:00Z', true],
    ['2026-03-01T06:00:00Z', false],
  ])('over midnight, at %s: %s', (at, expected) => {
    expect(isQuiet({ from_min: 1320, to_min: 360 }, { nowMs: Date.parse(at), time_zone: 'UTC' })).toBe(expected);
  });

  it('follow the clock on the wall of the site', () => {
    const hours = { from_min: 0, to_min: 60 };
    const nowMs = Date.parse('2026-03-01T15:30:00Z');
    expect(isQuiet(hours, { nowMs, time_zone: 'Asia/Seoul' })).toBe(true);
    expect(isQuiet(hours, { nowMs, time_zone: 'UTC' })).toBe(false);
    expect(isQuiet(null, { nowMs, time_zone: 'UTC' })).toBe(false);
  });

  it('let emergencies through and hold the rest until they end', async () => {
    const { target, look, sent, pass } = site();
    target({ quiet_hours: { from_min: 12 * 60, to_min: 13 * 60 } });
    await look();
    await look(...channels(3), condition({ code: 'frost', severity: 'emergency' }));
    expect(sent.map(({ outgoing }) => outgoing.map(({ severity }) => severity))).toEqual([['emergency']]);
    pass(3_600);
    await look();
    expect(sent[1]?.outgoing).toHaveLength(3);
  });
});

describe('a target that is away', () => {
  it('is tried again with growing pauses, and gets everything together in the end', async () => {
    const { target, look, sent, out, pass, targets, warnings } = site();
    const { unique_id } = target();
    await look();
    out.failure = new Error('connection refused');
    await look(...channels(2));
    expect(targets.get(unique_id)).toMatchObject({
      waiting: 2,
      last_result: { is_delivered: false, message: 'connection refused' },
    });
    await look(...channels(1, 5));
    expect(warnings).toHaveLength(1);
    out.failure = undefined;
    await look();
    expect(sent).toEqual([]);
    pass(11);
    await look();
    expect(sent[0]?.outgoing).toHaveLength(3);
    expect(targets.get(unique_id)).toMatchObject({
      waiting: 0,
      last_result: { is_delivered: true, message: 'accepted' },
    });
  });

  it('misses nothing over a restart of the service', async () => {
    const { target, look, sent, out, restart } = site();
    target();
    await look();
    out.failure = new Error('away');
    await look(condition());
    restart();
    out.failure = undefined;
    await look(condition({ channel: 1 }));
    expect(sent.flatMap(({ outgoing }) => outgoing.map(({ facts }) => facts.channel))).toEqual([0, 1]);
  });

  it('that never answers holds up nobody, and is tried again', async () => {
    const { target, look, sent, out, pass, targets } = site();
    const hanging = target({ options: { ...broker, topic: 'black-hole' } });
    const well = target();
    await look();
    out.hangs = 'black-hole';
    await look(condition());
    expect(sent.map(({ outgoing }) => outgoing[0]?.target_id)).toEqual([well.unique_id]);
    expect(targets.get(hanging.unique_id).last_result).toMatchObject({
      is_delivered: false,
      fault: 'timed_out',
      message: 'it took longer than 0.02 s',
    });
    out.hangs = undefined;
    pass(11);
    await look();
    expect(sent.map(({ outgoing }) => outgoing[0]?.target_id)).toEqual([well.unique_id, hanging.unique_id]);
  });

  it.each([
    ['ahead and back', [400 * 86_400, -400 * 86_400]],
    ['back', [-400 * 86_400]],
  ])('is served on when the clock is set %s', async (_, steps) => {
    const { target, look, sent, out, pass, set } = site();
    target({ most_per_minute: 1 });
    await look();
    const [first = 0, ...others] = steps;
    set(first);
    await look(condition());
    out.failure = new Error('away');
    pass(61);
    await look(condition({ channel: 1 }));
    for (const step of others) set(step);
    out.failure = undefined;
    pass(61);
    await look();
    expect(sent.flatMap(({ outgoing }) => outgoing.map(({ facts }) => facts.channel))).toEqual([0, 1]);
  });

  it('is given up on what is days old', async () => {
    const { target, look, sent, out, pass, rows } = site();
    const { unique_id } = target();
    await look();
    out.failure = new Error('away');
    await look(condition());
    pass(4 * 86_400);
    out.failure = undefined;
    await look();
    expect([sent, rows.waiting(unique_id, 10)]).toEqual([[], []]);
  });
});

describe('the settings of a target', () => {
  it('never show the secret, keep it when it is not named or sent back, and let it be taken away', () => {
    const { target, targets, rows } = site();
    const made = target({ secret: 'hunter2' });
    const sealed = () => rows.target(made.unique_id)?.sealed_secret;
    expect(JSON.stringify([made, targets.list()])).not.toContain('hunter2');
    expect([made.secret, sealed()]).toEqual([{ set: true }, expect.not.stringContaining('hunter2')]);
    const before = sealed();
    targets.change(grower, made.unique_id, { name: 'Tablet' });
    targets.change(grower, made.unique_id, { secret: { set: true } });
    expect(sealed()).toBe(before);
    expect(targets.change(grower, made.unique_id, { secret: null }).secret).toBeNull();
  });

  it('never carry a secret over to another kind of place', async () => {
    const { target, targets } = site();
    const { unique_id } = target({ secret: 'hunter2' });
    const options = { kind: 'webhook', url: 'https://hook.example/a', network: 'public' } as const;
    const refusal = await refusalOf(async () => targets.change(grower, unique_id, { options, secret: { set: true } }));
    expect(refusal.code).toBe('read_only_field');
    expect(targets.change(grower, unique_id, { options }).secret).toBeNull();
  });

  it.each([
    ['another host', { kind: 'email', host: 'mail.eve.example', port: 465, security: 'tls' }],
    ['another port', { kind: 'email', host: 'mail.example', port: 25, security: 'tls' }],
    ['no TLS', { kind: 'email', host: 'mail.example', port: 465, security: 'none' }],
  ] as const)('never send the password of a mail server to %s', async (_, place) => {
    const { target, targets, rows } = site();
    const people = { from: 'farm@example.org', to: ['kim@example.org'] };
    const at = { kind: 'email', host: 'mail.example', port: 465, security: 'tls' } as const;
    const { unique_id } = target({ options: { ...at, ...people }, secret: 'SMTP-PASSWORD' });
    const before = rows.target(unique_id);
    for (const sent of [{}, { secret: { set: true } as const }]) {
      const options = { ...place, ...people };
      const refusal = await refusalOf(async () => targets.change(grower, unique_id, { options, ...sent }));
      expect([refusal.code, refusal.errors?.[0]?.path]).toEqual(['read_only_field', 'secret']);
    }
    expect(rows.target(unique_id)).toEqual(before);
    const others = { options: { ...at, ...people, to: ['lee@example.org'] } };
    expect(targets.change(grower, unique_id, others).secret).toEqual({ set: true });
    targets.change(grower, unique_id, { options: { ...place, ...people }, secret: 'another' });
    expect(targets.change(grower, unique_id, { options: { ...at, ...people }, secret: null }).secret).toBeNull();
  });

  it.each([
    ['mqtts://broker.example', 'mqtts://broker.eve.example'],
    ['mqtts://broker.example', 'mqtt://broker.example'],
    ['mqtt://broker.example:1883', 'mqtt://broker.example:1884'],
  ])('never send the password of %s to %s', async (url, elsewhere) => {
    const { target, targets } = site();
    const { unique_id } = target({ options: { ...broker, url }, secret: 'hunter2' });
    const options = { ...broker, url: elsewhere };
    expect((await refusalOf(async () => targets.change(grower, unique_id, { options }))).code).toBe('read_only_field');
    expect(targets.get(unique_id).options).toMatchObject({ url });
  });

  it('change only what is named', () => {
    const { target, targets } = site();
    const { unique_id, ...made } = target({ options: { ...broker, username: 'orangery' }, repeat_min: 30 });
    const after = targets.change(grower, unique_id, { options: { ...broker, topic: 'other' } });
    expect(after).toEqual({ ...made, unique_id, options: { ...broker, username: 'orangery', topic: 'other' } });
  });

  it('can be tried, with the real result', async () => {
    const { target, targets, sent, out, audited } = site();
    const { unique_id } = target();
    expect((await targets.test(grower, unique_id)).last_result).toMatchObject({
      is_delivered: true,
      message: 'accepted',
    });
    expect(sent[0]?.message.text).toContain('this target works');
    out.failure = new Error('550 no such mailbox');
    const refusal = await refusalOf(targets.test(grower, unique_id));
    expect([refusal.code, refusal.status, refusal.message]).toEqual(['delivery_failed', 502, '550 no such mailbox']);
    expect(targets.get(unique_id).last_result).toMatchObject({ is_delivered: false });
    expect(JSON.stringify(audited)).toContain('notification_target.test');
  });

  it('go with what waits for them', async () => {
    const { target, targets, look, out } = site();
    const { unique_id } = target();
    await look();
    out.failure = new Error('away');
    await look(condition());
    targets.remove(grower, unique_id);
    expect((await refusalOf(async () => targets.get(unique_id))).code).toBe('not_found');
    await look();
  });
});
