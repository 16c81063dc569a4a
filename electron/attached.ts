import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { isIP } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { setTimeout as pause } from 'node:timers/promises';
import type { Host } from './host.ts';

interface Running {
  url: string;
  /** Its authority, PEM. */
  ca: string;
}

interface AttachOptions {
  port: number;
  /** The data directory of this user: a service with its authority is the user's own. */
  directory: string;
  /** Fingerprint of the authority that was accepted for an address before. */
  pin: (url: string) => string | undefined;
  /** Asks a person whether the service with this authority is the right one. */
  ask: (url: string, fingerprint: string) => Promise<boolean>;
  keepPin: (url: string, fingerprint: string) => void;
  /** How long to wait for a service that is starting; injected by tests. */
  patience_ms?: number;
}

/** A person was asked and declined the service on the port. */
export class AttachRefused extends Error {
  readonly code = 'attach_refused';
}

const answerMs = 1_500;
const againMs = 500;
const startingMs = 20_000;
const mostBytes = 64 * 1024;

/**
 * The service of this machine that already has the port: the headless one that starts with the machine, or one started
 * from a shell. null when there is none. Throws AttachRefused.
 */
export async function attach(options: AttachOptions): Promise<Host | null> {
  if (options.port === 0) return null;
  const running = await findRunning(`https://localhost:${options.port}`, options.patience_ms ?? startingMs);
  if (running === null) return null;
  const { url } = running;
  const trusted = new TrustedAuthority(await take(running, options), options);
  return {
    kind: 'attached',
    url,
    trusts: (certificate, hostName) => trusted.vouchesFor(certificate, hostName),
    setupToken: () => null,
    stop: () => Promise.resolve(),
  };
}

/**
 * The authority of a running service, if it is our own, was accepted before or is accepted now. Throws AttachRefused.
 */
async function take({ url, ca }: Running, { directory, pin, ask, keepPin }: AttachOptions): Promise<X509Certificate> {
  const authority = new X509Certificate(ca);
  const fingerprint = authority.fingerprint256;
  if (fingerprint !== ownFingerprint(directory) && fingerprint !== pin(url)) {
    if (!(await ask(url, fingerprint))) throw new AttachRefused(`${url} was not taken`);
    keepPin(url, fingerprint);
  }
  return authority;
}

/** A service may make a new authority while windows are open: that one is then checked like the first, once. */
class TrustedAuthority {
  readonly #options: AttachOptions;
  #authority: X509Certificate;
  #looking: Promise<void> | undefined;
  /** Authorities that a person declined. */
  readonly #refused = new Set<string>();

  constructor(authority: X509Certificate, options: AttachOptions) {
    this.#authority = authority;
    this.#options = options;
  }

  async vouchesFor(certificate: string, hostName: string): Promise<boolean> {
    if (isIssuedBy(this.#authority, certificate, hostName)) return true;
    this.#looking ??= this.#look().finally(() => (this.#looking = undefined));
    await this.#looking;
    return isIssuedBy(this.#authority, certificate, hostName);
  }

  async #look(): Promise<void> {
    const running = await findRunning(`https://localhost:${this.#options.port}`, 0);
    if (running === null || this.#refused.has(running.ca)) return;
    try {
      this.#authority = await take(running, this.#options);
    } catch {
      this.#refused.add(running.ca);
    }
  }
}

/** Whether a leaf was issued by the authority, for this name, and is valid now. */
function isIssuedBy(authority: X509Certificate, pem: string, hostName: string): boolean {
  const leaf = new X509Certificate(pem);
  const now = Date.now();
  const isValid = Date.parse(leaf.validFrom) <= now && now <= Date.parse(leaf.validTo);
  const isFor = (isIP(hostName) === 0 ? leaf.checkHost(hostName) : leaf.checkIP(hostName)) !== undefined;
  return isValid && isFor && leaf.checkIssued(authority) && leaf.verify(authority.publicKey);
}

function ownFingerprint(directory: string): string | undefined {
  try {
    return new X509Certificate(readFileSync(join(directory, 'tls/ca.crt'))).fingerprint256;
  } catch {
    return undefined; // the first start makes it
  }
}

async function findRunning(url: string, patienceMs: number): Promise<Running | null> {
  const giveUpAt = performance.now() + patienceMs;
  for (;;) {
    const health = await get(`${url}/api/health`);
    if (health === null || !isOurs(health.body)) return null;
    const ca = await get(`${url}/ca.crt`);
    if (ca !== null && ca.status === 200 && isIssued(ca)) return { url, ca: ca.body };
    if (performance.now() > giveUpAt) return null;
    await pause(againMs);
  }
}

/** Health by the contract, or its problem while it starts or has no daemon. */
function isOurs(body: string): boolean {
  try {
    const answer: unknown = JSON.parse(body);
    if (typeof answer !== 'object' || answer === null) return false;
    const [status, code] = [Reflect.get(answer, 'status'), Reflect.get(answer, 'code')] as unknown[];
    return status === 'up' || status === 'degraded' || code === 'starting' || code === 'not_available';
  } catch {
    return false;
  }
}

/** Whether the server's leaf was signed by the authority that it names. */
function isIssued({ leaf, body }: Answer): boolean {
  try {
    const authority = new X509Certificate(body);
    return leaf !== null && leaf.verify(authority.publicKey);
  } catch {
    return false;
  }
}

interface Answer {
  status: number;
  body: string;
  leaf: X509Certificate | null;
}

/**
 * Only loopback, and nothing is sent: the server is identified by its certificate afterwards. null when none answers.
 */
function get(url: string): Promise<Answer | null> {
  return new Promise((resolve) => {
    const asked = request(url, { rejectUnauthorized: false, timeout: answerMs, agent: false }, (response) => {
      let body = '';
      const { raw } = (response.socket as TLSSocket).getPeerCertificate(); // https
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        body += part;
        if (body.length > mostBytes) asked.destroy();
      });
      response.once('end', () => {
        resolve({ status: response.statusCode ?? 0, body, leaf: raw === undefined ? null : new X509Certificate(raw) });
      });
      response.once('close', () => resolve(null));
    });
    asked.once('timeout', () => asked.destroy());
    asked.once('error', () => resolve(null));
    asked.end();
  });
}
