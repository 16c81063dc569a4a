import { X509Certificate } from 'node:crypto';
import type { Readable } from 'node:stream';
import { checkServerIdentity, type ConnectionOptions } from 'node:tls';
import { Agent, buildConnector, fetch, request } from 'undici';
import { certificatePattern } from '../contract/certificate-pattern.ts';
import type { Policy } from './address-policy.ts';
import { allowedAddress, serverNameOf, type Resolve } from './allowed-address.ts';
import { OutboundError } from './outbound-error.ts';

export interface OutboundOptions {
  allowLoopback?: boolean;
  /**
   * Certificates trusted instead of the system's, PEM. If a server shows exactly one of these, it need not name its
   * address.
   */
  ca?: string;
  /** Longest wait for a connection; default 10 s. */
  connectTimeoutMs?: number;
  /** false: a connection for each request, as a reused one may close at that moment; default true. */
  keepAlive?: boolean;
  resolve?: Resolve;
}

export interface OutboundRequest {
  policy: Policy;
  method?: 'GET' | 'POST' | 'PUT';
  headers?: Record<string, string>;
  body?: string;
  /** For everything: name, connection, answer; default 15 s. */
  timeoutMs?: number;
  /** Maximum bytes of the answer's body; default 1 MB. */
  maxBytes?: number;
  /** Aborts it. */
  signal?: AbortSignal;
  /** none: a redirect is returned as the answer; by default a GET follows it. */
  redirects?: 'none';
}

export interface OutboundAnswer {
  status: number;
  headers: Headers;
  body: Buffer;
}

export interface StreamRequest {
  policy: Policy;
  /** Includes those of WebDAV. */
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE' | 'PROPFIND' | 'MOVE';
  headers?: Record<string, string>;
  /** For a stream the headers must state the length. */
  body?: Readable | string | Buffer;
  /** Like that of the options, for this request. */
  ca?: string | undefined;
  /** Aborts it, even while the body of the answer is read. */
  signal: AbortSignal;
}

/** An answer whose body must be read to its end. */
export interface OutboundStream {
  status: number;
  headers: Headers;
  body: Readable;
}

/** A transfer is aborted when nothing moves for this long, ms; the caller limits the whole. */
const idleMs = 120_000;

type Agents = Record<Policy, Agent>;

/** HTTP requests under a policy. */
export class Outbound {
  readonly #options: OutboundOptions;
  readonly #agents: Agents;

  constructor(options: OutboundOptions = {}) {
    this.#options = options;
    this.#agents = { public: agent('public', options), lan: agent('lan', options) };
  }

  /** Throws `OutboundError`; any status is an answer. A POST does not follow a redirect. */
  async fetch(
    address: string,
    { policy, timeoutMs = 15_000, maxBytes = 1_000_000, signal: given, redirects, ...sent }: OutboundRequest,
  ): Promise<OutboundAnswer> {
    const url = checked(address, policy);
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = given === undefined ? timeout : AbortSignal.any([timeout, given]);
    const isFollowing = redirects !== 'none' && (sent.method ?? 'GET') === 'GET';
    try {
      const answer = await fetch(url, {
        ...sent,
        signal,
        dispatcher: this.#agents[policy],
        redirect: isFollowing ? 'follow' : 'manual',
      });
      const body = await readWithin(answer.body, maxBytes);
      return { status: answer.status, headers: answer.headers as unknown as Headers, body }; // the same standard
    } catch (error) {
      throw signal.aborted
        ? new OutboundError('timed_out', gaveUp(timeout.aborted ? timeoutMs : null), error)
        : named(error);
    }
  }

  /** Sends and returns streams of any length, never redirected. Throws `OutboundError`; any status is an answer. */
  async stream(address: string, { policy, signal, body, headers, method, ca }: StreamRequest): Promise<OutboundStream> {
    const url = checked(address, policy);
    const dispatcher =
      ca === undefined ? this.#agents[policy] : agent(policy, { ...this.#options, ca, keepAlive: false });
    try {
      const answer = await request(url, {
        method,
        signal,
        dispatcher,
        headersTimeout: idleMs,
        bodyTimeout: idleMs,
        ...(headers && { headers }),
        ...(body !== undefined && { body }),
      });
      const pairs = Object.entries(answer.headers).flatMap(([name, value]): [string, string][] =>
        value === undefined ? [] : [[name, [value].flat().join(', ')]],
      );
      return { status: answer.statusCode, headers: new Headers(pairs), body: answer.body };
    } catch (error) {
      throw signal.aborted ? new OutboundError('timed_out', gaveUp(null), error) : named(error);
    }
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.#agents).map((one: Agent) => one.destroy()));
  }
}

function checked(address: string, policy: Policy): URL {
  const url = URL.parse(address);
  if (url === null) throw new OutboundError('invalid_address', `"${address}" is not an address`);
  const protocols = policy === 'lan' ? ['https:', 'http:'] : ['https:'];
  if (protocols.includes(url.protocol) && url.username === '' && url.password === '') return url;
  throw new OutboundError(
    'invalid_address',
    `the address must begin with ${protocols.join('// or ')}// and hold no password`,
  );
}

/** Connects to exactly the checked address: a name that resolves differently a moment later changes nothing. */
function agent(policy: Policy, options: OutboundOptions): Agent {
  const { allowLoopback, ca, connectTimeoutMs = 10_000, keepAlive = true, resolve } = options;
  const connect = buildConnector({ timeout: connectTimeoutMs, ...(ca !== undefined && trustOf(ca)) });
  const pick = async (hostname: string, protocol: string): Promise<string> => {
    if (policy === 'public' && protocol !== 'https:')
      throw new OutboundError('refused_address', 'it leads to plain HTTP');
    return allowedAddress(hostname, { policy, allowLoopback, resolve });
  };
  return new Agent({
    pipelining: keepAlive ? 1 : 0,
    connect: (options, callback: buildConnector.Callback) => {
      const connected: buildConnector.Callback = (...[error, socket]) =>
        error === null ? callback(null, socket) : callback(unreached(error), null);
      pick(options.hostname, options.protocol).then(
        (address) => {
          const servername = serverNameOf(options.hostname) ?? options.servername ?? '';
          connect({ ...options, hostname: address, servername }, connected);
        },
        (error: unknown) => callback(unreached(error), null),
      );
    },
  });
}

/** A device's self-made certificate seldom names its address: it is then recognised by being exactly the given one. */
function trustOf(ca: string): Pick<ConnectionOptions, 'ca' | 'checkServerIdentity' | 'allowPartialTrustChain'> {
  const given = new Set(ca.match(new RegExp(certificatePattern, 'g'))?.map(fingerprintOf));
  return {
    ca,
    allowPartialTrustChain: true,
    checkServerIdentity: (name, shown) =>
      given.has(shown.fingerprint256) ? undefined : checkServerIdentity(name, shown),
  };
}

/** null when it is unreadable: then no certificate matches. */
function fingerprintOf(pem: string): string | null {
  try {
    return new X509Certificate(pem).fingerprint256;
  } catch {
    return null;
  }
}

async function readWithin(body: AsyncIterable<Uint8Array> | null, maxBytes: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of body ?? []) {
    length += part.length;
    if (length > maxBytes) throw new OutboundError('too_large', `the answer is longer than ${maxBytes} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function gaveUp(timeoutMs: number | null): string {
  return timeoutMs === null ? 'given up before there was an answer' : `no answer within ${timeoutMs / 1000} s`;
}

/** Why there is no connection, so that nothing can have been sent. */
function unreached(error: unknown): OutboundError {
  return error instanceof OutboundError ? error : new OutboundError('unreachable', textOf(error), error);
}

/** The error inside undici's "fetch failed" is more informative. If that has no code, undici itself refused to send. */
function named(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error;
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof OutboundError) return cause;
  const told = cause instanceof Error ? cause : error;
  const isSent = told instanceof Error && 'code' in told;
  return new OutboundError(isSent ? 'interrupted' : 'unreachable', textOf(told), error);
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message || String(error) : String(error);
}
