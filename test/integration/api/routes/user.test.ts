import { Secret, TOTP } from 'otpauth';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accountRoutes } from '../../../../server/api/routes/account.ts';
import { auditRoutes } from '../../../../server/api/routes/audit.ts';
import { authEndpoints } from '../../../../server/contract/auth.ts';
import { roleEndpoints } from '../../../../server/contract/role.ts';
import { totpEndpoints } from '../../../../server/contract/totp.ts';
import { userEndpoints, type User } from '../../../../server/contract/user.ts';
import { systemActor } from '../../../../server/auth/system-actor.ts';
import { goodPassword, testAccounts, type TestAccounts } from '../../../support/accounts.ts';
import { startTestApi, type TestAnswer, type TestApi } from '../../../support/api.ts';

const nobody = '00000000-0000-4000-8000-000000000000';
const newPassword = 'broad-window-77';

let test: TestAccounts;
let api: TestApi;
let kim: User;
let lee: User;
let keys: { kim: string; lee: string; reader: string };

beforeEach(async () => {
  test = testAccounts();
  const routes = [...accountRoutes(test), ...auditRoutes(test.audits)];
  api = await startTestApi({ routes, authenticator: test.authenticator });
  kim = await test.add('kim', 'Admin');
  lee = await test.add('lee', 'Monitor');
  const key = (user: User, scope: 'full' | 'readonly'): string =>
    test.keys.create(user.unique_id, { name: 'test', scope }, systemActor).key;
  keys = { kim: key(kim, 'full'), lee: key(lee, 'full'), reader: key(kim, 'readonly') };
});

afterEach(async () => {
  await api.close();
});

const userPath = (user: User): string => `/api/settings/users/${user.unique_id}`;

function asKim(method: string, path: string, body?: unknown): Promise<TestAnswer> {
  return api.request(method, path, { key: keys.kim, ...(body !== undefined && { body }) });
}

function asLee(method: string, path: string, body?: unknown): Promise<TestAnswer> {
  return api.request(method, path, { key: keys.lee, ...(body !== undefined && { body }) });
}

async function logIn(username: string, more: object = {}): Promise<{ cookie: string; csrf: string }> {
  const answer = await api.request('POST', '/api/auth/login', { body: { username, password: goodPassword, ...more } });
  const cookie = /^__Host-orangery=([^;]+)/.exec(answer.headers['set-cookie']?.[0] ?? '')?.[1] ?? '';
  return { cookie, csrf: authEndpoints.login.answer.parse(answer.body).csrf_token };
}

describe('a user', () => {
  it('200: is read, changed in part, and sent back whole', async () => {
    const path = userPath(lee).toUpperCase().replace('/API/SETTINGS/USERS', '/api/settings/users');
    expect(await asKim('GET', path)).toMatchObject({ status: 200, body: lee });
    const changed = await asKim('PATCH', path, { email: 'lee@example.com' });
    expect(changed).toMatchObject({ status: 200, body: { ...lee, email: 'lee@example.com' } });
    const whole = userEndpoints.get.answer.parse(changed.body);
    expect(await asKim('PATCH', path, whole)).toMatchObject({ status: 200, body: whole });
    expect(await asKim('PATCH', path, {})).toMatchObject({ status: 200, body: whole });
  });

  it('200: reads and changes himself without a permission', async () => {
    expect(await asLee('GET', userPath(lee))).toMatchObject({ status: 200, body: lee });
    expect(await asLee('PATCH', userPath(lee), { language: 'ko' })).toMatchObject({
      status: 200,
      body: { language: 'ko' },
    });
    const passwords = { password: newPassword, current_password: goodPassword };
    expect((await asLee('PATCH', userPath(lee), passwords)).status).toBe(200);
  });

  it('201: is made disabled, and then cannot log in', async () => {
    const body = { username: 'park', password: goodPassword, role: 'Guest', is_enabled: false };
    const made = await asKim('POST', '/api/settings/users', body);
    expect(made).toMatchObject({ status: 201, body: { username: 'park', is_enabled: false } });
    const answer = await api.request('POST', '/api/auth/login', { body: { username: 'park', password: goodPassword } });
    expect(answer.status).toBe(401);
  });

  it('200: is deleted; what he did is still told', async () => {
    await asLee('PATCH', userPath(lee), { language: 'ko' });
    expect(await asKim('DELETE', userPath(lee))).toMatchObject({
      status: 200,
      body: { unique_id: lee.unique_id, deleted: true },
    });
    expect((await asLee('GET', '/api/auth/session')).status).toBe(401);
    expect((await asKim('GET', userPath(lee))).status).toBe(404);
    const audit = await asKim('GET', '/api/audit?user=LEE');
    expect(audit.body).toMatchObject({ audit: [{ kind: 'user.update', username: 'lee', after: { language: 'ko' } }] });
  });

  it.each<[object, number, string]>([
    [{ username: 'eve' }, 400, 'read_only_field'],
    [{ unique_id: nobody }, 400, 'read_only_field'],
    [{ last_login_at: '2026-01-01T00:00:00Z' }, 400, 'read_only_field'],
    [{ is_enabled: 'no' }, 400, 'invalid_field'],
    [{ email: 'no address' }, 400, 'invalid_field'],
    [{ password: 'short' }, 400, 'invalid_field'],
    [{ password: 'qwertyuiop' }, 400, 'weak_password'],
    [{ role: 'Boss' }, 400, 'unknown_reference'],
    [{ permissions: ['edit_users'] }, 400, 'unknown_field'],
  ])('is not changed by %j: %i %s', async (body, status, code) => {
    expect(await asKim('PATCH', userPath(lee), { email: null, ...body })).toMatchObject({ status, body: { code } });
    expect(test.accounts.find('lee')).toEqual(lee);
  });

  it('403: is not read or changed by another without edit_users, nor by a readonly key', async () => {
    const refused = { status: 403, body: { code: 'forbidden' } };
    expect(await asLee('GET', userPath(kim))).toMatchObject(refused);
    expect(await asLee('PATCH', userPath(kim), { email: null })).toMatchObject(refused);
    expect(await asLee('PATCH', userPath(lee), { role: 'Admin' })).toMatchObject(refused);
    expect(await asLee('DELETE', userPath(lee))).toMatchObject(refused);
    const wrong = { password: newPassword, current_password: 'guess' };
    expect(await asLee('PATCH', userPath(lee), wrong)).toMatchObject({ status: 403, body: { code: 'wrong_password' } });
    const byReader = await api.request('PATCH', userPath(kim), { key: keys.reader, body: { email: null } });
    expect(byReader).toMatchObject({ status: 403, body: { code: 'readonly_key' } });
  });

  it('404: is not there', async () => {
    for (const path of [`/api/settings/users/${nobody}`, '/api/settings/users/kim']) {
      expect(await asKim('GET', path)).toMatchObject({ status: 404, body: { code: 'not_found' } });
      expect((await asKim('PATCH', path, { email: null })).status).toBe(404);
      expect((await asKim('DELETE', path)).status).toBe(404);
    }
  });

  it('409: is the last enabled administrator', async () => {
    const refused = { status: 409, body: { code: 'last_admin' } };
    expect(await asKim('PATCH', userPath(kim), { role: 'Editor' })).toMatchObject(refused);
    expect(await asKim('PATCH', userPath(kim), { is_enabled: false })).toMatchObject(refused);
    expect(await asKim('DELETE', userPath(kim))).toMatchObject(refused);
  });
});

describe('a role', () => {
  const grower = { name: 'Grower', permissions: ['edit_controllers', 'view_stats'] };

  it('201, 200: is made, listed, read, changed and deleted', async () => {
    const made = await asKim('POST', '/api/settings/roles', grower);
    const { unique_id } = roleEndpoints.create.answer.parse(made.body);
    const path = `/api/settings/roles/${unique_id}`;
    expect(made).toMatchObject({ status: 201, headers: { location: path }, body: { ...grower, is_delivered: false } });
    const listed = await asKim('GET', '/api/settings/roles');
    expect(roleEndpoints.list.answer.parse(listed.body).roles).toHaveLength(6);
    expect((await asKim('PATCH', path, { permissions: [] })).body).toMatchObject({ name: 'Grower', permissions: [] });
    expect((await asKim('GET', path)).body).toMatchObject({ permissions: [] });
    await asKim('PATCH', userPath(lee), { role: 'Grower' });
    const refused = await asKim('DELETE', path);
    expect(refused).toMatchObject({ status: 409, body: { code: 'in_use', users: [{ name: 'lee' }] } });
    await asKim('PATCH', userPath(lee), { role: 'Guest' });
    expect(await asKim('DELETE', path)).toMatchObject({ status: 200, body: { unique_id, deleted: true } });
  });

  it.each<[object, number, string]>([
    [{ name: 'A' }, 400, 'invalid_field'],
    [{ name: ' ', permissions: [] }, 400, 'invalid_field'],
    [{ name: 'A', permissions: ['fly'] }, 400, 'invalid_field'],
    [{ name: 'A', permissions: ['view_logs', 'view_logs'] }, 400, 'invalid_field'],
    [{ name: 'A', permissions: [], is_delivered: true }, 400, 'unknown_field'],
    [{ name: 'kiosk', permissions: [] }, 409, 'already_exists'],
  ])('is not made of %j: %i %s', async (body, status, code) => {
    expect(await asKim('POST', '/api/settings/roles', body)).toMatchObject({ status, body: { code } });
  });

  it('403: is nothing for who may not edit users', async () => {
    expect((await asLee('GET', '/api/settings/roles')).status).toBe(403);
    expect((await asLee('POST', '/api/settings/roles', grower)).status).toBe(403);
  });
});

describe('the second factor', () => {
  it('is begun, confirmed, asked for, and given up', async () => {
    const session = await logIn('lee');
    const begun = await api.request('POST', '/api/auth/totp', { ...session, body: { password: goodPassword } });
    const { secret } = totpEndpoints.enrol.answer.parse(begun.body);
    expect(begun.status).toBe(201);
    const code = (): string => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: test.clock.ms });
    const confirmed = await api.request('POST', '/api/auth/totp/confirm', { ...session, body: { code: code() } });
    const { recovery_codes } = totpEndpoints.confirm.answer.parse(confirmed.body);
    expect((await asLee('GET', '/api/auth/totp')).body).toEqual({ is_enabled: true, recovery_codes_left: 10 });
    const login = (more: object): Promise<TestAnswer> =>
      api.request('POST', '/api/auth/login', { body: { username: 'lee', password: goodPassword, ...more } });
    const missing = await login({});
    expect(missing).toMatchObject({ status: 401, body: { code: 'totp_required' } });
    expect(missing.headers['www-authenticate']).toBe('ApiKey');
    expect(missing.headers['set-cookie']).toBeUndefined();
    expect(await login({ totp: '000000' })).toMatchObject({ status: 401, body: { code: 'totp_invalid' } });
    test.clock.forward(60_000);
    expect((await login({ totp: code() })).status).toBe(200);
    expect((await login({ totp: recovery_codes[0] })).status).toBe(200);
    const wrong = await api.request('POST', '/api/auth/totp/disable', { ...session, body: { password: 'guess' } });
    expect(wrong).toMatchObject({ status: 403, body: { code: 'wrong_password' } });
    expect(
      (await api.request('POST', '/api/auth/totp/disable', { ...session, body: { password: goodPassword } })).status,
    ).toBe(200);
    expect((await login({})).status).toBe(200);
    expect(JSON.stringify(api.log)).not.toContain(secret);
  });

  it('is taken from one who lost it: 200, then 409', async () => {
    expect(await asKim('DELETE', `${userPath(lee)}/totp`)).toMatchObject({ status: 409, body: { code: 'conflict' } });
    const { secret } = await test.factors.enrol(goodPassword, {
      ...systemActor,
      user_id: lee.unique_id,
      username: 'lee',
    });
    expect(secret).toHaveLength(32);
    expect(await asKim('DELETE', `${userPath(lee)}/totp`)).toMatchObject({ status: 200, body: { is_enabled: false } });
  });
});

describe('sessions', () => {
  it('are listed and ended', async () => {
    const [here, there] = [await logIn('lee'), await logIn('lee')];
    const listed = await api.request('GET', '/api/auth/sessions', { cookie: here.cookie });
    const { sessions } = authEndpoints.sessions.answer.parse(listed.body);
    expect(sessions.map((session) => [session.address, session.is_current]).sort()).toEqual([
      ['127.0.0.1', false],
      ['127.0.0.1', true],
    ]);
    const other = sessions.find((session) => !session.is_current)?.session_id ?? '';
    expect((await api.request('DELETE', `/api/auth/sessions/${other}`, here)).status).toBe(200);
    expect((await api.request('GET', '/api/auth/session', { cookie: there.cookie })).status).toBe(401);
    expect((await api.request('DELETE', `/api/auth/sessions/${other}`, here)).status).toBe(404);
  });
});

describe('the audit', () => {
  it('200: is read from a time to a time, and taken to a spreadsheet without a version', async () => {
    test.clock.forward(60_000);
    await asKim('PATCH', userPath(lee), { language: 'ko' });
    const from = new Date(test.clock.ms).toISOString();
    const listed = await asKim('GET', `/api/audit?from=${from}`);
    expect(listed.body).toMatchObject({
      audit: [{ kind: 'user.update', before: { language: null } }],
      next_cursor: null,
    });
    const csv = await api.request('GET', `/api/audit.csv?from=${from}`, { key: keys.kim, headers: { accept: null } });
    expect(csv.status).toBe(200);
    expect(csv.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="audit.csv"',
    });
    const [head, row, rest] = csv.text.split('\r\n');
    expect(head).toBe('\uFEFFid,at,kind,username,user_id,key_id,address,target,before,after,target_name');
    expect(row).toContain(`user.update,kim,${kim.unique_id}`);
    expect(row).toContain('"{""language"":""ko""}"');
    expect(rest).toBe('');
  });

  it.each(['from=yesterday', 'limit=0', 'limit=1001', 'cursor=x', 'from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z'])(
    '400: %s',
    async (query) => {
      expect(await asKim('GET', `/api/audit?${query}`)).toMatchObject({ status: 400, body: { code: 'invalid_field' } });
    },
  );

  it('403: is nothing for a Guest', async () => {
    await asKim('PATCH', userPath(lee), { role: 'Guest' });
    expect((await asLee('GET', '/api/audit.csv')).status).toBe(403);
  });
});
