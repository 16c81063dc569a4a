import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request as httpsRequest } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { allRoutes, type Services } from '../../../server/api/routes/index.ts';
import { systemActor } from '../../../server/auth/system-actor.ts';
import { mediaType, type Endpoint } from '../../../server/contract/endpoint.ts';
import type { ErrorCode } from '../../../server/contract/errors.ts';
import { builtInRoles, isEditing } from '../../../server/contract/permission.ts';
import { ForkLauncher } from '../../../server/supervision/launcher.ts';
import { startService, type Service } from '../../../server/service.ts';
import { goodPassword } from '../../support/accounts.ts';
import { LanClient } from '../../support/lan-client.ts';
import { samplePath } from '../../support/matrix.ts';
import { daemonProgram } from '../../support/programs.ts';
import { withAccounts } from '../../support/service-accounts.ts';

/** Gives the list its routes as they are declared; the service that answers has its own. */
const undeclared: object = new Proxy({}, { get: () => undeclared });
const endpoints: readonly Endpoint[] = allRoutes(undeclared as Services).map((route) => route.endpoint);

const dataDirectory = mkdtempSync(join(tmpdir(), 'orangery-matrix-'));
let service: Service;
let agent: Agent;
/** API key of each role, and those of the administrator that open less or nothing. */
const keys: Record<string, string> = {};
let session = { cookie: '', csrf: '' };

beforeAll(async () => {
  service = await startService({
    dataDirectory,
    httpsPort: 0,
    host: '127.0.0.1',
    daemonPort: 0,
    linger_s: 0,
    tlsNames: [],
    launcher: new ForkLauncher(daemonProgram),
    log: pino({ level: 'silent' }),
    checkAnswers: true,
    limits: { change: 1e9, login: 1e9, stranger: 1e9 },
    outside: { outbound: { resolve: async () => [] } },
  });
  agent = new Agent({ ca: readFileSync(join(dataDirectory, 'tls/ca.crt')), keepAlive: true });
  await addCallers();
}, 60_000);

afterAll(async () => {
  agent.destroy();
  await service.stop();
  rmSync(dataDirectory, { recursive: true, force: true });
}, 20_000);

/** An account of each role with a key, and a session of the administrator, as the service keeps them. */
async function addCallers(): Promise<void> {
  const password = goodPassword;
  await withAccounts(dataDirectory, async (as, db) => {
    for (const role of Object.keys(builtInRoles)) {
      const user = await as.accounts.create({ username: role.toLowerCase(), role, password }, systemActor);
      keys[role] = as.keys.create(user.unique_id, { name: 'test', scope: 'full' }, systemActor).key;
    }
    const admin = as.accounts.find('admin')?.unique_id ?? '';
    keys.readonly = as.keys.create(admin, { name: 'reader', scope: 'readonly' }, systemActor).key;
    const expired = as.keys.create(admin, { name: 'old', scope: 'full' }, systemActor);
    db.prepare('UPDATE api_keys SET expires_at = ? WHERE key_id = ?').run('2020-01-01T00:00:00.000Z', expired.key_id);
    keys.expired = expired.key;
    const revoked = as.keys.create(admin, { name: 'lost', scope: 'full' }, systemActor);
    as.keys.revoke({ userId: admin, keyId: revoked.key_id }, systemActor);
    keys.revoked = revoked.key;
    const former = await as.accounts.create({ username: 'former', role: 'Admin', password }, systemActor);
    keys.disabled = as.keys.create(former.unique_id, { name: 'test', scope: 'full' }, systemActor).key;
    db.prepare('UPDATE users SET is_enabled = 0 WHERE unique_id = ?').run(former.unique_id);
  });
  await logIn();
}

async function logIn(): Promise<void> {
  const client = new LanClient({ url: service.url, dataDirectory });
  const { headers, body } = await client.post('/api/auth/login', { username: 'admin', password: goodPassword });
  client.close();
  const { csrf_token } = z.object({ csrf_token: z.string() }).parse(body);
  session = { cookie: headers['set-cookie']?.[0]?.split(';')[0] ?? '', csrf: csrf_token };
}

interface Caller {
  name: string;
  /** `accept` empty: none is sent. */
  headers: () => Record<string, string>;
  /** The code that an endpoint must refuse this caller with; undefined where it must let him through. */
  refusal: (endpoint: Endpoint) => ErrorCode | undefined;
}

const isModifying = ({ method, changesState }: Endpoint): boolean => method !== 'GET' || changesState === true;

/** Everyone reads of himself what he may not of others, and the sample asks for somebody else. */
const isOfOthers = ({ method, path, access }: Endpoint): boolean =>
  method === 'GET' && access === 'login' && path.includes('/:user_id');

function byKey(name: string, refusal: Caller['refusal']): Caller {
  return { name, headers: () => ({ 'x-api-key': keys[name] ?? '' }), refusal };
}

const unknown: Caller['refusal'] = ({ access }) => (access === 'public' ? undefined : 'authentication_required');

const callers: Caller[] = [
  { name: 'nobody', headers: () => ({}), refusal: unknown },
  byKey('expired', unknown),
  byKey('revoked', unknown),
  byKey('disabled', unknown),
  ...Object.entries(builtInRoles).map(([role, held]) =>
    byKey(role, (endpoint) => {
      const { access } = endpoint;
      const isAllowed = access === 'public' || access === 'login' || held.includes(access);
      return isAllowed && !(isOfOthers(endpoint) && !held.includes('edit_users')) ? undefined : 'forbidden';
    }),
  ),
  byKey('readonly', ({ access, changesState }) =>
    isEditing(access) || changesState === true ? 'readonly_key' : undefined,
  ),
  {
    name: 'session',
    headers: () => ({ cookie: session.cookie, 'x-csrf-token': session.csrf }),
    refusal: () => undefined,
  },
  {
    name: 'no token',
    headers: () => ({ cookie: session.cookie }),
    refusal: (endpoint) => (endpoint.access !== 'public' && isModifying(endpoint) ? 'csrf_failed' : undefined),
  },
  {
    name: 'elsewhere',
    headers: () => ({
      cookie: session.cookie,
      'x-csrf-token': session.csrf,
      origin: 'https://elsewhere.example',
    }),
    refusal: (endpoint) => (isModifying(endpoint) ? 'origin_refused' : undefined),
  },
  {
    name: 'no version',
    headers: () => ({ 'x-api-key': keys.Admin ?? '', accept: '' }),
    refusal: ({ stream, anyVersion }) => (stream === undefined && anyVersion !== true ? 'version_required' : undefined),
  },
  {
    name: 'version 2',
    headers: () => ({ 'x-api-key': keys.Admin ?? '', accept: mediaType.replace('v1', 'v2') }),
    refusal: ({ stream, anyVersion }) =>
      stream === undefined && anyVersion !== true ? 'version_unsupported' : undefined,
  },
];

/**
 * How a call ends that asks outside services where there is no internet, at first and after some failures, or none is
 * set up.
 */
const outsideCodes = ['provider_unreachable', 'provider_paused', 'provider_not_configured'];
/** What a call that is let through may end with: it asks for what is not there, or sends a field that nobody knows. */
const throughs: Record<'GET' | 'other', readonly (string | undefined)[]> = {
  GET: [undefined, 'not_found', 'invalid_field', ...outsideCodes],
  other: ['unknown_field'],
};

/** The code of the answer; undefined for a success. No body is one that could change anything. */
async function ask(endpoint: Endpoint, headers: Record<string, string>): Promise<string | undefined> {
  const { method } = endpoint;
  const body = method === 'GET' ? undefined : '{"no_such_field":1}';
  const described = body !== undefined && { 'content-type': 'application/json', 'content-length': body.length };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = httpsRequest(new URL(samplePath(endpoint), service.url), {
      agent,
      method,
      family: 4,
      headers: withoutEmpty({ accept: mediaType, ...described, ...headers }),
    });
    request.on('response', resolve);
    request.on('error', reject);
    request.end(body);
  });
  if (response.headers['content-type']?.startsWith('text/event-stream')) {
    response.on('error', () => undefined).destroy(); // it would never end
    return undefined;
  }
  return codeOf(await text(response), response.statusCode ?? 0);
}

function withoutEmpty(headers: Record<string, string | number>): Record<string, string | number> {
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''));
}

function codeOf(body: string, status: number): string | undefined {
  if (status < 400) return undefined;
  return z.object({ code: z.string(), status: z.literal(status) }).parse(JSON.parse(body)).code;
}

function askPlain(endpoint: Endpoint): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    socket.write(`${endpoint.method} ${samplePath(endpoint)} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    text(socket).then((answer) => resolve(codeOf(answer.slice(answer.indexOf('\r\n\r\n')), 400)), reject);
  });
}

const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`;

/** How the table shows a refusal. */
const signs: Record<string, string> = {
  authentication_required: '401',
  forbidden: '403',
  readonly_key: 'read',
  csrf_failed: 'csrf',
  origin_refused: 'orig',
  version_required: 'none',
  version_unsupported: 'vers',
  https_required: 'http',
};

function printed(table: ReadonlyMap<string, readonly string[]>): string {
  const row = (name: string, cells: readonly string[]): string =>
    `${name.padEnd(58)}${cells.map((cell) => ` ${(signs[cell] ?? cell).slice(0, 8).padEnd(8)}`).join('')}\n`;
  const head = row('+ is let through', [...callers.map(({ name }) => name), 'plain']);
  return `\n${head}${[...table].map(([name, cells]) => row(name, cells)).join('')}`;
}

describe('every route of the running service', () => {
  const table = new Map<string, string[]>();
  const note = (endpoint: Endpoint, code: string | undefined): void => {
    const through = throughs[endpoint.method === 'GET' ? 'GET' : 'other'].includes(code);
    const cell = through ? '+' : (code ?? 'ok');
    table.set(nameOf(endpoint), [...(table.get(nameOf(endpoint)) ?? []), cell]);
  };

  afterAll(() => process.stdout.write(printed(table)));

  it('is the list that its description gives', async () => {
    const response = await new Promise<IncomingMessage>((resolve) => {
      httpsRequest(new URL('/api/openapi.json', service.url), { agent, family: 4 }, resolve).end();
    });
    const paths = z.record(z.string(), z.record(z.string(), z.looseObject({ 'x-access': z.string() })));
    const described = z.object({ paths }).parse(JSON.parse(await text(response)));
    const given = Object.entries(described.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { 'x-access': access }]) => `${method} ${path} ${access}`),
    );
    const declared = endpoints.map(
      ({ method, path, access }) => `${method.toLowerCase()} ${path.replaceAll(/:(\w+)/g, '{$1}')} ${access}`,
    );
    expect(given.sort()).toEqual(declared.sort());
    expect(declared.length).toBeGreaterThan(40);
  });

  it.each(callers)('answers $name as declared', async ({ headers, refusal }) => {
    const wrong: string[] = [];
    for (const endpoint of endpoints) {
      const code = await ask(endpoint, headers());
      note(endpoint, code);
      const wanted = refusal(endpoint);
      const isRight =
        wanted === undefined ? throughs[endpoint.method === 'GET' ? 'GET' : 'other'].includes(code) : code === wanted;
      if (!isRight) wrong.push(`${nameOf(endpoint)}: ${code ?? 'let through'}, not ${wanted ?? 'let through'}`);
    }
    expect(wrong).toEqual([]);
  });

  it('refuses plain HTTP', async () => {
    const codes = await Promise.all(endpoints.map(askPlain));
    endpoints.forEach((endpoint, index) => note(endpoint, codes[index]));
    expect(new Set(codes)).toEqual(new Set(['https_required']));
  });
});
