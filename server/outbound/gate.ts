import type { Policy } from './address-policy.ts';
import { Allowance } from './allowance.ts';
import { OutboundError, UpstreamError } from './outbound-error.ts';
import type { Outbound, OutboundAnswer } from './outbound.ts';

/** An outside service: the only place where its origin is stated. */
export interface Upstream {
  /** Identifies its pace and its breaker. */
  id: string;
  /** Scheme, host and port, e.g. https://api.example.org */
  origin: string;
  /** `public` for services of the internet; `lan` for an origin that an administrator entered. */
  policy: Policy;
  /** Requests a minute on average; as many are available at once after a quiet minute unless `atOnce` differs. */
  perMinute: number;
  atOnce?: number;
}

export interface Question {
  /** Path and query at the origin. */
  path: string;
  /** Added only to the request: no error, log or answer contains them. */
  credentials?: {
    query?: Record<string, string>;
    headers?: Record<string, string>;
    /** Values for {name} in the path. */
    path?: Record<string, string>;
  };
  /** Accepted media types, e.g. `application/json`, `image/png`. */
  types: readonly string[];
  /** Throws `UpstreamError` for a body of those types that is still not what was asked for. */
  check?: (body: Buffer) => void;
  /** Maximum bytes of the answer's body; default 2 MB. */
  maxBytes?: number;
  /** A shorter limit than the gate's, ms: a call that needs several answers shares its time among them. */
  limitMs?: number;
  signal?: AbortSignal;
}

interface GateOptions {
  outbound: Pick<Outbound, 'fetch'>;
  /** Monotonic clock in ms; default the process's. */
  now_ms?: () => number;
  /** For everything: waiting, redirects, answer; default 15 s. */
  timeoutMs?: number;
  log?: { warn(message: string): void };
}

/** Providers of free tiles ask programs to identify themselves. */
const userAgent = 'Orangery (greenhouse control)';
const mostRedirects = 2;
const redirectStatuses = new Set([301, 302, 303, 307, 308]);
const absentStatuses = new Set([204, 404, 410]);
/** A fault that was not seen for so long is new, and logged again. */
const newAfterMs = 10 * 60_000;

/** The guarded access to upstreams. */
export class Gate {
  readonly #options: GateOptions;
  readonly #allowances = new Map<string, { of: string; allowance: Allowance }>();
  /** When each fault of an upstream was last seen, ms: one that lasts, or comes and goes, is logged once. */
  readonly #seen = new Map<string, number>();

  constructor(options: GateOptions) {
    this.#options = options;
  }

  /** Asks one upstream; returns its answer with status 200. Throws `OutboundError`, `UpstreamError`. */
  async ask(upstream: Upstream, question: Question): Promise<OutboundAnswer> {
    const url = addressOf(upstream, question);
    const allowance = this.#allowance(upstream);
    allowance.take();
    try {
      const answer = await this.#follow(upstream, question, url);
      refuseStatus(answer.status);
      refuseContent(answer, question);
      question.check?.(answer.body);
      allowance.succeeded();
      return answer;
    } catch (error) {
      if (isUpstreamsFault(error) && question.signal?.aborted !== true) allowance.failed();
      else allowance.succeeded();
      if (question.signal?.aborted !== true) this.#log(upstream, error);
      throw error;
    }
  }

  /** Credentials are sent only to the origin, whatever a redirect says. */
  async #follow(upstream: Upstream, question: Question, first: URL): Promise<OutboundAnswer> {
    const { outbound, timeoutMs = 15_000 } = this.#options;
    const endsAtMs = performance.now() + Math.min(timeoutMs, question.limitMs ?? timeoutMs);
    let url = first;
    for (let redirects = 0; redirects <= mostRedirects; redirects += 1) {
      const isAtHome = url.origin === first.origin;
      const answer = await outbound.fetch(url.href, {
        policy: upstream.policy,
        headers: {
          accept: question.types.join(', '),
          'user-agent': userAgent,
          ...(isAtHome && question.credentials?.headers),
        },
        timeoutMs: Math.max(1, Math.round(endsAtMs - performance.now())),
        maxBytes: question.maxBytes ?? 2_000_000,
        redirects: 'none',
        ...(question.signal && { signal: question.signal }),
      });
      if (!redirectStatuses.has(answer.status)) return answer;
      url = redirectOf(upstream, answer, url);
    }
    throw new UpstreamError('wrong_answer', `it redirects more than ${mostRedirects} times`);
  }

  #log({ id }: Upstream, error: unknown): void {
    if (!(error instanceof UpstreamError || error instanceof OutboundError)) return;
    if (error.code === 'absent') return;
    const fault = `${id} gave no usable answer (${error.code})`;
    const now = this.#now();
    const isNew = now - (this.#seen.get(fault) ?? -Infinity) >= newAfterMs;
    this.#seen.set(fault, now);
    if (isNew) this.#options.log?.warn(`the outside service ${fault}: ${error.message}`);
  }

  /** A changed origin is another upstream, with failures of its own. */
  #allowance({ id, origin, perMinute, atOnce = perMinute }: Upstream): Allowance {
    const of = `${origin} ${perMinute} ${atOnce}`;
    const known = this.#allowances.get(id);
    if (known?.of === of) return known.allowance;
    const allowance = new Allowance({ perMinute, atOnce, now_ms: () => this.#now() });
    this.#allowances.set(id, { of, allowance });
    return allowance;
  }

  #now(): number {
    return this.#options.now_ms?.() ?? performance.now();
  }
}

/** Throws `invalid_address` if path or query lead anywhere but to the upstream's origin. */
function addressOf(upstream: Upstream, { path: asked, credentials }: Question): URL {
  const path = filledIn(asked, credentials?.path ?? {});
  const origin = URL.parse(upstream.origin);
  if (origin === null || origin.origin !== upstream.origin) throw invalid('the origin is not scheme, host and port');
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  if (!/^\/(?![/\\])/.test(path) || /[\u0000-\u0020\u007f\\]/.test(path)) throw invalid('the path is none');
  const url = URL.parse(path, upstream.origin);
  if (url === null || url.origin !== upstream.origin) throw invalid('the path leads elsewhere');
  url.hash = '';
  for (const [name, value] of Object.entries(credentials?.query ?? {})) url.searchParams.set(name, value);
  return url;
}

function filledIn(path: string, secrets: Record<string, string>): string {
  const entries = Object.entries(secrets);
  return entries.reduce((made, [name, secret]) => made.replaceAll(`{${name}}`, () => encodeURIComponent(secret)), path);
}

/** A public service may redirect within the internet, a local server only within itself. */
function redirectOf(upstream: Upstream, { headers }: OutboundAnswer, from: URL): URL {
  const url = URL.parse(headers.get('location') ?? '', from.href);
  const isAllowed = url !== null && (upstream.policy === 'public' || url.origin === upstream.origin);
  if (!isAllowed) throw new UpstreamError('wrong_answer', 'it redirects to where it may not');
  return url;
}

function refuseStatus(status: number): void {
  if (status === 200) return;
  if (status === 401 || status === 403) throw new UpstreamError('key_refused', `it answered ${status}`);
  if (status === 429) throw new UpstreamError('quota_spent', 'it answered 429');
  if (absentStatuses.has(status)) throw new UpstreamError('absent', `it answered ${status}`);
  throw new UpstreamError(status >= 400 && status < 500 ? 'refused' : 'failed', `it answered ${status}`);
}

function refuseContent({ headers, body }: OutboundAnswer, { types, credentials }: Question): void {
  const type = (headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (!types.includes(type)) throw new UpstreamError('wrong_answer', `it answered ${type || 'no media type'}`);
  const secrets = [credentials?.query, credentials?.headers, credentials?.path].flatMap((held) =>
    Object.values(held ?? {}),
  );
  if (secrets.some((secret) => body.includes(secret)))
    throw new UpstreamError('wrong_answer', 'it answered with the key');
}

/** Whether the upstream is at fault, not the question. */
function isUpstreamsFault(error: unknown): boolean {
  if (error instanceof UpstreamError) return error.code === 'failed' || error.code === 'quota_spent';
  return error instanceof OutboundError && ['unreachable', 'interrupted', 'timed_out'].includes(error.code);
}

function invalid(why: string): OutboundError {
  return new OutboundError('invalid_address', why);
}
