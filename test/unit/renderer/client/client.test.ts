import { describe, expect, it } from 'vitest';
import { authEndpoints } from '../../../../server/contract/auth.ts';
import { designEndpoints } from '../../../../server/contract/design.ts';
import { mediaType } from '../../../../server/contract/endpoint.ts';
import { facilityEndpoints } from '../../../../server/contract/facility-endpoints.ts';
import { overlayEndpoints } from '../../../../server/contract/overlay.ts';
import { safetyEndpoints } from '../../../../server/contract/safety.ts';
import { ApiError } from '../../../../renderer/client/api-error.ts';
import { addressOf, ApiClient } from '../../../../renderer/client/client.ts';
import { lastAnswers } from '../../../../renderer/client/last-answers.ts';

const id = '11111111-1111-4111-8111-111111111111';

function clientAnswering(answer: () => Response | Promise<Response>): { client: ApiClient; sent: Request[] } {
  const sent: Request[] = [];
  const client = new ApiClient(async (input, init) => {
    if (typeof input !== 'string') throw new Error('the client sends paths');
    sent.push(new Request(`https://localhost${input}`, init));
    return answer();
  });
  return { client, sent };
}

function problem(status: number, code: string): Response {
  const body = { type: 'about:blank', title: 'x', status, code, detail: 'what was wrong', request_id: 'r' };
  return new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/problem+json' } });
}

/** A body of which the connection is lost after its beginning. */
function brokenOff(): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (body) => body.enqueue(new TextEncoder().encode('{"rev')),
    pull: (body) => body.error(new TypeError('terminated')),
  });
}

async function caught(promise: Promise<unknown>): Promise<ApiError> {
  const error: unknown = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ApiError)) throw new Error('expected an ApiError');
  return error;
}

describe('addressOf', () => {
  it('fills parameters and leaves absent query values out', () => {
    expect(addressOf({ path: '/api/a/:one/b' }, { params: { one: 'x/y' }, query: { on: true, off: undefined } })).toBe(
      '/api/a/x%2Fy/b?on=true',
    );
    expect(addressOf({ path: '/api/a' }, { query: { one: ['b', 'c,d'] } })).toBe('/api/a?one=b&one=c%2Cd');
  });
});

describe('call', () => {
  it('sends version and CSRF token, and answers the body', async () => {
    const { client, sent } = clientAnswering(() => Response.json({ revision: 4 }));
    client.csrfToken = 'token';
    expect(await client.call(designEndpoints.restore, { params: { map_uuid: id } })).toEqual({ revision: 4 });
    expect(sent[0]?.headers.get('Accept')).toBe(mediaType);
    expect(sent[0]?.headers.get('X-CSRF-Token')).toBe('token');
  });

  it('sends the CSRF token with a GET only where it changes state', async () => {
    const { client, sent } = clientAnswering(() => Response.json({}));
    client.csrfToken = 'token';
    await client.call(designEndpoints.list);
    await client.call(designEndpoints.init);
    expect(sent.map((request) => request.headers.get('X-CSRF-Token'))).toEqual([null, 'token']);
  });

  it('sends bodies as JSON', async () => {
    const { client, sent } = clientAnswering(() => Response.json({}));
    await client.call(overlayEndpoints.delta, { body: { geo_id: id, deleted: [id] } });
    expect(sent[0]?.method).toBe('POST');
    expect(await sent[0]?.json()).toEqual({ geo_id: id, deleted: [id] });
  });

  it('throws the problem with its code', async () => {
    const { client } = clientAnswering(() => problem(409, 'shape_in_use'));
    const error = await caught(client.call(designEndpoints.get, { params: { map_uuid: id } }));
    expect(error).toMatchObject({ code: 'shape_in_use', status: 409, message: 'what was wrong' });
  });

  it.each([
    ['breaks off', (): Response => new Response(brokenOff(), { status: 200 }), 'network'],
    ['is no JSON', (): Response => new Response('<html>', { status: 200 }), 'unexpected'],
  ])('throws when an answer that began %s', async (_how, answer, code) => {
    const { client } = clientAnswering(answer);
    const error = await caught(client.call(designEndpoints.get, { params: { map_uuid: id } }));
    expect(error).toMatchObject({ code, status: code === 'network' ? 0 : 200 });
  });

  it('ends the session when nobody is logged in any more', async () => {
    const { client } = clientAnswering(() => problem(401, 'authentication_required'));
    const ended: string[] = [];
    client.csrfToken = 'token';
    client.sessionEnded = (isCommand) => ended.push(isCommand ? 'command' : 'reading');
    await caught(client.call(designEndpoints.list));
    await caught(client.call(safetyEndpoints.stopAll, { body: {} }));
    expect({ ended, token: client.csrfToken }).toEqual({ ended: ['reading', 'command'], token: null });
  });

  it.each([
    ['no answer', () => Promise.reject(new TypeError('failed')), 'network'],
    ['a page instead of a problem', () => new Response('<html>', { status: 502 }), 'unexpected'],
    ['a code that is not of the list', () => problem(400, 'made_up'), 'unexpected'],
  ])('names %s', async (_name, answer, code) => {
    const { client } = clientAnswering(answer);
    expect((await caught(client.call(designEndpoints.list))).code).toBe(code);
  });

  it('lets an abort through as what it is', async () => {
    const { client } = clientAnswering(() => Promise.reject(new DOMException('stopped', 'AbortError')));
    await expect(client.call(designEndpoints.list, { signal: AbortSignal.abort() })).rejects.toThrow('stopped');
  });
});

describe('the last answers', () => {
  const hourMs = 3_600_000;
  const maps = { designs: [{ name: 'Farm' }] };

  /** As much of the browser's cache as is needed. */
  function cacheStorage(): CacheStorage {
    const caches = new Map<string, Map<string, Response>>();
    const open = (name: string): unknown => {
      const held = caches.get(name) ?? new Map<string, Response>();
      caches.set(name, held);
      return {
        put: async (address: string, answer: Response) => void held.set(address, answer),
        match: async (address: string) => held.get(address)?.clone(),
        delete: async (address: string) => held.delete(address),
      };
    };
    const storage = {
      open: async (name: string) => open(name),
      keys: async () => [...caches.keys()],
      delete: async (name: string) => caches.delete(name),
    };
    return storage as unknown as CacheStorage; // what is used of it
  }

  const told = (address: string): Response =>
    Response.json(address.endsWith('/session') ? { csrf_token: 'secret' } : maps);

  function lossy() {
    let nowMs = 1_000_000;
    let server: (address: string) => Response | Promise<Response> = told;
    const last = lastAnswers(cacheStorage(), () => nowMs);
    const asked: string[] = [];
    const open = (): ApiClient =>
      new ApiClient(async (input) => {
        const address = input as string; // as it asks
        asked.push(address);
        return server(address);
      }, last);
    const pass = (ms: number): number => (nowMs += ms);
    const answer = (next: typeof server): unknown => (server = next);
    const leave = (ms: number): void => {
      pass(ms);
      answer(() => Promise.reject(new TypeError('failed')));
    };
    return { client: open(), open, asked, pass, answer, leave };
  }

  it.each([
    ['no server', () => Promise.reject(new TypeError('failed'))],
    ['a server that starts', () => problem(503, 'starting')],
    ['a proxy without it', () => new Response('<html>', { status: 502 })],
  ])('stand in for %s in a page that was opened then, with when the oldest was heard', async (_name, away) => {
    const { client, open, asked, pass, answer } = lossy();
    await client.call(designEndpoints.list);
    pass(hourMs);
    await client.call(authEndpoints.session);
    await client.call(facilityEndpoints.list);
    answer(away);
    const later = open();
    asked.splice(0);
    await later.call(authEndpoints.session);
    expect({ isRecalled: later.isRecalled.value, at_ms: later.recalledAt_ms.value }).toEqual({
      isRecalled: true,
      at_ms: null,
    });
    await later.call(facilityEndpoints.list);
    expect(await later.call(designEndpoints.list)).toEqual(maps);
    await later.call(facilityEndpoints.list);
    expect(later.recalledAt_ms.value).toBe(1_000_000);
    expect(asked).toEqual([authEndpoints.session.path]);
  });

  it('let nothing be sent, until a probe finds the server and all goes live', async () => {
    const { client, open, answer, leave } = lossy();
    await client.call(authEndpoints.session);
    leave(hourMs);
    const later = open();
    await later.call(authEndpoints.session);
    expect((await caught(later.call(authEndpoints.session, { isProbe: true }))).code).toBe('network');
    answer(told);
    expect((await caught(later.call(designEndpoints.restore, { params: { map_uuid: id } }))).code).toBe('unsent');
    expect((await caught(later.call(designEndpoints.list))).code).toBe('network');
    expect(await later.call(authEndpoints.session, { isProbe: true })).toEqual({ csrf_token: 'secret' });
    later.goLive();
    expect(await later.call(designEndpoints.list)).toEqual(maps);
    expect(later.isRecalled.value).toBe(false);
  });

  it('hold up no emergency stop that the server is there for', async () => {
    const { client, open, asked, answer, leave } = lossy();
    await client.call(authEndpoints.session);
    leave(hourMs);
    const later = open();
    await later.call(authEndpoints.session);
    const stop = () => later.call(safetyEndpoints.stopAll, { body: {} });
    expect((await caught(stop())).code).toBe('unsent');
    asked.splice(0);
    answer(told);
    await stop();
    expect(asked).toEqual([authEndpoints.session.path, safetyEndpoints.stopAll.path]);
    expect(later.csrfToken).toBe('secret');
  });

  it('stand in for nothing in a page whose session began live', async () => {
    const { client, leave } = lossy();
    await client.call(designEndpoints.list);
    client.goLive();
    leave(hourMs);
    expect((await caught(client.call(designEndpoints.list))).code).toBe('network');
  });

  it('are dropped when they are gone, and not kept when they come after they were forgotten', async () => {
    const { client, open, answer, leave } = lossy();
    await client.call(designEndpoints.list);
    answer(() => problem(404, 'not_found'));
    await caught(client.call(designEndpoints.list));
    const late = Promise.withResolvers<Response>();
    answer(() => late.promise);
    const asked = client.call(facilityEndpoints.list);
    await client.forget();
    late.resolve(Response.json({ facilities: [] }));
    await asked;
    leave(hourMs);
    expect((await caught(open().call(designEndpoints.list))).code).toBe('network');
    expect((await caught(open().call(facilityEndpoints.list))).code).toBe('network');
  });

  it('stand in for no command, for nothing that was not heard, and not for ever', async () => {
    const { client, leave } = lossy();
    await client.call(designEndpoints.list);
    leave(8 * 24 * hourMs);
    const calls = [
      client.call(designEndpoints.list),
      client.call(designEndpoints.list, { query: { trash: true } }),
      client.call(designEndpoints.restore, { params: { map_uuid: id } }),
    ];
    for (const call of calls) expect((await caught(call)).code).toBe('network');
  });

  it('hold no token, and are forgotten', async () => {
    const { client, leave } = lossy();
    await client.call(authEndpoints.session);
    leave(hourMs);
    expect(await client.call(authEndpoints.session)).toEqual({ csrf_token: null });
    await client.forget();
    expect((await caught(client.call(authEndpoints.session))).code).toBe('network');
  });
});
