import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc, { type Arbitrary } from 'fast-check';
import { z } from 'zod';
import { expect, it } from 'vitest';
import { uuid } from '../../../server/contract/identifier.ts';
import { exampleBodies, firstCalls } from '../../support/api-examples.ts';
import { alarmBench, condition } from '../../support/alarm-bench.ts';
import { ApiDescription, type Operation } from '../../support/api-description.ts';
import { checkId, sampleCheck } from '../../support/commissioning-check.ts';
import { SchemaArbitraries } from '../../support/json-schema-arbitrary.ts';
import { KnownIds } from '../../support/known-ids.ts';
import { brokenText, spoilt } from '../../support/spoilt-json.ts';
import { testWholeApi, wholeKey, type WholeApi } from '../../support/whole-api.ts';

const isLong = process.env['TEST_SCALE'] === 'long';
const requests = Number(process.env['TEST_REQUESTS'] ?? (isLong ? 100_000 : 1_000));
const seed = Number(process.env['TEST_SEED'] ?? 20_260_301);
/** What was made is removed so often, or lists would grow until nothing else is measured. */
const roundLength = 500;
const atOnce = 4;

interface Sent {
  path: string;
  body: string | Buffer | undefined;
}

interface Making {
  arbitraries: SchemaArbitraries;
  examples: Record<string, () => object>;
}

/** Makes requests of an operation: half of them as described, half spoilt. */
function requestsOf(operation: Operation, { arbitraries, examples }: Making): Arbitrary<Sent> {
  const place = (where: 'path' | 'query') => {
    const there = operation.parameters.filter((parameter) => parameter.in === where);
    const members = there.map(({ name, schema }) => [name, arbitraries.of(schema, name)]);
    const requiredKeys = there.filter(({ required }) => required).map(({ name }) => name);
    // By the names of the parameters.
    return fc.record(Object.fromEntries(members) as Record<string, Arbitrary<unknown>>, { requiredKeys });
  };
  const junkQuery = fc.dictionary(fc.string({ maxLength: 8 }), fc.string({ maxLength: 20 }), { maxKeys: 2 });
  const query = fc.oneof({ weight: 9, arbitrary: place('query') }, { weight: 1, arbitrary: junkQuery });
  const body = bodyOf(operation, { arbitraries, examples });
  return fc.record({ params: place('path'), query, body }).map((made) => ({
    path:
      operation.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => encoded(made.params[name])) +
      search(made.query),
    body: made.body,
  }));
}

function bodyOf(operation: Operation, { arbitraries, examples }: Making): Arbitrary<string | Buffer | undefined> {
  if (operation.method === 'GET') return fc.constant(undefined);
  const schema = operation.requestBody?.content['application/json']?.schema;
  const described = schema ? arbitraries.of(schema) : fc.constant({});
  const example = examples[nameOf(operation)];
  const fitting = example ? fc.constant(null).map(() => structuredClone(example())) : described;
  return fc.oneof(
    { weight: 5, arbitrary: fitting.map((value) => JSON.stringify(value)) },
    { weight: 5, arbitrary: described.map((value) => JSON.stringify(value)) },
    { weight: 4, arbitrary: spoilt(described) },
    { weight: 4, arbitrary: spoilt(fitting) },
    { weight: 1, arbitrary: brokenText },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes)) },
  );
}

function nameOf({ method, path }: Operation): string {
  return `${method} ${path}`;
}

/** A text without its UTF-16 halves: they cannot be in an address. */
function encoded(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return encodeURIComponent(text.toWellFormed());
}

function search(query: Record<string, unknown>): string {
  const pairs = Object.entries(query).map(([name, value]) => `${encoded(name)}=${encoded(value)}`);
  return pairs.length > 0 ? `?${pairs.join('&')}` : '';
}

/** Everything that requests can make, so that a round begins with what the first began with. */
function clear({ accounts: { db }, userId, log, audit, daemon }: WholeApi): void {
  for (const told of [daemon.commands, daemon.told, daemon.alarms, daemon.checks]) told.length = 0;
  db.pragma('foreign_keys = ON');
  for (const table of [
    'facilities',
    'designs',
    'inputs',
    'outputs',
    'lcds',
    'notes',
    'dashboards',
    'trend_views',
    'jobs',
  ]) {
    db.exec(`DELETE FROM ${table}`);
  }
  db.prepare('DELETE FROM users WHERE unique_id <> ?').run(userId);
  db.exec("DELETE FROM roles WHERE unique_id NOT LIKE 'c0a5f2de-%'");
  log.length = 0;
  audit.length = 0;
}

/** Gives the daemon an alarm, and a check of the house that requests know. */
function giveDaemon({ daemon }: WholeApi, ids: KnownIds): void {
  const { alarms } = alarmBench();
  alarms.raise(condition());
  daemon.alarms.push(...alarms.list());
  daemon.checks.push(sampleCheck(ids.pick('facility_id', 0) ?? ''));
  ids.learn('alarms', daemon.alarms);
  ids.learn('commissioning', { check_id: checkId });
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void; // what the flag makes

function heapMb(): number {
  collect();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

/**
 * Of the second half against the first, without the round that warms up: a leak of 1 KB a request would be 50 MB of
 * 100,000.
 */
function growthMb(heaps: readonly number[]): number {
  const middle = heaps.slice(1);
  const half = Math.floor(middle.length / 2);
  const mean = (list: readonly number[]): number => list.reduce((sum, mb) => sum + mb, 0) / Math.max(1, list.length);
  return mean(middle.slice(half)) - mean(middle.slice(0, half));
}

it(
  `answers ${requests} requests, valid and spoilt, as it is described`,
  async () => {
    const api = await testWholeApi();
    const description = new ApiDescription(api.routes);
    const ids = new KnownIds([api.userId]);
    const pattern = z.toJSONSchema(uuid).pattern ?? '';
    const known = (field: string, die: number) => ids.pick(field, die);
    const arbitraries = new SchemaArbitraries({ components: description.components, known }, pattern);
    // A stream of events has no end.
    const operations = description.operations.filter(({ path }) => path !== '/api/events');
    const examples = exampleBodies((field) => ids.pick(field, 0));
    const made = operations.map((operation) => ({
      operation,
      sent: requestsOf(operation, { arbitraries, examples }),
    }));
    const statuses = new Map<string, Map<number, number>>();
    const faults: string[] = [];
    const heaps: number[] = [];

    const ask = async (index: number): Promise<void> => {
      const one = made[(index * 31 + Math.floor(index / made.length)) % made.length];
      if (one === undefined) return;
      const [sent] = fc.sample(one.sent, { seed: seed + index, numRuns: 1 });
      if (sent === undefined) return;
      const { operation } = one;
      const name = nameOf(operation);
      const answer = await api.request(operation.method, sent.path, {
        key: wholeKey,
        ...(sent.body !== undefined && { body: sent.body }),
      });
      const counts = statuses.get(name) ?? new Map<number, number>();
      statuses.set(name, counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1));
      const isFault = answer.status === 500 || description.fault(operation, answer) !== undefined;
      if (isFault) {
        const why = description.fault(operation, answer) ?? answer.text;
        const body = String(sent.body ?? '').slice(0, 2000);
        faults.push(`#${index} ${operation.method} ${sent.path.slice(0, 300)}\n  ${body}\n  ${why}`);
      }
      if (answer.status < 300) ids.learn(operation.tags[0] ?? '', answer.body);
    };
    const begin = async (): Promise<void> => {
      clear(api);
      ids.clear();
      for (const name of firstCalls) {
        const operation = operations.find((one) => nameOf(one) === name);
        const path = name.split(' ')[1]?.replace('{user_id}', ids.pick('user_id', 0) ?? '') ?? '';
        const answer = await api.request('POST', path, { key: wholeKey, body: examples[name]?.() ?? {} });
        if (answer.status !== 201 && answer.status !== 200) throw new Error(`${name}: ${answer.text}`);
        ids.learn(operation?.tags[0] ?? '', answer.body);
      }
      giveDaemon(api, ids);
    };

    for (let from = 0; from < requests && faults.length < 20; from += roundLength) {
      const until = Math.min(requests, from + roundLength);
      await begin();
      for (let index = from; index < until; index += atOnce) {
        await Promise.all(Array.from({ length: Math.min(atOnce, until - index) }, (_, step) => ask(index + step)));
      }
      await api.services.jobs.stop();
      heaps.push(heapMb());
    }
    if (process.env['TEST_REPORT']) report(statuses, heaps);
    expect(faults).toEqual([]);
    expect(api.faults).toEqual([]);
    if (requests < 10_000) return;
    expect(refusedOnly(statuses)).toEqual([]);
    expect(growthMb(heaps)).toBeLessThan(8);
  },
  isLong ? 3_600_000 : 120_000,
);

/** Calls that no request got through: what they answer was not tested. */
function refusedOnly(statuses: ReadonlyMap<string, ReadonlyMap<number, number>>): string[] {
  return [...statuses]
    .filter(([name, counts]) => !hardToReach.has(name) && ![...counts.keys()].some((status) => status < 300))
    .map(([name, counts]) => `${name}: ${[...counts].map(([status, count]) => `${count} x ${status}`).join(', ')}`);
}

/**
 * What a key cannot do (sessions), what is done once, what needs a code of the moment, or identifiers that belong
 * together.
 */
const hardToReach: ReadonlySet<string> = new Set([
  'POST /api/auth/setup',
  'POST /api/auth/login',
  'POST /api/auth/logout',
  'DELETE /api/auth/sessions/{session_id}',
  'POST /api/auth/totp',
  'POST /api/auth/totp/confirm',
  'POST /api/auth/totp/disable',
  'POST /api/auth/totp/recovery_codes',
  'DELETE /api/settings/users/{user_id}/totp',
  'GET /api/measurements/past',
  'GET /api/measurements/historical',
  'GET /api/measurements/analytics/degree_days',
  'GET /api/measurements/analytics/light_sum',
  'GET /api/measurements/analytics/vpd',
  'GET /api/measurements/analytics/energy',
  'GET /api/measurements/analytics/time_in_state',
  'GET /api/measurements/states',
  'GET /api/measurements/switches',
  'POST /api/measurements/create',
]);

function report(statuses: ReadonlyMap<string, ReadonlyMap<number, number>>, heaps: readonly number[]): void {
  const lines = [...statuses].map(
    ([name, counts]) => `${name}: ${[...counts].map(([status, count]) => `${status} x${count}`).join(' ')}`,
  );
  process.stdout.write(`${lines.join('\n')}\nheap MB ${heaps.map((mb) => mb.toFixed(1)).join(' ')}\n`);
}
