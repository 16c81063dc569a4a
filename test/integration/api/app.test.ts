import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mediaType } from '../../../server/contract/endpoint.ts';
import { problem } from '../../../server/contract/errors.ts';
import { startTestApi, type TestApi, type TestApiOptions, testCsrfToken } from '../../support/api.ts';
import { sampleRoutes } from '../../support/sample-routes.ts';

const id = '11111111-1111-4111-8111-11111111111A';
const admin = { key: 'key:Admin' };
let api: TestApi;
let nowMs: number;

async function restart(options: Partial<TestApiOptions> = {}): Promise<void> {
  await api.close();
  api = await startTestApi({ routes: sampleRoutes(), now_ms: () => nowMs, ...options });
}

beforeEach(async () => {
  nowMs = 0;
  api = await startTestApi({ routes: sampleRoutes(), now_ms: () => nowMs });
});

afterEach(() => api.close());

describe('answers', () => {
  it('200 with the media type, a request id, and what keeps a cache honest', async () => {
    const answer = await api.request('GET', '/api/samples', admin);
    expect(answer).toMatchObject({ status: 200, body: { ok: true } });
    expect(answer.headers['content-type']).toBe(mediaType);
    expect(answer.headers['cache-control']).toBe('private, no-cache');
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    const uncached = await api.request('GET', '/api/samples/raw', admin);
    expect(uncached).toMatchObject({ status: 200, text: '{"made": true}' });
    expect(uncached.headers['cache-control']).toBe('no-store');
  });

  it('201 with the headers of a reply', async () => {
    const body = { envelope: { length_m: 2 } };
    const answer = await api.request('POST', '/api/samples', { ...admin, body });
    expect(answer).toMatchObject({ status: 201, body, headers: { location: '/api/samples/1' } });
  });

  it('HEAD as GET without the body, but never where GET changes something', async () => {
    const head = await api.request('HEAD', '/api/samples', admin);
    expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', '11']);
    expect((await api.request('HEAD', '/api/samples/made', admin)).status).toBe(405);
  });

  it('carries security headers, but no HSTS and nothing for other origins', async () => {
    const { headers } = await api.request('GET', '/api/samples', {
      ...admin,
      headers: { origin: 'https://a.example' },
    });
    expect(headers['content-security-policy']).toContain("script-src 'self'");
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['strict-transport-security']).toBeUndefined();
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it('lower-cases identifiers of the path and the query', async () => {
    expect((await api.request('GET', `/api/samples/${id}`, admin)).body).toMatchObject({ sample_id: id.toLowerCase() });
    const typed = await api.request('GET', `/api/samples/typed?owner=${id}`, admin);
    expect(typed.body).toEqual({ owner: id.toLowerCase() });
  });

  it('reads each query text as the type that its field declares', async () => {
    const typed = await api.request('GET', '/api/samples/typed?count=7&ratio=-1.5e2&on=true&ids=a&name=7', admin);
    expect(typed.body).toEqual({ count: 7, ratio: -150, on: true, ids: ['a'], name: '7' });
    const list = await api.request('GET', '/api/samples/typed?ids=a&ids=b', admin);
    expect(list.body).toEqual({ ids: ['a', 'b'] });
  });
});

describe('refusals', () => {
  it('are problem bodies', async () => {
    const answer = await api.request('GET', `/api/samples/0${id.slice(1)}`, admin);
    expect(answer.headers['content-type']).toBe('application/problem+json');
    expect(problem.parse(answer.body)).toMatchObject({
      type: 'about:blank',
      title: 'Not Found',
      status: 404,
      code: 'not_found',
      detail: 'no such sample',
      request_id: answer.headers['x-request-id'],
    });
  });

  it.each([
    ['count=x', 'count', 'invalid_type', 'count must be a number'],
    ['count=1.5', 'count', 'invalid_type', 'count must be a whole number'],
    ['count=0', 'count', 'too_small', 'count must be at least 1'],
    ['count=', 'count', 'invalid_type', 'count must be a number'],
    ['ratio=1&ratio=2', 'ratio', 'invalid_field', 'ratio is given more than once'],
    ['on=yes', 'on', 'invalid_type', 'on must be true or false'],
    ['owner=me', 'owner', 'invalid_format', 'owner must be a UUID'],
  ])('400 for the query %s', async (query, path, code, detail) => {
    const { status, body } = await api.request('GET', `/api/samples/typed?${query}`, admin);
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'invalid_field', detail, errors: [{ path, code }] });
  });

  it('400 unknown_field for an unknown query', async () => {
    const answer = await api.request('GET', '/api/samples?colour=red', admin);
    expect(answer.body).toMatchObject({ code: 'unknown_field', errors: [{ path: 'colour', code: 'unknown_field' }] });
  });

  it.each<[unknown, string, string[]]>([
    [{}, 'invalid_field', ['envelope:required']],
    [undefined, 'invalid_field', ['envelope:required']],
    [{ envelope: { length_m: 0 } }, 'invalid_field', ['envelope.length_m:too_small']],
    [{ envelope: { length_m: '3' } }, 'invalid_field', ['envelope.length_m:invalid_type']],
    [
      { envelope: { length_m: 0, name: 'too long' } },
      'invalid_field',
      ['envelope.length_m:too_small', 'envelope.name:too_big'],
    ],
    [{ envelope: { length_m: 1, extra: 1 } }, 'unknown_field', ['envelope.extra:unknown_field']],
    [{ envelope: { length_m: 0 }, other: 1 }, 'unknown_field', ['envelope.length_m:too_small', 'other:unknown_field']],
    [{ envelope: { length_m: 1 }, tags: [{ id: 1 }, { id: 1.5 }] }, 'invalid_field', ['tags[1].id:invalid_type']],
    ['{"envelope":{"length_m":1,"__proto__":{"admin":true}}}', 'unknown_field', ['envelope.__proto__:unknown_field']],
    ['{"constructor":{"prototype":{}}}', 'unknown_field', ['constructor:unknown_field']],
    [[], 'invalid_field', [':invalid_type']],
    ['null', 'invalid_field', [':invalid_type']],
  ])('400 for the body %j', async (body, code, errors) => {
    const answer = await api.request('POST', '/api/samples', { ...admin, body });
    expect(answer.status).toBe(400);
    const refused = problem.parse(answer.body);
    expect(refused.code).toBe(code);
    expect(refused.errors?.map((one) => `${one.path}:${one.code}`)).toEqual(errors);
  });

  it('names the field and the limit in the detail', async () => {
    const answer = await api.request('POST', '/api/samples', { ...admin, body: { envelope: { length_m: 0 } } });
    expect(answer.body).toMatchObject({ detail: 'envelope.length_m must be greater than 0' });
  });

  it.each([
    ['{"envelope":', 'invalid_json'],
    [Buffer.from([0x22, 0xff, 0x22]), 'invalid_json'],
    ['['.repeat(65) + ']'.repeat(65), 'invalid_json'],
    ['['.repeat(64) + ']'.repeat(64), 'invalid_field'],
  ])('400 for malformed JSON %#', async (body, code) => {
    expect((await api.request('POST', '/api/samples', { ...admin, body })).body).toMatchObject({ code });
  });

  it('404 for an unknown path and a malformed id, 405 with Allow for another method', async () => {
    expect(await api.request('GET', '/api/nothing', admin)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await api.request('GET', '/nothing')).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await api.request('GET', '/api/samples/12', admin)).toMatchObject({ status: 404 });
    expect(await api.request('POST', '/api/samples/12/open', admin)).toMatchObject({ status: 404 });
    expect(await api.request('GET', '/api/samples/%E0%A4%A', admin)).toMatchObject({ status: 404 });
    const other = await api.request('DELETE', '/api/samples', admin);
    expect(other).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } });
    expect(other.headers.allow?.split(', ').sort()).toEqual(['GET', 'HEAD', 'POST']);
  });

  it('401 carries a challenge that opens no dialog, also for unknown paths', async () => {
    for (const path of ['/api/samples', '/api/nothing']) {
      const answer = await api.request('GET', path);
      expect(answer).toMatchObject({ status: 401, headers: { 'www-authenticate': 'ApiKey' } });
    }
  });

  it('413 by the length told and by the length sent', async () => {
    const body = JSON.stringify({ envelope: { length_m: 1 }, pad: 'x'.repeat(5000) });
    expect(await api.request('POST', '/api/samples', { ...admin, body })).toMatchObject({ status: 413 });
    const headers = { 'content-length': null, 'transfer-encoding': 'chunked' };
    const sent = await api.request('POST', '/api/samples', { ...admin, body, headers });
    expect(sent).toMatchObject({ status: 413, body: { code: 'payload_too_large', max_bytes: 4096 } });
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=euc-kr'])(
    '415 for %s',
    async (type) => {
      const sent = { ...admin, body: '{}', headers: { 'content-type': type } };
      expect(await api.request('POST', '/api/samples', sent)).toMatchObject({ status: 415 });
    },
  );

  it.each(['application/json; charset=UTF-8', mediaType])('takes %s', async (type) => {
    const sent = { ...admin, body: { envelope: { length_m: 1 } }, headers: { 'content-type': type } };
    expect(await api.request('POST', '/api/samples', sent)).toMatchObject({ status: 201 });
  });

  it('500 without internals, logged with the stack', async () => {
    const answer = await api.request('GET', '/api/samples/broken', admin);
    expect(answer).toMatchObject({ status: 500, body: { code: 'internal_error' } });
    expect(answer.text).not.toMatch(/hunter2|secret|sample-routes/);
    const logged = api.log.find((line) => line.request_id === answer.headers['x-request-id'] && line.err);
    expect(logged).toMatchObject({ level: 50, err: { stack: expect.stringContaining('sample-routes') as string } });
  });

  it('500 for an answer that breaks its contract, where answers are checked', async () => {
    const wrong = await api.request('GET', '/api/samples/wrong', admin);
    expect(wrong).toMatchObject({ status: 500, body: { code: 'internal_error' } });
    expect(wrong.text).toContain('made');
    expect(await api.request('GET', '/api/samples/undeclared', admin)).toMatchObject({ status: 500 });
    await restart({ checkAnswers: false });
    expect(await api.request('GET', '/api/samples/wrong', admin)).toMatchObject({ status: 200 });
    expect(await api.request('GET', '/api/samples/undeclared', admin)).toMatchObject({ status: 409 });
  });
});

describe('the order of checks', () => {
  const everything = {
    cookie: 'session-Guest',
    body: '{',
    headers: { accept: null, 'content-type': 'text/plain', origin: 'https://a.example' },
  } as const;

  it('answers with the first fault: 429, 401, 404, 405, 400 version, 403, 413, 415, 400 input', async () => {
    const codes: unknown[] = [];
    const ask = async (method: string, path: string, sent: Parameters<TestApi['request']>[2]) => {
      const { body } = await api.request(method, path, sent);
      codes.push(problem.parse(body).code);
    };
    await restart({ limits: { change: 1 } });
    await api.request('POST', '/api/nothing', everything);
    await ask('POST', '/api/nothing', everything);
    await restart();
    const path = '/api/samples?colour=red';
    await ask('POST', path, { ...everything, cookie: 'session-nobody' });
    await ask('POST', '/api/nothing', everything);
    await ask('DELETE', path, everything);
    await ask('POST', path, everything);
    const versioned = { 'content-type': 'text/plain' };
    await ask('POST', path, { ...everything, headers: { ...versioned, origin: 'https://a.example' } });
    await ask('POST', path, { ...everything, headers: versioned });
    await ask('POST', path, { ...everything, headers: versioned, csrf: testCsrfToken });
    const body = '{'.repeat(5000);
    await ask('POST', path, { ...admin, body, headers: versioned });
    await ask('POST', path, { ...admin, body: '{', headers: versioned });
    await ask('POST', path, { ...admin, body: '{' });
    expect(codes).toEqual([
      'rate_limited',
      'authentication_required',
      'not_found',
      'method_not_allowed',
      'version_required',
      'origin_refused',
      'csrf_failed',
      'forbidden',
      'payload_too_large',
      'unsupported_media_type',
      'invalid_json',
    ]);
  });
});
