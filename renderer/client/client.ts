import { type InjectionKey, inject, shallowRef } from 'vue';
import { authEndpoints } from '../../server/contract/auth.ts';
import {
  mediaType,
  type AnswerOf,
  type BodyOf,
  type Endpoint,
  type ParamsOf,
  type QueryOf,
} from '../../server/contract/endpoint.ts';
import { safetyEndpoints } from '../../server/contract/safety.ts';
import { ApiError, isAborted, readProblem } from './api-error.ts';
import { lastAnswers, type LastAnswer, type LastAnswers } from './last-answers.ts';
import { ServerClock } from './server-clock.ts';

type Part<Name extends string, Value> = [Value] extends [undefined]
  ? object
  : object extends Value
    ? { [K in Name]?: Value }
    : { [K in Name]: Value };

/** What a call of the endpoint must be given: `params`, `query` and `body` where it declares them. */
type Sent<E> = Part<'params', ParamsOf<E>> &
  Part<'query', QueryOf<E>> &
  (Part<'body', BodyOf<E>> | { form: FormData }) & {
    signal?: AbortSignal;
    /** Told the headers of an answer that succeeded, e.g. its age. */
    answered?: (headers: Headers) => void;
    /** Asks the server even while kept answers are shown, and takes nothing kept for its answer. */
    isProbe?: boolean;
  };

type Arguments<E> = object extends Sent<E> ? [sent?: Sent<E>] : [sent: Sent<E>];

export type Call = <E extends Endpoint>(endpoint: E, ...sent: Arguments<E>) => Promise<AnswerOf<E>>;

interface LooseSent {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  /** A form with a file, in place of a body of JSON. */
  form?: FormData;
  signal?: AbortSignal;
  answered?: (headers: Headers) => void;
  isProbe?: boolean;
}

/** How long an answer may take where a kept one could stand in, and where the server is tried behind kept ones. */
const patienceMs = { kept: 5_000, probe: 30_000 };
/** A proxy whose server is away, and a server that is not there yet. */
const awayStatus: ReadonlySet<number> = new Set([502, 503, 504]);
/** What was kept must not be shown again. */
const goneStatus: ReadonlySet<number> = new Set([403, 404, 410]);

/** Path of a call with its `:name` parameters and query filled in; absent query values are left out, each of a list is named. */
export function addressOf(endpoint: Pick<Endpoint, 'path'>, sent: LooseSent): string {
  const path = endpoint.path.replace(/:(\w+)/g, (_match, name: string) =>
    encodeURIComponent(String(sent.params?.[name])),
  );
  const given = Object.entries(sent.query ?? {}).filter(([, value]) => value !== undefined && value !== null);
  const pairs = given.flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)]));
  const query = new URLSearchParams(pairs).toString();
  return query === '' ? path : `${path}?${query}`;
}

/** The typed way to the REST interface. Holds the CSRF token of the session that the cookie names. */
export class ApiClient {
  csrfToken: string | null = null;
  /** Called when an answer says that nobody is logged in. */
  sessionEnded: () => void = () => undefined;
  readonly clock = new ServerClock();
  /** True while this page, opened without the server, shows kept answers: to read only, nothing is sent. */
  readonly isRecalled = shallowRef(false);
  /** When the oldest of the kept answers shown was heard, epoch ms; null where none is shown. */
  readonly recalledAt_ms = shallowRef<number | null>(null);
  /** A session began here by the server's own answer: from then on nothing is recalled. */
  #isLive = false;
  /** Once kept answers stood in, others do without asking. */
  #isAway = false;
  readonly #fetch: typeof fetch;
  readonly #last: LastAnswers;

  constructor(fetchPort: typeof fetch, last = lastAnswers(globalThis.caches, Date.now)) {
    this.#fetch = fetchPort;
    this.#last = last;
  }

  /** Keeps what another call answered as the answer of this one, for when the server is away. */
  async remember<E extends Endpoint>(endpoint: E, body: AnswerOf<E>): Promise<void> {
    // What was itself recalled grows no younger.
    if (this.#isLive) await this.#last.keep(endpoint, endpoint.path, body, this.#last.generation());
  }

  /** From now on only what the server answers is shown. */
  goLive(): void {
    this.#isLive = true;
    this.isRecalled.value = false;
    this.recalledAt_ms.value = null;
  }

  /** Forgets what this browser knows of the site and its session. */
  async forget(): Promise<void> {
    this.csrfToken = null;
    this.isRecalled.value = false;
    this.recalledAt_ms.value = null;
    await this.#last.forget();
  }

  readonly call: Call = async (endpoint, ...[sent]) => {
    // The conditional type of what is sent cannot be resolved while E is open; these are its widest members.
    const loose = { ...(sent as LooseSent | undefined) };
    const address = addressOf(endpoint, loose);
    if (this.isRecalled.value && isUrgent(endpoint)) loose.isProbe = await this.#findSession();
    const isReading = endpoint.method === 'GET' && endpoint.changesState !== true;
    const askedIn = this.#last.generation();
    const mayRecall = isReading && !this.#isLive && loose.isProbe !== true;
    const known = mayRecall ? await this.#last.recall(endpoint, address) : null;
    const answer = await this.#answerOr(known, endpoint, address, loose);
    if (!(answer instanceof Response)) return this.#recalled(endpoint, answer) as AnswerOf<typeof endpoint>; // as it was kept
    if (isReading && goneStatus.has(answer.status)) void this.#last.drop(address);
    if (!answer.ok) throw await this.#refused(answer);
    loose.answered?.(answer.headers);
    // The server checks its answers against this very schema; checking them here again would only cost time.
    const body = (await answer.json()) as AnswerOf<typeof endpoint>;
    if (isReading) void this.#last.keep(endpoint, address, body, askedIn);
    return body;
  };

  /** The same where the answer is a file. */
  async download<E extends Endpoint>(endpoint: E, ...[sent]: Arguments<E>): Promise<Blob> {
    const loose = (sent ?? {}) as LooseSent; // as in call
    const answer = await this.#send(endpoint, addressOf(endpoint, loose), loose);
    if (!answer.ok) throw await this.#refused(answer);
    return answer.blob();
  }

  /** Whether the server is back and knows who asks: then a command can be sent. */
  async #findSession(): Promise<boolean> {
    try {
      const { csrf_token } = await this.call(authEndpoints.session, { isProbe: true });
      this.csrfToken = csrf_token;
      return true;
    } catch (error) {
      if (error instanceof ApiError) return false;
      throw error;
    }
  }

  /** What the server says, or what was kept where it says nothing in time. */
  async #answerOr(
    known: LastAnswer | null,
    endpoint: Endpoint,
    address: string,
    sent: LooseSent,
  ): Promise<Response | LastAnswer> {
    if (known === null)
      return this.#send(endpoint, address, sent, sent.isProbe === true ? patienceMs.probe : undefined);
    if (this.#isAway) return known;
    try {
      const answer = await this.#send(endpoint, address, sent, patienceMs.kept);
      return awayStatus.has(answer.status) ? known : answer;
    } catch (error) {
      if (!isUnreached(error)) throw error;
      return known;
    }
  }

  #recalled(endpoint: Endpoint, known: LastAnswer): unknown {
    this.#isAway = true;
    if (isOfSession(endpoint)) this.isRecalled.value ||= endpoint === authEndpoints.session;
    else this.recalledAt_ms.value = Math.min(known.at_ms, this.recalledAt_ms.value ?? Number.POSITIVE_INFINITY);
    return known.body;
  }

  async #send(endpoint: Endpoint, address: string, sent: LooseSent, longestMs?: number): Promise<Response> {
    if (this.isRecalled.value && sent.isProbe !== true) {
      const code = endpoint.method === 'GET' ? 'network' : 'unsent';
      throw new ApiError(code, 'Nothing is sent while kept answers are shown', {});
    }
    const headers = new Headers({ Accept: mediaType });
    if (sent.body !== undefined) headers.set('Content-Type', 'application/json');
    const modifies = endpoint.method !== 'GET' || endpoint.changesState === true;
    if (modifies && this.csrfToken !== null) headers.set('X-CSRF-Token', this.csrfToken);
    const request: RequestInit = { method: endpoint.method, headers, credentials: 'same-origin' };
    if (sent.form !== undefined) request.body = sent.form;
    else if (sent.body !== undefined) request.body = JSON.stringify(sent.body);
    const patience = longestMs === undefined ? null : patienceOf(longestMs);
    const [given, limit] = [sent.signal, patience?.signal];
    // Older browsers cannot join two.
    request.signal =
      given !== undefined && limit !== undefined ? AbortSignal.any([given, limit]) : (given ?? limit ?? null);
    const askedMs = Date.now();
    try {
      const answer = await this.#fetch(address, request);
      this.clock.hear(answer.headers.get('Date'), askedMs);
      return answer;
    } catch (cause) {
      if (isAborted(cause)) throw cause;
      throw new ApiError('network', 'The server could not be reached', { cause });
    } finally {
      patience?.end();
    }
  }

  async #refused(answer: Response): Promise<ApiError> {
    const error = await readProblem(answer);
    if (error.code === 'authentication_required') {
      void this.forget();
      this.sessionEnded();
    }
    return error;
  }
}

const isOfSession = (endpoint: Endpoint): boolean =>
  endpoint === authEndpoints.state || endpoint === authEndpoints.session;

/** What is tried even from a page that shows kept answers. */
const isUrgent = (endpoint: Endpoint): boolean => endpoint === safetyEndpoints.stopAll;

/** Ends a request whose answer does not begin in time; what has begun may take longer. */
function patienceOf(longestMs: number): { signal: AbortSignal; end: () => void } {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new DOMException('no answer in time', 'TimeoutError')), longestMs);
  return { signal: controller.signal, end: () => clearTimeout(timer) };
}

const isUnreached = (error: unknown): boolean => error instanceof ApiError && error.code === 'network';

export const clientKey: InjectionKey<ApiClient> = Symbol('client');

/** The client of this application. For setup functions of components and stores. */
export function useClient(): ApiClient {
  const client = inject(clientKey);
  if (client === undefined) throw new Error('no client provided');
  return client;
}

/** `const call = useCall(); await call(designEndpoints.get, { params: { map_uuid } })`. Throws ApiError. */
export function useCall(): Call {
  return useClient().call;
}
