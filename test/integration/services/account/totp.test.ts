import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Secret, TOTP } from 'otpauth';
import { beforeEach, describe, expect, it } from 'vitest';
import { SecretBox } from '../../../../server/auth/secret-box.ts';
import { systemActor } from '../../../../server/auth/system-actor.ts';
import type { User } from '../../../../server/contract/user.ts';
import {
  actor,
  actorOf,
  codeOf,
  goodPassword,
  lanAddress,
  rejectionOf,
  testAccounts,
  type TestAccounts,
} from '../../../support/accounts.ts';
import { testFolder } from '../../../support/database.ts';

const stepMs = 30_000;

let test: TestAccounts;
let kim: User;
let me: ReturnType<typeof actorOf>;

beforeEach(async () => {
  test = testAccounts();
  kim = await test.add('kim', 'Admin');
  me = actorOf(kim);
});

function codeNow(secret: string, stepsAway = 0): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: test.clock.ms + stepsAway * stepMs });
}

/** A second factor in force; the clock is past the code that confirmed it. */
async function enrolled(): Promise<{ secret: string; codes: string[] }> {
  const { secret } = await test.factors.enrol(goodPassword, me);
  const { recovery_codes: codes } = test.factors.confirm(codeNow(secret), me);
  test.clock.forward(2 * stepMs);
  return { secret, codes };
}

function logIn(totp?: string, address = lanAddress): Promise<unknown> {
  const typed = { username: 'kim', password: goodPassword, ...(totp !== undefined && { totp }) };
  return test.logins.logIn(typed, actor({ address }));
}

describe('enrolment', () => {
  it('is of no effect until a code was confirmed', async () => {
    const { secret, otpauth_uri } = await test.factors.enrol(goodPassword, me);
    expect(new URL(otpauth_uri).searchParams.get('secret')).toBe(secret);
    expect(test.factors.state(me)).toEqual({ is_enabled: false, recovery_codes_left: 0 });
    expect(await rejectionOf(logIn())).toBeUndefined();
    expect(test.factors.confirm(codeNow(secret), me).recovery_codes).toHaveLength(10);
    expect(test.factors.state(me)).toEqual({ is_enabled: true, recovery_codes_left: 10 });
    expect(await rejectionOf(logIn())).toBe('totp_required');
  });

  it('can begin anew before it is confirmed; the secret before is worth nothing', async () => {
    const first = await test.factors.enrol(goodPassword, me);
    const second = await test.factors.enrol(goodPassword, me);
    expect(codeOf(() => test.factors.confirm(codeNow(first.secret), me))).toBe('invalid_field');
    expect(codeOf(() => test.factors.confirm(codeNow(second.secret), me))).toBeUndefined();
  });

  it('asks for the password: wrong_password', async () => {
    expect(await rejectionOf(test.factors.enrol('guess', me))).toBe('wrong_password');
  });

  it('is refused in the wrong order: conflict', async () => {
    expect(codeOf(() => test.factors.confirm('123456', me))).toBe('conflict');
    expect(await rejectionOf(test.factors.disable(goodPassword, me))).toBe('conflict');
    expect(await rejectionOf(test.factors.renewRecoveryCodes(goodPassword, me))).toBe('conflict');
    const { secret } = await enrolled();
    expect(await rejectionOf(test.factors.enrol(goodPassword, me))).toBe('conflict');
    expect(codeOf(() => test.factors.confirm(codeNow(secret), me))).toBe('conflict');
  });

  it('leaves neither secret nor codes in the database, its log or the audit', async () => {
    const { secret, codes } = await enrolled();
    const files = ['orangery.db', 'orangery.db-wal'].map((name) =>
      readFileSync(join(dirname(test.db.name), name), 'latin1'),
    );
    for (const text of [...files, JSON.stringify(test.audits.list({}))]) {
      expect(text).not.toContain(secret);
      for (const code of codes) expect(text).not.toContain(code.replaceAll('-', ''));
    }
    const kinds = test.audits.list({}).audit.map((record) => record.kind);
    expect(kinds).toEqual(['totp.confirm', 'totp.enrol', 'user.create']);
  });
});

describe('a log-in', () => {
  it('takes the code of now and of one step either way, however it is typed', async () => {
    const { secret } = await enrolled();
    for (const away of [-1, 0, 1]) {
      const code = codeNow(secret, away);
      expect(await rejectionOf(logIn(` ${code.slice(0, 3)} ${code.slice(3)} `))).toBeUndefined();
    }
  });

  it('takes no code twice, nor one from before it: totp_invalid', async () => {
    const { secret } = await enrolled();
    const [older, code] = [codeNow(secret, -1), codeNow(secret)];
    expect(await rejectionOf(logIn(code))).toBeUndefined();
    expect(await rejectionOf(logIn(code))).toBe('totp_invalid');
    expect(await rejectionOf(logIn(older))).toBe('totp_invalid');
    test.clock.forward(stepMs);
    expect(await rejectionOf(logIn(code))).toBe('totp_invalid');
    expect(await rejectionOf(logIn(codeNow(secret)))).toBeUndefined();
  });

  it('takes not the code that confirmed the enrolment', async () => {
    const { secret } = await test.factors.enrol(goodPassword, me);
    const code = codeNow(secret);
    test.factors.confirm(code, me);
    expect(await rejectionOf(logIn(code))).toBe('totp_invalid');
  });

  it('lets one of two with the same code at once in', async () => {
    const { secret } = await enrolled();
    const codes = await Promise.all([1, 2].map(() => rejectionOf(logIn(codeNow(secret)))));
    expect(codes.sort()).toEqual(['totp_invalid', undefined]);
  });

  it('tells a wrong password before it asks for a code', async () => {
    await enrolled();
    const wrong = test.logins.logIn({ username: 'kim', password: 'guess', totp: '123456' }, actor());
    expect(await rejectionOf(wrong)).toBe('invalid_credentials');
  });

  it('counts wrong codes for the lock-out, but not a missing one', async () => {
    const { secret } = await enrolled();
    for (let tries = 0; tries < 8; tries += 1) expect(await rejectionOf(logIn())).toBe('totp_required');
    for (let tries = 0; tries < 5; tries += 1) expect(await rejectionOf(logIn('000000'))).toBe('totp_invalid');
    expect(await rejectionOf(logIn(codeNow(secret)))).toBe('locked_out');
    expect(test.audits.list({ kind: 'auth.login_failed' }).audit[0]).toMatchObject({ after: { code: 'totp_invalid' } });
  });

  it('takes each recovery code once, however it is typed, and says so in the audit', async () => {
    const { codes } = await enrolled();
    const [first = '', second = ''] = codes;
    expect(await rejectionOf(logIn(first.toUpperCase()))).toBeUndefined();
    expect(await rejectionOf(logIn(first))).toBe('totp_invalid');
    expect(await rejectionOf(logIn(second.replaceAll('-', ' ')))).toBeUndefined();
    expect(test.factors.state(me).recovery_codes_left).toBe(8);
    expect(test.audits.list({ kind: 'auth.login' }).audit[0]?.after).toEqual({ second_factor: 'recovery code' });
  });

  it('goes on by recovery code where the key file is lost', async () => {
    const { codes } = await enrolled();
    const sealedElsewhere = new SecretBox(join(testFolder(), 'secret.key')).seal('another');
    test.db.prepare('UPDATE totp SET secret = ?').run(sealedElsewhere);
    expect(await rejectionOf(logIn('123456'))).toBe('secret_unreadable');
    expect(await rejectionOf(logIn(codes[0]))).toBeUndefined();
  });
});

describe('new recovery codes', () => {
  it('end the old ones, for the password', async () => {
    const { codes } = await enrolled();
    expect(await rejectionOf(test.factors.renewRecoveryCodes('guess', me))).toBe('wrong_password');
    const { recovery_codes } = await test.factors.renewRecoveryCodes(goodPassword, me);
    expect(await rejectionOf(logIn(codes[0]))).toBe('totp_invalid');
    expect(await rejectionOf(logIn(recovery_codes[0]))).toBeUndefined();
  });
});

describe('giving it up', () => {
  it('needs the password; then the password alone logs in', async () => {
    const { codes } = await enrolled();
    expect(await rejectionOf(test.factors.disable('guess', me))).toBe('wrong_password');
    await test.factors.disable(goodPassword, me);
    expect(test.factors.state(me)).toEqual({ is_enabled: false, recovery_codes_left: 0 });
    expect(await rejectionOf(logIn())).toBeUndefined();
    await enrolled();
    expect(await rejectionOf(logIn(codes[0]))).toBe('totp_invalid');
  });

  it('is done for one who lost it by who may as much, not for oneself and not from below', async () => {
    await enrolled();
    const lee = await test.add('lee', 'Editor');
    expect(codeOf(() => test.factors.removeOf(kim.unique_id, me))).toBe('forbidden');
    expect(codeOf(() => test.factors.removeOf(kim.unique_id, actorOf(lee, ['edit_users'])))).toBe('forbidden');
    expect(codeOf(() => test.factors.removeOf(lee.unique_id, me))).toBe('conflict');
    expect(codeOf(() => test.factors.removeOf('00000000-0000-4000-8000-000000000000', me))).toBe('not_found');
    test.factors.removeOf(kim.unique_id, systemActor);
    expect(await rejectionOf(logIn())).toBeUndefined();
  });

  it('goes with the user', async () => {
    await enrolled();
    await test.add('lee', 'Admin');
    test.accountChanges.remove(kim.unique_id, systemActor);
    expect(
      test.db.prepare('SELECT (SELECT count(*) FROM totp) + (SELECT count(*) FROM recovery_codes)').pluck().get(),
    ).toBe(0);
  });
});

describe('sessions', () => {
  it('are listed for their user alone, and ended one by one', async () => {
    const lee = await test.add('lee', 'Guest');
    await test.logins.logIn({ username: 'lee', password: goodPassword }, actor());
    await logIn();
    test.clock.forward(60_000);
    await logIn(undefined, '192.168.1.30');
    const [newest, oldest] = test.sessions.list(me);
    expect([newest?.address, oldest?.address]).toEqual(['192.168.1.30', lanAddress]);
    const current = { ...me, session_id: oldest?.session_id ?? null };
    expect(test.sessions.list(current).map((session) => session.is_current)).toEqual([false, true]);
    expect(codeOf(() => test.sessions.end(oldest?.session_id ?? '', actorOf(lee)))).toBe('not_found');
    test.sessions.end(oldest?.session_id ?? '', me);
    expect(test.sessions.list(me)).toEqual([newest]);
    expect(codeOf(() => test.sessions.end(oldest?.session_id ?? '', me))).toBe('not_found');
    expect(test.sessions.list(actorOf(lee))).toHaveLength(1);
  });

  it('are not listed past their end', async () => {
    await logIn();
    test.clock.forward(8 * 24 * 3_600_000);
    expect(test.sessions.list(me)).toEqual([]);
  });
});
