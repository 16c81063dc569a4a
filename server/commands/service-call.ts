import { existsSync, readFileSync } from 'node:fs';
import { Agent, request, type RequestOptions } from 'node:https';
import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { mediaType } from '../contract/endpoint.ts';
import { messageOf } from '../contract/message-of.ts';

export interface Service {
  /** The data directory, whose authority is trusted. */
  directory: string;
  /** The address it listens on; undefined for several. */
  host: string | undefined;
  port: number;
  /** API key. */
  key: string;
}

/** The service of this machine cannot be reached. */
class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
  readonly code = 'unreachable';
}

const timeoutMs = 120_000;
const allAddresses = ['0.0.0.0', '::'];
const refusal = z.looseObject({ code: z.string(), detail: z.string().optional() });

interface Call {
  method: string;
  /** With its query. */
  path: string;
  /** JSON. */
  body?: string;
}

/** Calls the running service of this machine. Throws UnreachableError, or the service's refusal. */
export async function ask({ directory, host, port, key }: Service, { method, path, body }: Call): Promise<unknown> {
  const caFile = join(directory, 'tls', 'ca.crt');
  if (!existsSync(caFile)) throw new UnreachableError(`there is no ${caFile} yet: start the service first`);
  const agent = new Agent({ ca: readFileSync(caFile) });
  const headers = {
    accept: mediaType,
    'x-api-key': key,
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
  const origin = `https://${nameOf(host)}:${port}`;
  const address = new URL(path, origin);
  try {
    const { status, said } = await send(address, { agent, method, headers }, body);
    const answer = jsonOf(said);
    if (status === 200 && answer !== undefined) return answer;
    const { success, data } = refusal.safeParse(answer);
    if (!success) throw new Error(`${origin} answered ${status}, and not as this program does: what listens there?`);
    throw Object.assign(new Error(`the service refused it (${data.code}): ${data.detail ?? ''}`), { code: data.code });
  } finally {
    agent.destroy();
  }
}

function nameOf(host: string | undefined): string {
  if (host === undefined || allAddresses.includes(host)) return 'localhost';
  return isIPv6(host) ? `[${host}]` : host;
}

/**
 * Rejects with UnreachableError while nothing was sent; after that the service may have acted, whatever became of the
 * connection.
 */
async function send(
  address: URL,
  options: RequestOptions,
  body: string | undefined,
): Promise<{ status: number; said: string }> {
  let isConnected = false;
  try {
    return await new Promise((resolve, reject) => {
      const asked = request(address, { ...options, signal: AbortSignal.timeout(timeoutMs) }, (response) => {
        text(response).then((said) => resolve({ status: response.statusCode ?? 0, said }), reject);
      });
      asked.on('socket', (socket) => socket.once('secureConnect', () => (isConnected = true)));
      asked.on('error', reject);
      asked.end(body);
    });
  } catch (cause) {
    if (!isConnected) throw new UnreachableError(`${address.origin}: ${messageOf(cause)}`, { cause });
    const outcome =
      body === undefined ? '' : ': what was sent may have been taken in part, look before you send it again';
    throw new Error(`${address.origin} gave no answer within ${timeoutMs / 1_000} s or broke off${outcome}`, { cause });
  }
}

function jsonOf(said: string): unknown {
  try {
    return JSON.parse(said);
  } catch {
    return undefined;
  }
}
