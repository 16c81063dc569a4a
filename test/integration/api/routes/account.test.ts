import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accountRoutes } from '../../../../server/api/routes/account.ts';
import { auditRoutes } from '../../../../server/api/routes/audit.ts';
import { settingRoutes } from '../../../../server/api/routes/setting.ts';
import { apiKeyEndpoints } from '../../../../server/contract/api-key.ts';
import { authEndpoints } from '../../../../server/contract/auth.ts';
import { userEndpoints } from '../../../../server/contract/user.ts';
import { actor, goodPassword, testAccounts, type TestAccounts } from '../../../support/accounts.ts';
import { startTestApi, type TestApi } from '../../../support/api.ts';

const nobody = '00000000-0000-4000-8000-000000000000';
const kim = { username: 'kim', password: goodPassword };

let test: TestAccounts;
let api: TestApi;

beforeEach(async () => {
  test = testAccounts();
  const routes = [...accountRoutes(test), ...auditRoutes(test.audits), ...settingRoutes(test.settings)];
  api = await startTestApi({ routes, authenticator: test.authenticator });
});

afterEach(async () => {
  await api.close();
});

interface Browser {
  cookie: string;
  csrf: string;
  userId: string;
}

async function logIn(username = 'kim'): Promise<Browser> {
  const answer = await api.request('POST', '/api/auth/login', { body: { username, password: goodPassword } });
  const { csrf_token, user } = authEndpoints.login.answer.parse(answer.body);
  const cookie = /^__Host-orangery=([^;]+)/.exec(answer.headers['set-cookie']?.[0] ?? '')?.[1] ?? '';
  return { cookie, csrf: csrf_token, userId: user.unique_id };
}

async function keyOf({ userId, ...session }: Browser, body: object = { name: 'script' }): Promise<string> {
  const answer = await api.request('POST', `/api/settings/users/${userId}/api_keys`, { ...session, body });
  return apiKeyEndpoints.create.answer.parse(answer.body).key;
}

describe('the first start', () => {
  it('goes from no account to a session', async () => {
    const state = async (): Promise<unknown> => (await api.request('GET', '/api/auth/state')).body;
    expect(await state()).toEqual({ is_set_up: false });
    const body = { setup_token: test.setupToken.value, ...kim };
    const setUp = await api.request('POST', '/api/auth/setup', { body });
    expect(setUp).toMatchObject({ status: 201, body: { user: { username: 'kim', role: 'Admin' } } });
    expect(await state()).toEqual({ is_set_up: true });
    const { user } = setUp.body as { user: { unique_id: string } }; // checked above
    expect(setUp.headers.location).toBe(`/api/settings/users/${user.unique_id}`);
    const { cookie, csrf } = await logIn();
    const session = await api.request('GET', '/api/auth/session', { cookie });
    expect(session).toMatchObject({ status: 200, body: { user: { username: 'kim' }, csrf_token: csrf } });
  });

  it.each([
    [{ setup_token: 'guess' }, 403, 'setup_token_invalid'],
    [{ password: 'qwertyuiop' }, 400, 'weak_password'],
    [{ password: 'short' }, 400, 'invalid_field'],
    [{ username: 'a b' }, 400, 'invalid_field'],
    [{ role: 'Admin' }, 400, 'unknown_field'],
  ])('refuses %j: %i %s', async (changed, status, code) => {
    const body = { setup_token: test.setupToken.value, ...kim, ...changed };
    expect(await api.request('POST', '/api/auth/setup', { body })).toMatchObject({ status, body: { code } });
    expect(test.accounts.isSetUp()).toBe(false);
  });

  it('is over once there is an account: 409 already_set_up', async () => {
    await test.add('kim', 'Admin');
    const body = { setup_token: test.setupToken.value, username: 'eve', password: goodPassword };
    const answer = await api.request('POST', '/api/auth/setup', { body });
    expect(answer).toMatchObject({ status: 409, body: { code: 'already_set_up' } });
  });
});

describe('a session', () => {
  beforeEach(async () => {
    await test.add('kim', 'Admin');
  });

  it('has a cookie that only this host gets back, only by HTTPS, and that no script reads', async () => {
    const { headers } = await api.request('POST', '/api/auth/login', { body: kim });
    const [value, ...attributes] = headers['set-cookie']?.[0]?.split('; ') ?? [];
    expect(value).toMatch(/^__Host-orangery=[\w-]{43}$/);
    expect(attributes.sort()).toEqual(['HttpOnly', 'Max-Age=2592000', 'Path=/', 'SameSite=Strict', 'Secure']);
  });

  it('modifies with its CSRF token only: 403 csrf_failed', async () => {
    const { cookie, csrf } = await logIn();
    const save = (token?: string): ReturnType<TestApi['request']> =>
      api.request('POST', '/api/geo/settings', {
        cookie,
        body: { zoom: 9 },
        ...(token !== undefined && { csrf: token }),
      });
    expect(await save()).toMatchObject({ status: 403, body: { code: 'csrf_failed' } });
    expect(await save((await logIn()).csrf)).toMatchObject({ status: 403, body: { code: 'csrf_failed' } });
    expect(test.settings.get().zoom).toBe(13);
    expect(await save(csrf)).toMatchObject({ status: 200, body: { zoom: 9 } });
  });

  it('ends by log-out, which takes the cookie away', async () => {
    const { cookie, csrf } = await logIn();
    const out = await api.request('POST', '/api/auth/logout', { cookie, csrf });
    expect(out).toMatchObject({ status: 200, body: { logged_out: true } });
    expect(out.headers['set-cookie']?.[0]).toMatch(/^__Host-orangery=; .*Max-Age=0/);
    expect((await api.request('GET', '/api/auth/session', { cookie })).status).toBe(401);
  });

  it('is not given for a wrong password: 401 with a scheme that opens no dialog', async () => {
    const answer = await api.request('POST', '/api/auth/login', { body: { ...kim, password: 'wrong' } });
    expect(answer).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } });
    expect(answer.headers['www-authenticate']).toBe('ApiKey');
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  it('cannot be ended by a key: 403', async () => {
    const key = await keyOf(await logIn());
    expect(await api.request('POST', '/api/auth/logout', { key })).toMatchObject({ status: 403 });
  });
});

describe('an API key', () => {
  beforeEach(async () => {
    await test.add('kim', 'Admin');
  });

  it('opens by all three carriers and modifies without a CSRF token', async () => {
    const key = await keyOf(await logIn());
    const whoAmI = '/api/auth/session';
    const answers = await Promise.all([
      api.request('GET', whoAmI, { headers: { authorization: `Basic ${key}` } }),
      api.request('GET', whoAmI, { key }),
      api.request('GET', `${whoAmI}?api_key=${key}`), // its pluses arrive as spaces
      api.request('GET', `${whoAmI}?api_key=${encodeURIComponent(key)}`),
    ]);
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200]);
    expect(answers.map((answer) => answer.headers['deprecation'] !== undefined)).toEqual([false, false, true, true]);
    expect(api.audit.map((entry) => entry.kind)).toEqual(['apikey.url_auth', 'apikey.url_auth']);
    expect(JSON.stringify([api.audit, api.log])).not.toContain(key.slice(0, 10));
    expect((await api.request('POST', '/api/geo/settings', { key, body: { zoom: 9 } })).status).toBe(200);
  });

  it('of scope readonly reads, and changes nothing: 403 readonly_key', async () => {
    const browser = await logIn();
    const key = await keyOf(browser, { name: 'display', scope: 'readonly' });
    const keys = `/api/settings/users/${browser.userId}/api_keys`;
    expect((await api.request('GET', '/api/geo/settings', { key })).status).toBe(200);
    expect((await api.request('GET', keys, { key })).status).toBe(200);
    const refused = { status: 403, body: { code: 'readonly_key' } };
    expect(await api.request('POST', '/api/geo/settings', { key, body: { zoom: 9 } })).toMatchObject(refused);
    expect(await api.request('POST', keys, { key, body: { name: 'more' } })).toMatchObject(refused);
    expect(await api.request('DELETE', `${keys}/${nobody}`, { key })).toMatchObject(refused);
  });

  it('opens nothing after it was revoked, and is listed as revoked', async () => {
    const { userId, ...session } = await logIn();
    const key = await keyOf({ userId, ...session });
    const { key_id } = test.keys.list(userId, actor({ user_id: userId }))[0] ?? { key_id: '' };
    const path = `/api/settings/users/${userId.toUpperCase()}/api_keys/${key_id.toUpperCase()}`;
    expect((await api.request('DELETE', path, session)).status).toBe(200);
    expect((await api.request('GET', '/api/auth/session', { key })).status).toBe(401);
    expect(await api.request('DELETE', path, session)).toMatchObject({ status: 409, body: { code: 'conflict' } });
    const listed = await api.request('GET', `/api/settings/users/${userId}/api_keys`, session);
    expect(listed.body).toMatchObject({ api_keys: [{ key_id, revoked_at: new Date(test.clock.ms).toISOString() }] });
  });

  it.each([
    [{}, 400, 'invalid_field'],
    [{ name: 'k', scope: 'admin' }, 400, 'invalid_field'],
    [{ name: 'k', expires_at: 'tomorrow' }, 400, 'invalid_field'],
    [{ name: 'k', expires_at: '2020-01-01T00:00:00Z' }, 400, 'invalid_field'],
    [{ name: 'k', key: 'mine' }, 400, 'unknown_field'],
  ])('is not made of %j: %i %s', async (body, status, code) => {
    const { userId, ...session } = await logIn();
    const answer = await api.request('POST', `/api/settings/users/${userId}/api_keys`, { ...session, body });
    expect(answer).toMatchObject({ status, body: { code } });
    expect(test.keys.list(userId, actor({ user_id: userId }))).toEqual([]);
  });
});

describe('users, audit and settings', () => {
  it('makes a user with a Location and lists it', async () => {
    await test.add('kim', 'Admin');
    const { userId: _, ...session } = await logIn();
    const body = { username: 'lee', password: goodPassword, role: 'Monitor' };
    const made = await api.request('POST', '/api/settings/users', { ...session, body });
    const { unique_id } = userEndpoints.create.answer.parse(made.body);
    expect(made.status).toBe(201);
    expect(made.headers.location).toBe(`/api/settings/users/${unique_id}`);
    const listed = await api.request('GET', '/api/settings/users', session);
    expect(userEndpoints.list.answer.parse(listed.body).users.map((user) => user.username)).toEqual(['kim', 'lee']);
    expect(await api.request('POST', '/api/settings/users', { ...session, body })).toMatchObject({ status: 409 });
    const unknown = { ...body, username: 'park', role: 'Boss' };
    expect(await api.request('POST', '/api/settings/users', { ...session, body: unknown })).toMatchObject({
      status: 400,
      body: { code: 'unknown_reference', errors: [{ path: 'role' }] },
    });
  });

  it('keeps a Monitor to reading: 403', async () => {
    await test.add('lee', 'Monitor');
    const { userId: _, ...session } = await logIn('lee');
    const refused = { status: 403, body: { code: 'forbidden' } };
    expect(await api.request('GET', '/api/settings/users', session)).toMatchObject(refused);
    expect(await api.request('POST', '/api/geo/settings', { ...session, body: { zoom: 1 } })).toMatchObject(refused);
    expect((await api.request('GET', '/api/audit', session)).status).toBe(200);
    expect((await api.request('GET', '/api/geo/settings', session)).status).toBe(200);
  });

  it.each([
    [{ lat: 91 }, 'invalid_field'],
    [{ zoom: 3.5 }, 'invalid_field'],
    [{ zoom: 23 }, 'invalid_field'],
    [{ colour: 'red' }, 'unknown_field'],
    [{ colour: 'red', lat: 91 }, 'unknown_field'],
  ])('refuses the setting %j: 400 %s', async (body, code) => {
    await test.add('kim', 'Editor');
    const { userId: _, ...session } = await logIn();
    const answer = await api.request('POST', '/api/geo/settings', { ...session, body });
    expect(answer).toMatchObject({ status: 400, body: { code } });
    expect(test.settings.get()).toMatchObject({ lat: 37.5665, zoom: 13 });
  });
});
