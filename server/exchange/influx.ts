import { z } from 'zod';
import { messageOf } from '../contract/message-of.ts';
import type { Outbound } from '../outbound/outbound.ts';
import type { MycodoSeries } from './mycodo-series.ts';

/** A source of samples: InfluxDB 1.x, or 2.x by its interface of 1.x (`/query`, InfluxQL). */
export interface InfluxSource {
  /** Of the server: http://pi:8086 */
  url: string;
  database: string;
  /** The header of that name; absent when none is required. */
  authorization?: string;
  outbound: Pick<Outbound, 'fetch'>;
}

export interface InfluxSample {
  time_ms: number;
  value: number;
}

const pageSize = 5_000;
const mostPageBytes = 2_000_000;
const pageMs = 60_000;

const answer = z.object({
  error: z.string().optional(),
  results: z
    .array(
      z.object({
        error: z.string().optional(),
        series: z
          .array(z.object({ values: z.array(z.tuple([z.number(), z.number().nullable()])).max(pageSize) }))
          .max(1)
          .optional(),
      }),
    )
    .optional(),
});

/** Samples of a series, oldest first, a page at a time. The first of several within a millisecond. Throws its error. */
export async function* influxSamples(source: InfluxSource, series: MycodoSeries): AsyncGenerator<InfluxSample[]> {
  for (let fromMs = 0; ;) {
    const page = await pageOf(source, questionOf(series, fromMs));
    yield page.flatMap(([time_ms, value]) => (value === null ? [] : [{ time_ms, value }]));
    const [last_ms] = page.at(-1) ?? [];
    if (last_ms === undefined || page.length < pageSize) return;
    fromMs = last_ms + 1;
  }
}

/** InfluxQL; the ids are UUIDs. */
function questionOf({ device_id, channel, unit }: MycodoSeries, fromMs: number): string {
  const named = `"${unit.replaceAll(/[\\"]/g, '\\$&')}"`;
  const where = `"device_id" = '${device_id}' AND "channel" = '${channel}' AND time >= ${fromMs}ms`;
  return `SELECT "value" FROM ${named} WHERE ${where} ORDER BY time LIMIT ${pageSize}`;
}

async function pageOf(
  { url, database, authorization, outbound }: InfluxSource,
  question: string,
): Promise<[time_ms: number, value: number | null][]> {
  const address = new URL('query', url.endsWith('/') ? url : `${url}/`);
  address.search = new URLSearchParams({ db: database, epoch: 'ms', q: question }).toString();
  const { status, body } = await outbound
    .fetch(address.href, {
      policy: 'lan',
      redirects: 'none',
      timeoutMs: pageMs,
      maxBytes: mostPageBytes,
      headers: { accept: 'application/json', ...(authorization !== undefined && { authorization }) },
    })
    .catch((cause: unknown) => {
      throw new Error(`InfluxDB at ${address.host}: ${messageOf(cause)}`, { cause });
    });
  const read = answer.safeParse(jsonOf(body));
  const fault = read.data?.error ?? read.data?.results?.find(({ error }) => error !== undefined)?.error;
  if (status !== 200 || fault !== undefined) throw new Error(`InfluxDB answered ${status}${fault ? `: ${fault}` : ''}`);
  if (!read.success) throw new Error(`${address.host} answers, but not as InfluxDB does`);
  return read.data.results?.[0]?.series?.[0]?.values ?? [];
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
}
