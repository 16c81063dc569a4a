import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { sessionCookieName } from '../../../server/api/session-cookie.ts';
import { openDatabase } from '../../../server/db/open.ts';
import { composeAccounts } from '../../../server/composition/accounts.ts';
import { actorOf, goodPassword, lanAddress } from '../../support/accounts.ts';
import { startTestApi, type TestApi, type TestRequest } from '../../support/api.ts';
import { testWholeApi, type WholeApi } from '../../support/whole-api.ts';

let whole: WholeApi;
let api: TestApi;
let output: string;
let key: string;

/** The interface as it is served: with real accounts, keys and sessions. */
beforeEach(async () => {
  whole = await testWholeApi();
  const { accounts, routes } = whole;
  const created = await whole.request('POST', '/api/settings/presets/simulated_greenhouse', { body: {} });
  output = (created.body as { outputs: { unique_id: string }[] }).outputs[0]?.unique_id ?? ''; // checked by the API
  const owner = accounts.accounts.find('owner');
  if (owner === undefined) throw new Error('no owner');
  key = accounts.keys.create(whole.userId, { name: 'tablet' }, actorOf(owner)).key;
  accounts.clock.forward(61_000); // the next use of the key is to be noted
  const { authenticator, storage } = accounts;
  api = await startTestApi({ routes, authenticator, storage, limits: { login: 1e9 } });
  onTestFinished(() => api.close());
});

const ask = async (method: string, path: string, sent: TestRequest = {}) => api.request(method, path, { key, ...sent });
const health = async () => (await ask('GET', '/api/health')).body;
const kinds = () => whole.accounts.audits.list({ limit: 100 }).audit.map(({ kind }) => kind);

async function logIn(): Promise<{ status: number; cookie: string }> {
  const body = { username: 'owner', password: goodPassword };
  const answer = await api.request('POST', '/api/auth/login', { body });
  const [set = ''] = answer.headers['set-cookie'] ?? [];
  return { status: answer.status, cookie: new RegExp(`${sessionCookieName}=([^;]+)`).exec(set)?.[1] ?? '' };
}

/** Refusals of SQLite itself, each with its end. */
const troubles = {
  readonly: () => {
    const { db } = whole.accounts;
    db.pragma('query_only = ON');
    return () => void db.pragma('query_only = OFF');
  },
  busy: () => {
    const other = openDatabase(whole.accounts.db.name);
    other.exec('BEGIN IMMEDIATE');
    return () => other.close();
  },
  full: () => {
    const { db } = whole.accounts;
    db.pragma(`max_page_count = ${String(db.pragma('page_count', { simple: true }))}`);
    return () => void db.pragma('max_page_count = 1000000');
  },
};

describe.each(Object.entries(troubles))('with a disk that is %s', (fault, begin) => {
  it('deeds are done and said to be, readings and log-ins go on, and all is noted afterwards', async () => {
    const had = kinds().length;
    const end = begin();
    const stopped = await ask('POST', '/api/emergency_stop', { body: {} });
    const commanded = await ask('POST', `/api/outputs/${output}`, { body: { state: true } });
    const read = await ask('GET', '/api/outputs');
    expect([stopped.status, commanded.status, read.status]).toEqual([200, 200, 200]);
    const { status, cookie } = await logIn();
    expect(status).toBe(200);
    const session = await api.request('GET', '/api/auth/session', { cookie });
    expect(session).toMatchObject({ status: 200, body: { user: { username: 'owner' } } });
    expect((await api.request('GET', '/api/auth/sessions', { cookie })).status).toBe(200);
    end();
    whole.accounts.later.flush();
    expect(
      kinds()
        .slice(0, -had || undefined)
        .sort(),
    ).toEqual(['auth.login', 'emergency_stop.begin', 'output.command']);
    expect(whole.accounts.audits.list({ limit: 1 }).audit).toHaveLength(1);
    const restarted = composeAccounts({ db: openDatabase(whole.accounts.db.name), now: whole.accounts.clock.now });
    const known = restarted.authenticator.authenticate({ address: lanAddress, session_cookie: cookie });
    expect(known?.actor.username).toBe('owner');
    expect(fault).not.toBe('');
  });
});

describe('a change that cannot be stored', () => {
  const change = (name: string) => ask('POST', '/api/geo/settings', { body: { site_name: name } });

  it('is refused as such, and health says why until the disk takes it', async () => {
    const end = troubles.readonly();
    expect(await change('New')).toMatchObject({
      status: 507,
      body: {
        code: 'storage_failed',
        fault: 'readonly',
        detail: expect.stringContaining('nothing was stored') as string,
      },
    });
    expect(await health()).toEqual({ status: 'degraded', problems: ['storage_readonly'] });
    end();
    expect((await change('New')).status).toBe(200);
    whole.accounts.later.flush();
    expect(await health()).toEqual({ status: 'up' });
  });

  it('waits for a lock of another program while everybody else is served', async () => {
    const end = troubles.busy();
    const changed = change('New');
    for (let i = 0; i < 20; i += 1) {
      expect((await ask('POST', '/api/emergency_stop', { body: {} })).status).toBe(200);
      expect((await ask('GET', '/api/outputs')).status).toBe(200);
    }
    end();
    expect((await changed).status).toBe(200);
  });
});

it('one logs out although the disk takes nothing, and stays so', async () => {
  const { cookie } = await logIn();
  const csrf = (await api.request('GET', '/api/auth/session', { cookie })).body as { csrf_token: string }; // checked by the API
  const end = troubles.readonly();
  expect((await api.request('POST', '/api/auth/logout', { cookie, csrf: csrf.csrf_token })).status).toBe(200);
  expect((await api.request('GET', '/api/auth/session', { cookie })).status).toBe(401);
  end();
  whole.accounts.later.flush();
  expect((await api.request('GET', '/api/auth/session', { cookie })).status).toBe(401);
});
