import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { describe, expect, it } from 'vitest';
import type { Endpoint } from '../../../server/contract/endpoint.ts';
import { ApiDescription } from '../../support/api-description.ts';
import type { TestAnswer } from '../../support/api.ts';
import { contractEndpoints } from '../../support/contract-endpoints.ts';
import { askedOf, rows, type Row } from '../../support/contract-walk.ts';
import { World, type Asked } from '../../support/contract-world.ts';
import { testWholeApi, wholeKey } from '../../support/whole-api.ts';

const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`;
type Fields = { properties?: object; required?: string[] };
const known = new Map<z.ZodType, Fields>();
const fieldsOf = (schema: z.ZodType | undefined): Fields => {
  if (schema === undefined) return {};
  const fields = known.get(schema) ?? z.toJSONSchema(schema, { io: 'input' });
  known.set(schema, fields);
  return fields;
};
const has = (schema: z.ZodType | undefined, field: string): boolean => field in (fieldsOf(schema).properties ?? {});
const codeOf = ({ status, body }: TestAnswer): string =>
  `${status} ${(body as { code?: string } | undefined)?.code ?? ''}`;

interface Step {
  world: World;
  endpoint: Endpoint;
  row: Row;
  asked: Asked;
}

/** What every call is asked beside its row, by what it declares. Each answers what is wrong, undefined for nothing. */
const rules: Record<string, (step: Step) => Promise<string | undefined>> = {
  'names a field of the body that nobody declared': async ({ world, endpoint, asked }) => {
    if (endpoint.method === 'GET') return undefined;
    const body = { ...(asked.body as object | undefined), nobody_declared: 1 };
    return unless(await world.ask(endpoint, { ...asked, body }), '400 unknown_field');
  },
  'names a field of the query that nobody declared': async ({ world, endpoint, asked }) => {
    const query = { ...asked.query, nobody_declared: '1' };
    return unless(await world.ask(endpoint, { ...asked, query }), '400 unknown_field');
  },
  'misses each required field of the body': async ({ world, endpoint, asked }) => {
    for (const field of fieldsOf(endpoint.body).required ?? []) {
      const { [field]: _, ...body } = asked.body as Record<string, unknown>; // an object, as all bodies
      const answer = await world.ask(endpoint, { ...asked, body });
      const errors = (answer.body as { errors?: { path: string; code: string }[] }).errors ?? []; // a problem body
      if (!errors.some(({ path, code }) => path === field && code === 'required')) return `${field}: ${answer.text}`;
    }
    return undefined;
  },
  'does not know an id of the path': async ({ world, endpoint, asked }) => {
    const ids = Object.keys(asked.params).filter((name) => name !== 'revision');
    for (const name of ids) {
      for (const id of [randomUUID(), 'no-id']) {
        const params = { ...asked.params, [name]: id };
        const fault = unless(await world.ask(endpoint, { ...asked, params }), '404 not_found');
        if (fault !== undefined) return `${name} ${id}: ${fault}`;
      }
    }
    return undefined;
  },
  'does not know the geo_id': async ({ world, endpoint, asked }) => {
    if (has(endpoint.query, 'geo_id')) {
      const query = { ...asked.query, geo_id: randomUUID() };
      return unless(await world.ask(endpoint, { ...asked, query }), '404 not_found');
    }
    if (!fieldsOf(endpoint.body).required?.includes('geo_id')) return undefined;
    const body = { ...(asked.body as object), geo_id: randomUUID() };
    return unless(await world.ask(endpoint, { ...asked, body }), '404 not_found');
  },
  'needs the version': async ({ world, endpoint, asked }) => {
    if (endpoint.stream !== undefined || endpoint.anyVersion === true) return undefined;
    const headers = { accept: null };
    return unless(await world.ask(endpoint, asked, { headers }), '400 version_required');
  },
  'pages to the same list': async ({ world, endpoint, asked }) => {
    if (!has(endpoint.query, 'cursor') || !has(endpoint.query, 'limit')) return undefined;
    const bad = await world.ask(endpoint, { ...asked, query: { ...asked.query, cursor: 'nobody gave this' } });
    if (bad.status !== 400) return `a foreign cursor: ${bad.text}`;
    const whole = itemsOf(await world.ask(endpoint, { ...asked, query: { ...asked.query, limit: '1000' } }));
    const paged: unknown[] = [];
    let cursor: string | null = null;
    do {
      const query = { ...asked.query, limit: '2', ...(cursor !== null && { cursor }) };
      const answer = await world.ask(endpoint, { ...asked, query });
      paged.push(...itemsOf(answer));
      cursor = (answer.body as { next_cursor: string | null }).next_cursor; // as it declares
    } while (cursor !== null && paged.length <= whole.length);
    return JSON.stringify(paged) === JSON.stringify(whole) ? undefined : `${paged.length} of ${whole.length} entries`;
  },
};

function itemsOf({ body }: TestAnswer): unknown[] {
  const lists = Object.entries(body as Record<string, unknown>).filter(([name]) => name !== 'delivered'); // a list answers an object
  return lists.flatMap(([, value]) => (Array.isArray(value) ? (value as unknown[]) : []));
}

function unless(answer: TestAnswer, expected: string): string | undefined {
  return codeOf(answer) === expected
    ? undefined
    : `${codeOf(answer)} instead of ${expected}: ${answer.text.slice(0, 200)}`;
}

/** The row itself: its answer is the one that is described, with its headers, and leads on. */
async function succeed({ world, endpoint, row, asked }: Step, description: ApiDescription): Promise<void> {
  const isEndless = endpoint.stream === 'text/event-stream';
  const answer = await world.ask(isEndless ? { ...endpoint, method: 'HEAD' as never } : endpoint, asked);
  const operation = description.operations.find(
    ({ method, path }) => method === endpoint.method && path === endpoint.path.replaceAll(/:(\w+)/g, '{$1}'),
  );
  if (operation === undefined) throw new Error('it is not described');
  if (row.refused !== undefined) return void expect(answer.body).toMatchObject({ code: row.refused });
  expect([answer.status, answer.status === (row.status ?? endpoint.statuses[0]) ? '' : answer.text]).toEqual([
    row.status ?? endpoint.statuses[0],
    '',
  ]);
  expect(description.fault(operation, answer)).toBeUndefined();
  if (row.shows !== undefined && row.shows !== null) expect(answer.body).toMatchObject(row.shows);
  const described = operation.responses[answer.status]?.headers ?? {};
  expect(answer.headers['x-request-id']).toBeDefined();
  expect('Location' in described).toBe(answer.headers.location !== undefined);
  expect('Content-Disposition' in described).toBe(answer.headers['content-disposition'] !== undefined);
  expect('ETag' in described).toBe(answer.headers.etag !== undefined);
  if (answer.headers.location !== undefined) {
    expect(await world.api.request('GET', answer.headers.location, { key: wholeKey })).toMatchObject({ status: 200 });
  }
  if (answer.headers.etag !== undefined) {
    const headers = { 'if-none-match': answer.headers.etag };
    expect(await world.ask(endpoint, asked, { headers })).toMatchObject({ status: 304, text: '' });
  }
}

describe('the contract', () => {
  it('has a row for every documented call, and no other', () => {
    expect(Object.keys(rows).sort()).toEqual(contractEndpoints.map(nameOf).sort());
  });

  const tags = [...new Set(contractEndpoints.map(({ tag }) => tag))];
  /** Of the routes, which are the same in every world. */
  let described: ApiDescription | undefined;
  it.each(tags)('is kept by %s', async (tag) => {
    const world = new World(await testWholeApi());
    const description = (described ??= new ApiDescription(world.api.routes));
    const faults: string[] = [];
    for (const endpoint of contractEndpoints.filter((one) => one.tag === tag)) {
      const row = rows[nameOf(endpoint)] ?? {};
      // One for all rules: what they ask is refused or only read, and leaves everything as it is.
      const asked = await askedOf(world, endpoint, row);
      for (const [rule, judge] of Object.entries(rules)) {
        const fault = await judge({ world, endpoint, row, asked });
        if (fault !== undefined) faults.push(`${nameOf(endpoint)} ${rule}: ${fault}`);
      }
      const step = { world, endpoint, row, asked: await askedOf(world, endpoint, row) };
      await succeed(step, description).catch((error: unknown) => {
        faults.push(`${nameOf(endpoint)}: ${error instanceof Error ? error.message : String(error)}`);
      });
    }
    expect(faults).toEqual([]);
    expect(world.api.faults).toEqual([]);
  });
});
