import { z } from 'zod';
import { defineRoute, RawJson, Reply, type Route, type RouteRequest } from '../../server/api/route.ts';
import { endpoint } from '../../server/contract/endpoint.ts';
import { Refusal } from '../../server/contract/errors.ts';
import { uuid } from '../../server/contract/identifier.ts';
import type { Access } from '../../server/contract/permission.ts';

const base = { tag: 'samples', summary: 'A sample', statuses: [200] } as const;

const measured = z.strictObject({
  envelope: z.strictObject({ length_m: z.number().positive(), name: z.string().max(5).optional() }),
  tags: z.array(z.strictObject({ id: z.int() })).optional(),
});

interface SampleHooks {
  stream?: (signal: AbortSignal) => AsyncIterable<string>;
  streamAccess?: Access;
}

/** Endpoints that exercise each part of the API's core; the test decides what a handler throws or streams. */
export function sampleRoutes(hooks: SampleHooks = {}): Route[] {
  return [
    defineRoute(
      endpoint({
        ...base,
        method: 'GET',
        path: '/api/samples',
        access: 'view_stats',
        answer: z.strictObject({ ok: z.boolean() }),
      }),
      () => new Reply(200, { ok: true }, { ETag: '"one"' }),
    ),
    defineRoute(
      endpoint({
        ...base,
        method: 'GET',
        path: '/api/samples/typed',
        access: 'login',
        query: z.strictObject({
          count: z.int().min(1).optional(),
          ratio: z.number().optional(),
          on: z.boolean().optional(),
          ids: z.array(z.string()).optional(),
          name: z.string().optional(),
          owner: uuid.optional(),
        }),
        answer: z.looseObject({}),
      }),
      ({ query }) => ({ ...query }),
    ),
    defineRoute(
      endpoint({
        ...base,
        method: 'GET',
        path: '/api/samples/:sample_id',
        access: 'login',
        params: z.strictObject({ sample_id: uuid }),
        answer: z.strictObject({ sample_id: z.string(), user: z.string().nullable() }),
        errors: ['not_found'],
      }),
      ({ params, actor }) => {
        if (params.sample_id.startsWith('0')) throw new Refusal('not_found', 'no such sample');
        return { sample_id: params.sample_id, user: actor.username };
      },
    ),
    defineRoute(
      endpoint({
        ...base,
        method: 'POST',
        path: '/api/samples',
        access: 'edit_settings',
        body: measured,
        answer: measured,
        statuses: [201],
        maxBodyBytes: 4096,
      }),
      ({ body }) => new Reply(201, body, { Location: '/api/samples/1' }),
    ),
    defineRoute(
      endpoint({
        ...base,
        method: 'POST',
        path: '/api/samples/:sample_id/open',
        access: 'login',
        params: z.strictObject({ sample_id: uuid }),
        answer: z.strictObject({ sample_id: uuid }),
      }),
      ({ params }) => params,
    ),
    defineRoute(
      endpoint({
        ...base,
        method: 'GET',
        path: '/api/samples/made',
        access: 'edit_settings',
        changesState: true,
        answer: z.strictObject({ made: z.boolean() }),
      }),
      () => ({ made: true }),
    ),
    defineRoute(
      endpoint({
        ...base,
        method: 'POST',
        path: '/api/samples/enter',
        access: 'public',
        body: z.strictObject({ word: z.string() }),
        answer: z.strictObject({ word: z.string(), user: z.string().nullable() }),
      }),
      ({ body, actor }) => ({ word: body.word, user: actor.username }),
    ),
    defineRoute(
      endpoint({
        ...base,
        method: 'GET',
        path: '/api/samples/raw',
        access: 'login',
        answer: z.strictObject({ made: z.boolean() }),
      }),
      () => new RawJson('{"made": true}'),
    ),
    defineRoute(
      endpoint({
        ...base,
        method: 'GET',
        path: '/api/samples/wrong',
        access: 'login',
        answer: z.strictObject({ made: z.boolean() }),
      }),
      () => new RawJson('{"made": 1}'),
    ),
    defineRoute(
      endpoint({ ...base, method: 'GET', path: '/api/samples/broken', access: 'login', answer: z.strictObject({}) }),
      () => {
        throw new Error('password=hunter2 in /home/secret');
      },
    ),
    defineRoute(
      endpoint({
        ...base,
        method: 'GET',
        path: '/api/samples/undeclared',
        access: 'login',
        answer: z.strictObject({}),
      }),
      () => {
        throw new Refusal('in_use', 'used by nobody');
      },
    ),
    defineRoute(
      endpoint({
        ...base,
        method: 'GET',
        path: '/api/samples/stream',
        access: hooks.streamAccess ?? 'login',
        answer: z.string(),
        stream: 'text/event-stream',
      }),
      ({ signal }: RouteRequest<unknown>) => hooks.stream?.(signal) ?? 'data: none\n\n',
    ),
  ];
}
