import { existsSync, readFileSync, statSync } from 'node:fs';
import { Agent, request, type RequestOptions } from 'node:https';
import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { deviceFile, deviceFileEndpoints, deviceFileReport, mostDeviceFileBytes } from '../contract/device-file.ts';
import type { DeviceFile, DeviceFileReport } from '../contract/device-file.ts';
import { mediaType } from '../contract/endpoint.ts';
import { messageOf } from '../contract/message-of.ts';
import { parseJson } from '../contract/json-body.ts';
import { parseOrRefuse } from '../contract/field-errors.ts';
import { readMycodo, type LeftOut } from '../exchange/mycodo.ts';
import { programVersion } from '../version.ts';

interface Service {
  /** The data directory, whose authority is trusted. */
  directory: string;
  /** Where it listens; undefined for more than one address. */
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
/** A database of Mycodo holds more than is taken of it. */
const mostDatabaseBytes = 50_000_000;
const allAddresses = ['0.0.0.0', '::'];
const sqliteMark = 'SQLite format 3\0';

export async function exportDevices(service: Service): Promise<DeviceFile> {
  return deviceFile.parse(await ask(service, { method: 'GET' }));
}

/** Makes what a file holds, of this program or of Mycodo, by the running service. Throws UnreachableError, or why nothing of it was taken. */
export async function importDevices(
  service: Service,
  { file, isDry }: { file: string; isDry: boolean },
): Promise<{ report: DeviceFileReport; left_out: LeftOut[] }> {
  const { read, left_out } = readFile(file);
  const answer = await ask(service, { method: 'POST', query: `?dry_run=${isDry}`, body: JSON.stringify(read) });
  return { report: deviceFileReport.parse(answer), left_out };
}

function readFile(file: string): { read: DeviceFile; left_out: LeftOut[] } {
  if (!existsSync(file)) throw new Error(`there is no file ${file}`);
  refuseLarger(file, mostDatabaseBytes);
  const bytes = readFileSync(file);
  if (!bytes.subarray(0, sqliteMark.length).equals(Buffer.from(sqliteMark, 'latin1'))) {
    refuseLarger(file, mostDeviceFileBytes);
    return { read: parseOrRefuse(deviceFile, parseJson(bytes)), left_out: [] };
  }
  const { entries, left_out } = readMycodo(file);
  const made_at = new Date().toISOString();
  const read: DeviceFile = {
    format: 'orangery-devices',
    version: 1,
    made_at,
    program_version: programVersion(),
    entries,
  };
  return { read, left_out };
}

function refuseLarger(file: string, mostBytes: number): void {
  if (statSync(file).size > mostBytes) throw new Error(`${file} is larger than ${mostBytes / 1e6} MB`);
}

const refusal = z.looseObject({ code: z.string(), detail: z.string().optional() });

async function ask(
  { directory, host, port, key }: Service,
  { method, query = '', body }: { method: string; query?: string; body?: string },
): Promise<unknown> {
  const caFile = join(directory, 'tls', 'ca.crt');
  if (!existsSync(caFile)) throw new UnreachableError(`there is no ${caFile} yet: start the service first`);
  const agent = new Agent({ ca: readFileSync(caFile) });
  const headers = {
    accept: mediaType,
    'x-api-key': key,
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
  const origin = `https://${nameOf(host)}:${port}`;
  const address = new URL(`${deviceFileEndpoints.read.path}${query}`, origin);
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

/** Rejects with UnreachableError while nothing was sent; afterwards the service may have gone on, whatever became of the connection. */
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
