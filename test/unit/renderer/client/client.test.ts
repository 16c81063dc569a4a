import { describe, expect, it } from 'vitest';
import { authEndpoints } from '../../../../server/contract/auth.ts';
import { designEndpoints } from '../../../../server/contract/design.ts';
import { mediaType } from '../../../../server/contract/endpoint.ts';
import { overlayEndpoints } from '../../../../server/contract/overlay.ts';
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

  it('ends the session when nobody is logged in any more', async () => {
    const { client } = clientAnswering(() => problem(401, 'authentication_required'));
    let ended = 0;
    client.csrfToken = 'token';
    client.sessionEnded = () => (ended += 1);
    await caught(client.call(designEndpoints.list));
    expect({ ended, token: client.csrfToken }).toEqual({ ended: 1, token: null });
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
  const hour_ms = 3_600_000;
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
      };
    };
    const storage = { open: async (name: string) => open(name), delete: async (name: string) => caches.delete(name) };
    return storage as unknown as CacheStorage; // what is used of it
  }

  function lossy() {
    let [isThere, now_ms] = [true, 1_000_000];
    const asked: string[] = [];
    const last = lastAnswers(cacheStorage(), () => now_ms);
    const client = new ApiClient(async (input) => {
      if (!isThere) throw new TypeError('failed');
      asked.push(String(input));
      return Response.json(String(input).endsWith('/session') ? { csrf_token: 'secret' } : maps);
    }, last);
    return { client, leave: (ms: number) => ([isThere, now_ms] = [false, now_ms + ms]), come: () => (isThere = true) };
  }

  it('stand in while the server is away, with when they were heard', async () => {
    const { client, leave, come } = lossy();
    await client.call(designEndpoints.list);
    leave(hour_ms);
    expect(await client.call(designEndpoints.list)).toEqual(maps);
    expect(client.recalledAt_ms.value).toBe(1_000_000);
    come();
    await client.call(designEndpoints.list);
    expect(client.recalledAt_ms.value).toBeNull();
  });

  it('stand in for no command, for nothing that was not heard, and not for ever', async () => {
    const { client, leave } = lossy();
    await client.call(designEndpoints.list);
    leave(8 * 24 * hour_ms);
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
    leave(hour_ms);
    expect(await client.call(authEndpoints.session)).toEqual({ csrf_token: null });
    await client.forget();
    expect((await caught(client.call(authEndpoints.session))).code).toBe('network');
  });
});
