import { z } from 'zod';
import { describe, expect, it } from 'vitest';
import type { Route } from '../../../server/api/route.ts';
import { requireCall, RouteTable } from '../../../server/api/route-table.ts';
import type { Endpoint, Method } from '../../../server/contract/endpoint.ts';

function route(method: Method, path: string, extra: Partial<Endpoint> = {}): Route {
  const endpoint = {
    method,
    path,
    tag: 't',
    summary: 's',
    access: 'login',
    answer: z.any(),
    statuses: [200],
    ...extra,
  } as const;
  return { endpoint, handle: () => undefined };
}

describe('RouteTable', () => {
  const table = new RouteTable([
    route('GET', '/api/things/:id'),
    route('DELETE', '/api/things/:id'),
    route('GET', '/api/things/list'),
    route('GET', '/api/things/make', { changesState: true }),
    route('POST', '/api/enter', { access: 'public' }),
    route('GET', '/api/things/:id/parts/:part'),
  ]);

  it.each([
    ['GET', '/api/things/7', '/api/things/:id', { id: '7' }],
    ['HEAD', '/api/things/7', '/api/things/:id', { id: '7' }],
    ['GET', '/api/things/list', '/api/things/list', {}],
    ['GET', '/api/things/a%2Fb/parts/%C3%A9', '/api/things/:id/parts/:part', { id: 'a/b', part: 'é' }],
  ])('%s %s finds %s', (method, path, expected, params) => {
    const found = table.find(method, path);
    expect(found.call?.endpoint.path).toBe(expected);
    expect(found.params).toEqual(params);
  });

  it.each([
    ['GET', '/api/things', 'not_found', undefined],
    ['GET', '/api/things/', 'not_found', undefined],
    ['GET', '/api/THINGS/7', 'not_found', undefined],
    ['GET', '/api/things/7/', 'not_found', undefined],
    ['POST', '/api/things/7', 'method_not_allowed', 'GET, HEAD, DELETE'],
    ['DELETE', '/api/things/list', 'method_not_allowed', 'GET, HEAD'],
    ['HEAD', '/api/things/make', 'method_not_allowed', 'GET'],
    ['OPTIONS', '/api/enter', 'method_not_allowed', 'POST'],
  ])('%s %s is %s', (method, path, code, allow) => {
    const headers = allow === undefined ? {} : { Allow: allow };
    expect(() => requireCall(table.find(method, path))).toThrow(expect.objectContaining({ code, headers }));
  });

  it('knows what anyone may call', () => {
    expect(table.find('POST', '/api/enter').isPublic).toBe(true);
    expect(table.find('GET', '/api/enter').isPublic).toBe(true);
    expect(table.find('GET', '/api/things/7').isPublic).toBe(false);
    expect(table.find('GET', '/api/nothing').isPublic).toBe(false);
  });

  it('refuses two routes for one call', () => {
    expect(() => new RouteTable([route('GET', '/api/a'), route('GET', '/api/a')])).toThrow('two routes for GET /api/a');
  });
});
