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
import { readJson } from './read-json.ts';
import { ServerClock } from './server-clock.ts';

type Part<Name extends string, Value> = [Value] extends [undefined]
  ? object
  : object extends Value
    ? { [K in Name]?: Value }
    : { [K in Name]: Value };

/** What a call of the endpoint needs: `params`, `query` and `body` where it declares them. */
type Sent<E> = Part<'params', ParamsOf<E>> &
  Part<'query', QueryOf<E>> &
  (Part<'body', BodyOf<E>> | { form: FormData }) & {
    signal?: AbortSignal;
    /** Called with the headers of a successful answer, e.g. for its age. */
    answered?: (headers: Headers) => void;
    /** Asks the server even while stored answers are shown, and accepts no stored answer. */
    isProbe?: boolean;
  };

type Arguments<E> = object extends Sent<E> ? [sent?: Sent<E>] : [sent: Sent<E>];

export type Call = <E extends Endpoint>(endpoint: E, ...sent: Arguments<E>) => Promise<AnswerOf<E>>;

interface LooseSent {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  /** A form with a file, instead of a JSON body. */
  form?: FormData;
  signal?: AbortSignal;
  answered?: (headers: Headers) => void;
  isProbe?: boolean;
}

/**
 * How long to wait for an answer when a stored one could replace it, and when probing the server behind stored ones.
 */
const patienceMs = { kept: 5_000, probe: 30_000 };
/** A proxy whose server is down, or a server that is still starting. */
const awayStatus: ReadonlySet<number> = new Set([502, 503, 504]);
/** After these a stored answer must not be shown again. */
const goneStatus: ReadonlySet<number> = new Set([403, 404, 410]);

/**
 * The path of a call with its `:name` parameters and query filled in; undefined query values are omitted, lists repeat
 * the name.
 */
export function addressOf(endpoint: Pick<Endpoint, 'path'>, sent: LooseSent): string {
  const path = endpoint.path.replace(/:(\w+)/g, (_match, name: string) =>
    encodeURIComponent(String(sent.params?.[name])),
  );
  const given = Object.entries(sent.query ?? {}).filter(([, value]) => value !== undefined && value !== null);
  const pairs = given.flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)]));
  const query = new URLSearchParams(pairs).toString();
  return query === '' ? path : `${path}?${query}`;
}

/** Typed access to the REST interface. Holds the CSRF token of the session. */
export class ApiClient {
  csrfToken: string | null = null;
  /** Called when an answer shows that no user is logged in, with whether it was a command that is refused. */
  sessionEnded: (isCommand: boolean) => void = () => undefined;
  readonly clock = new ServerClock();
  /** True while this page, opened without the server, shows stored answers: read-only, it sends no changes. */
  readonly isRecalled = shallowRef(false);
  /** When the oldest stored answer on show was received, epoch ms; null when none is shown. */
  readonly recalledAt_ms = shallowRef<number | null>(null);
  /** Calls without an answer yet. */
  readonly waiting = shallowRef(0);
  /** The server itself answered for a session: from then on nothing is recalled. */
  #isLive = false;
  /** Once a stored answer was used, others are used without asking the server. */
  #isAway = false;
  readonly #fetch: typeof fetch;
  readonly #last: LastAnswers;

  constructor(fetchPort: typeof fetch, last = lastAnswers(globalThis.caches, Date.now)) {
    this.#fetch = fetchPort;
    this.#last = last;
  }

  /** Stores what another call answered as the answer of this one, for when the server is away. */
  async remember<E extends Endpoint>(endpoint: E, body: AnswerOf<E>): Promise<void> {
    // A recalled answer must not be stored again as new.
    if (this.#isLive) await this.#last.keep(endpoint, endpoint.path, body, this.#last.generation());
  }

  /** From now on shows only the server's own answers. */
  goLive(): void {
    this.#isLive = true;
    this.isRecalled.value = false;
    this.recalledAt_ms.value = null;
  }

  /** Deletes what this browser stored about the site and its session. */
  async forget(): Promise<void> {
    this.csrfToken = null;
    this.isRecalled.value = false;
    this.recalledAt_ms.value = null;
    await this.#last.forget();
  }

  readonly call: Call = async (endpoint, ...sent) => {
    this.waiting.value += 1;
    try {
      return await this.#ask(endpoint, ...sent);
    } finally {
      this.waiting.value -= 1;
    }
  };

  readonly #ask: Call = async (endpoint, ...[sent]) => {
    // TypeScript cannot resolve the conditional type of the arguments while E is open; these are its widest members.
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
    if (!answer.ok) throw await this.#refused(answer, !isReading);
    loose.answered?.(answer.headers);
    // The server validates its answers against this very schema; checking them again only costs time.
    const body = (await readBody(answer)) as AnswerOf<typeof endpoint>;
    if (isReading) void this.#last.keep(endpoint, address, body, askedIn);
    return body;
  };

  /** The same for an answer that is a file. */
  async download<E extends Endpoint>(endpoint: E, ...[sent]: Arguments<E>): Promise<Blob> {
    const loose = (sent ?? {}) as LooseSent; // as in call
    const answer = await this.#send(endpoint, addressOf(endpoint, loose), loose);
    if (!answer.ok) throw await this.#refused(answer, true);
    return answer.blob();
  }

  /** Whether the server is back with a valid session, so that a command can be sent. */
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

  /** The server's answer, or the stored one when none arrives in time. */
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
    // Older browsers lack AbortSignal.any.
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

  async #refused(answer: Response, isCommand: boolean): Promise<ApiError> {
    const error = await readProblem(answer);
    if (error.code === 'authentication_required') {
      void this.forget();
      this.sessionEnded(isCommand);
    }
    return error;
  }
}

const isOfSession = (endpoint: Endpoint): boolean =>
  endpoint === authEndpoints.state || endpoint === authEndpoints.session;

/** Sent even from a page that shows stored answers. */
const isUrgent = (endpoint: Endpoint): boolean => endpoint === safetyEndpoints.stopAll;

/** Aborts a request whose answer does not begin in time; one that has begun may take longer. */
function patienceOf(longestMs: number): { signal: AbortSignal; end: () => void } {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new DOMException('no answer in time', 'TimeoutError')), longestMs);
  return { signal: controller.signal, end: () => clearTimeout(timer) };
}

/** The body, which may break off after a good beginning. */
async function readBody(answer: Response): Promise<unknown> {
  try {
    return await readJson(answer.body);
  } catch (cause) {
    if (isAborted(cause)) throw cause;
    if (!(cause instanceof SyntaxError)) throw new ApiError('network', 'The answer broke off', { cause });
    throw new ApiError('unexpected', 'The answer is no JSON', { status: answer.status, cause });
  }
}

const isUnreached = (error: unknown): boolean => error instanceof ApiError && error.code === 'network';

export const clientKey: InjectionKey<ApiClient> = Symbol('client');

/** The client of this application; call it in setup functions of components and stores. */
export function useClient(): ApiClient {
  const client = inject(clientKey);
  if (client === undefined) throw new Error('no client provided');
  return client;
}

/** `const call = useCall(); await call(designEndpoints.get, { params: { map_uuid } })`. Throws ApiError. */
export function useCall(): Call {
  return useClient().call;
}
