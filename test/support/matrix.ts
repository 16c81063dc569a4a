import { connect } from 'node:net';
import { z } from 'zod';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Route } from '../../server/api/route.ts';
import type { Endpoint } from '../../server/contract/endpoint.ts';
import { builtInRoles, isEditing, permissions } from '../../server/contract/permission.ts';
import { startTestApi, type TestApi, type TestRequest, testCsrfToken } from './api.ts';

const sampleId = '11111111-1111-4111-8111-111111111111';
const allAccesses: readonly unknown[] = ['public', 'login', ...permissions];

/** Faults of a route's declaration, e.g. one without access: such a route must never be served. */
export function declarationFaults({ endpoint }: Route): string[] {
  const faults = [];
  if (!allAccesses.includes(endpoint.access)) faults.push(`access is ${String(endpoint.access)}`);
  if (!endpoint.path.startsWith('/api/')) faults.push('the path does not begin with /api/');
  if (endpoint.statuses.length === 0) faults.push('no status is declared');
  const named = [...endpoint.path.matchAll(/:(\w+)/g)].map((match) => match[1]).sort();
  const declared = Object.keys(
    endpoint.params ? (z.toJSONSchema(endpoint.params, { io: 'input' }).properties ?? {}) : {},
  );
  if (named.join() !== declared.sort().join()) faults.push(`params has ${declared.join()}, the path ${named.join()}`);
  return faults;
}

/** Declares the refusal tests of every route. They use a real listener, so that nothing in between is left out. */
export function describeMatrix(routes: readonly Route[]): void {
  let api: TestApi;
  beforeAll(async () => {
    // Handlers would need their service, but a refusal comes before them.
    const refusing = routes.map((route) => ({ ...route, handle: () => Promise.reject(new Error('not refused')) }));
    const limits = { change: 1e9, login: 1e9, stranger: 1e9 };
    api = await startTestApi({ routes: refusing, checkAnswers: false, limits });
  });
  afterAll(() => api.close());
  for (const route of routes) {
    const { endpoint } = route;
    const path = samplePath(endpoint);
    const ask = async (sent: TestRequest) => codeOf((await api.request(endpoint.method, path, sent)).body);
    describe(`${endpoint.method} ${endpoint.path}`, () => {
      it('declares itself whole', () => expect(declarationFaults(route)).toEqual([]));
      describeIdentity(endpoint, ask);
      describeRoles(endpoint, ask);
      describeForgery(endpoint, ask);
      describeInput(endpoint, ask);
      it('plain HTTP: https_required', async () => {
        expect(await askPlain(api.port, `${endpoint.method} ${path}`)).toBe('https_required');
      });
    });
  }
}

type Ask = (sent: TestRequest) => Promise<string | undefined>;

function describeIdentity(endpoint: Endpoint, ask: Ask): void {
  if (endpoint.access === 'public') {
    it('a wrong key on a public endpoint is ignored', async () => {
      expect(await ask({ key: 'nobody:knows' })).not.toBe('authentication_required');
    });
    return;
  }
  it.each([
    ['nothing', {}],
    ['a wrong key', { key: 'nobody:knows' }],
    ['a wrong cookie', { cookie: 'session-nobody', csrf: testCsrfToken }],
  ])('by %s: authentication_required', async (_name, sent) => {
    expect(await ask(sent)).toBe('authentication_required');
  });
}

function describeRoles(endpoint: Endpoint, ask: Ask): void {
  const { access } = endpoint;
  if (access === 'public') return;
  for (const [role, held] of Object.entries(builtInRoles)) {
    const may = access === 'login' || held.includes(access);
    it(`the role ${role} ${may ? 'may' : 'may not'}`, async () => {
      const code = await ask({ key: `key:${role}` });
      if (may) expect(code).not.toBe('forbidden');
      else expect(code).toBe('forbidden');
    });
  }
  const isRefused = isEditing(access) || endpoint.changesState === true;
  it(`a readonly key ${isRefused ? 'may not' : 'may'}`, async () => {
    const code = await ask({ key: 'readonly:Admin' });
    if (isRefused) expect(code).toBe('readonly_key');
    else expect(code).not.toBe('readonly_key');
  });
}

function describeForgery(endpoint: Endpoint, ask: Ask): void {
  const isModifying = endpoint.method !== 'GET' || endpoint.changesState === true;
  if (!isModifying) return;
  it('another site: origin_refused', async () => {
    const headers = { origin: 'https://elsewhere.example' };
    expect(await ask({ cookie: 'session-Admin', csrf: testCsrfToken, headers })).toBe('origin_refused');
  });
  if (endpoint.access === 'public') return;
  it('by cookie without the token: csrf_failed', async () => {
    expect(await ask({ cookie: 'session-Admin' })).toBe('csrf_failed');
    expect(await ask({ cookie: 'session-Admin', csrf: 'another' })).toBe('csrf_failed');
  });
  it('by cookie with the token, or by key: neither is asked', async () => {
    const codes = [await ask({ cookie: 'session-Admin', csrf: testCsrfToken }), await ask({ key: 'key:Admin' })];
    expect(codes).not.toContain('csrf_failed');
    expect(codes).not.toContain('origin_refused');
  });
}

function describeInput(endpoint: Endpoint, ask: Ask): void {
  if (endpoint.stream === undefined && endpoint.anyVersion !== true) {
    it('without a version: version_required; with another: version_unsupported', async () => {
      expect(await ask({ key: 'key:Admin', headers: { accept: null } })).toBe('version_required');
      expect(await ask({ key: 'key:Admin', headers: { accept: '*/*' } })).toBe('version_unsupported');
    });
  }
  if (endpoint.method !== 'GET') {
    it('an unknown field of the body: unknown_field', async () => {
      expect(await ask({ key: 'key:Admin', body: { no_such_field: 1 } })).toBe('unknown_field');
    });
    it('a body that is not JSON: invalid_json, unsupported_media_type', async () => {
      expect(await ask({ key: 'key:Admin', body: '{' })).toBe('invalid_json');
      const headers = { 'content-type': 'text/plain' };
      expect(await ask({ key: 'key:Admin', body: '{}', headers })).toBe('unsupported_media_type');
      const packed = { 'content-encoding': 'gzip' };
      expect(await ask({ key: 'key:Admin', body: '{}', headers: packed })).toBe('unsupported_media_type');
    });
    it('a body above the limit: payload_too_large', async () => {
      const headers = { 'content-length': String((endpoint.maxBodyBytes ?? 1024 * 1024) + 1) };
      expect(await ask({ key: 'key:Admin', body: '{}', headers })).toBe('payload_too_large');
    });
  }
}

/** A path that the endpoint matches: identifiers are valid, other parameters take their first valid value. */
export function samplePath(endpoint: Endpoint): string {
  return endpoint.path.replaceAll(/:(\w+)/g, (_whole, name: string) => sampleParameter(endpoint, name));
}

function sampleParameter(endpoint: Endpoint, name: string): string {
  const field = endpoint.params && z.toJSONSchema(endpoint.params, { io: 'input' }).properties?.[name];
  if (typeof field !== 'object') return sampleId;
  const [listed] = field.enum ?? [];
  if (typeof listed === 'string') return listed;
  if (field.type === 'integer' || field.type === 'number') return '1';
  const pattern = new RegExp(field.pattern ?? '');
  return [sampleId, 'sample.csv', 'orangery-20261123t030000z-hand'].find((one) => pattern.test(one)) ?? sampleId;
}

function codeOf(body: unknown): string | undefined {
  return z.looseObject({ code: z.string() }).safeParse(body).data?.code;
}

async function askPlain(port: number, call: string): Promise<string | undefined> {
  const text = await new Promise<string>((resolve, reject) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(`${call} HTTP/1.1\r\nHost: localhost\r\n\r\n`));
    socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
    socket.on('end', () => {
      socket.destroy();
      resolve(received);
    });
    socket.on('error', reject);
  });
  return codeOf(JSON.parse(text.slice(text.indexOf('\r\n\r\n'))));
}
