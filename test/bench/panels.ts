import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'undici';
import type { ServiceClient } from '../support/service-client.ts';
import { percentile } from './figure.ts';

const panels = 50;
const durationMs = 10_000;
/** Then all 50 have made their connections. */
const beginningMs = 2_000;

export interface Waits {
  p50_ms: number;
  p99_ms: number;
}

/**
 * GET runtime as 50 panels ask for it: each on a TLS connection of its own, so many times a second on a grid of its
 * own, and never all at the same instant. A request that its panel could not send in time counts from when it was due.
 */
export async function askAsPanels(client: ServiceClient, facilityId: string, perSecond: number): Promise<Waits> {
  const waits = await Promise.all(
    Array.from({ length: panels }, (_, index) =>
      askAgainAndAgain(client, `/api/geo/facility/${facilityId}/runtime`, {
        periodMs: 1000 / perSecond,
        phase: index / panels,
      }),
    ),
  );
  return { p50_ms: percentile(waits.flat(), 50), p99_ms: percentile(waits.flat(), 99) };
}

async function askAgainAndAgain(
  { url, key, ca }: ServiceClient,
  path: string,
  { periodMs, phase }: { periodMs: number; phase: number },
): Promise<number[]> {
  const connection = new Client(url, { connect: { ca } });
  const headers = { accept: 'application/vnd.orangery.v1+json', 'x-api-key': key };
  const begin = performance.now() + periodMs * phase;
  const waits: number[] = [];
  for (let due = begin; due < begin + beginningMs + durationMs; due += periodMs) {
    await delay(Math.max(0, due - performance.now()));
    const answer = await connection.request({ method: 'GET', path, headers });
    await answer.body.dump();
    if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}`);
    if (due >= begin + beginningMs) waits.push(performance.now() - due);
  }
  await connection.close();
  return waits;
}
