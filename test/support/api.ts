import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino, { type Logger } from 'pino';
import { type ApiOptions, buildApi } from '../../server/api/app.ts';
import { Front, type FrontOptions } from '../../server/api/front.ts';
import type { Route } from '../../server/api/route.ts';
import { sessionCookieName } from '../../server/api/session-cookie.ts';
import type { Actor, AuditEntry } from '../../server/auth/actor.ts';
import type { Authenticated, Authenticator } from '../../server/auth/authenticator.ts';
import { mediaType } from '../../server/contract/endpoint.ts';
import { builtInRoles, type Permission } from '../../server/contract/permission.ts';
import { type Certificates, openCertificates } from '../../server/tls/certificates.ts';

export interface TestApiOptions extends Partial<Omit<ApiOptions, 'routes' | 'audit' | 'log' | 'caPem'>> {
  routes: readonly Route[];
  /** Front limits, e.g. headersTimeoutMs. */
  front?: Partial<Omit<FrontOptions, 'handle' | 'tls'>>;
}

export interface TestRequest {
  /** Sent as JSON unless it is a string or a buffer. */
  body?: unknown;
  /** A header set to null is not sent, e.g. `{ accept: null }`. */
  headers?: Record<string, string | null>;
  /** Sent as X-API-KEY. */
  key?: string;
  /** Value of the session cookie. */
  cookie?: string;
  /** Sent as X-CSRF-Token. */
  csrf?: string;
}

export interface TestAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** Parsed if the answer is any kind of JSON, else undefined. */
  body: unknown;
}

export interface TestApi {
  url: string;
  port: number;
  ca: string;
  certificates: Certificates;
  /** Lines of the request log, as objects. */
  log: Record<string, unknown>[];
  audit: AuditEntry[];
  request(method: string, path: string, options?: TestRequest): Promise<TestAnswer>;
  close(): Promise<void>;
}

/** Serves routes with a real TLS listener on a free port; by default every role has the keys of `roleAuthenticator`. */
export async function startTestApi(options: TestApiOptions): Promise<TestApi> {
  const directory = mkdtempSync(join(tmpdir(), 'orangery-api-'));
  const certificates = await testCertificates(directory);
  const log: Record<string, unknown>[] = [];
  const audit: AuditEntry[] = [];
  const { front: frontOptions, ...api } = options;
  const handle = buildApi({
    authenticator: roleAuthenticator,
    version: '0.0.0-test',
    checkAnswers: true,
    vouch: (peer) => front.vouch(peer),
    ...api,
    caPem: () => certificates.ca_pem,
    audit: { record: (entry) => void audit.push(entry) },
    log: memoryLog(log),
  });
  const front = new Front({ handle, tls: certificates, ...frontOptions });
  const port = await front.listen({ host: '127.0.0.1', port: 0 });
  const agent = new Agent({ ca: certificates.ca_pem, keepAlive: true });
  return {
    url: `https://localhost:${port}`,
    port,
    ca: certificates.ca_pem,
    certificates,
    log,
    audit,
    request: (method, path, sent = {}) => sendRequest({ agent, port, method, path, sent }),
    close: async () => {
      agent.destroy();
      await front.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function testCertificates(directory: string): Promise<Certificates> {
  const now = () => new Date();
  return openCertificates({ directory, hostName: 'test', addresses: () => [], extraNames: [], now });
}

function memoryLog(lines: Record<string, unknown>[]): Logger {
  const write = (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>); // pino writes objects
  return pino({ level: 'debug' }, { write });
}

interface Sending {
  agent: Agent;
  port: number;
  method: string;
  path: string;
  sent: TestRequest;
}

async function sendRequest({ agent, port, method, path, sent }: Sending): Promise<TestAnswer> {
  const body = encodeBody(sent.body);
  const headers: Record<string, string | null> = {
    accept: mediaType,
    ...(body !== undefined && { 'content-type': 'application/json', 'content-length': String(body.length) }),
    ...(sent.key !== undefined && { 'x-api-key': sent.key }),
    ...(sent.cookie !== undefined && { cookie: `${sessionCookieName}=${sent.cookie}` }),
    ...(sent.csrf !== undefined && { 'x-csrf-token': sent.csrf }),
    ...sent.headers,
  };
  return new Promise((resolve, reject) => {
    const kept = Object.fromEntries(
      Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== null),
    );
    const request = httpsRequest(
      { agent, host: 'localhost', port, family: 4, method, path, headers: kept },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          const isJson = /[/+]json/.test(response.headers['content-type'] ?? '');
          const parsed: unknown = isJson && text ? JSON.parse(text) : undefined;
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, body: parsed });
        });
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

function encodeBody(body: unknown): Buffer | undefined {
  if (body === undefined || Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

/** The CSRF token of every session of `roleAuthenticator`. */
export const testCsrfToken = 'csrf-token-of-the-tests';

/**
 * Knows, for each built-in role, the keys `key:ROLE` and `readonly:ROLE` and the session cookie `session-ROLE`, so that
 * a test of the API needs no accounts.
 */
export const roleAuthenticator: Authenticator = {
  authenticate: ({ address, api_key, session_cookie }): Authenticated | null => {
    const [kind, role = ''] = (api_key?.key ?? session_cookie ?? '').split(/[:-]/);
    const permissions = builtInRoles[role];
    if (!permissions || !['key', 'readonly', 'session'].includes(kind ?? '')) return null;
    const isSession = kind === 'session';
    const actor = testActor(role, permissions);
    return {
      actor: {
        ...actor,
        address,
        scope: kind === 'readonly' ? 'readonly' : 'full',
        key_id: isSession ? null : `${kind}:${role}`,
        session_id: isSession ? `session-${role}` : null,
      },
      csrf_token: isSession ? testCsrfToken : null,
    };
  },
};

function testActor(role: string, permissions: readonly Permission[]): Actor {
  return {
    user_id: '00000000-0000-4000-8000-000000000001',
    username: role.toLowerCase(),
    role,
    permissions: new Set(permissions),
    key_id: null,
    scope: 'full',
    session_id: null,
    address: null,
  };
}
