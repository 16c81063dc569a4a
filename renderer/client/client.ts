import { type InjectionKey, inject, shallowRef } from 'vue';
import {
  mediaType,
  type AnswerOf,
  type BodyOf,
  type Endpoint,
  type ParamsOf,
  type QueryOf,
} from '../../server/contract/endpoint.ts';
import { ApiError, isAborted, readProblem } from './api-error.ts';
import { lastAnswers, type LastAnswers } from './last-answers.ts';
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
}

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
  /** When what is shown in place of answers was heard, epoch ms; null while the server answers. */
  readonly recalledAt_ms = shallowRef<number | null>(null);
  readonly #fetch: typeof fetch;
  readonly #last: LastAnswers;

  constructor(fetchPort: typeof fetch, last = lastAnswers(globalThis.caches, Date.now)) {
    this.#fetch = fetchPort;
    this.#last = last;
  }

  /** Keeps what another call answered as the answer of this one, for when the server is away. */
  async remember<E extends Endpoint>(endpoint: E, body: AnswerOf<E>): Promise<void> {
    // What was itself recalled grows no younger.
    if (this.recalledAt_ms.value === null) await this.#last.keep(endpoint, endpoint.path, body);
  }

  /** Forgets what this browser knows of the site. */
  forget(): Promise<void> {
    return this.#last.forget();
  }

  readonly call: Call = async (endpoint, ...[sent]) => {
    // The conditional type of what is sent cannot be resolved while E is open; these are its widest members.
    const loose = (sent ?? {}) as LooseSent;
    const address = addressOf(endpoint, loose);
    const isReading = endpoint.method === 'GET' && endpoint.changesState !== true;
    const answer = await this.#send(endpoint, address, loose).catch(async (error: unknown) => {
      const known = isReading && isUnreached(error) ? await this.#last.recall(endpoint, address) : null;
      if (known === null) throw error;
      this.recalledAt_ms.value = Math.max(known.at_ms, this.recalledAt_ms.value ?? 0);
      return known;
    });
    if (!(answer instanceof Response)) return answer.body as AnswerOf<typeof endpoint>; // as it was kept
    this.recalledAt_ms.value = null;
    if (!answer.ok) throw await this.#refused(answer);
    loose.answered?.(answer.headers);
    // The server checks its answers against this very schema; checking them here again would only cost time.
    const body = (await answer.json()) as AnswerOf<typeof endpoint>;
    if (isReading) void this.#last.keep(endpoint, address, body);
    return body;
  };

  /** The same where the answer is a file. */
  async download<E extends Endpoint>(endpoint: E, ...[sent]: Arguments<E>): Promise<Blob> {
    const loose = (sent ?? {}) as LooseSent; // as in call
    const answer = await this.#send(endpoint, addressOf(endpoint, loose), loose);
    if (!answer.ok) throw await this.#refused(answer);
    return answer.blob();
  }

  async #send(endpoint: Endpoint, address: string, sent: LooseSent): Promise<Response> {
    const headers = new Headers({ Accept: mediaType });
    if (sent.body !== undefined) headers.set('Content-Type', 'application/json');
    const modifies = endpoint.method !== 'GET' || endpoint.changesState === true;
    if (modifies && this.csrfToken !== null) headers.set('X-CSRF-Token', this.csrfToken);
    const request: RequestInit = { method: endpoint.method, headers, credentials: 'same-origin' };
    if (sent.form !== undefined) request.body = sent.form;
    else if (sent.body !== undefined) request.body = JSON.stringify(sent.body);
    if (sent.signal !== undefined) request.signal = sent.signal;
    const asked_ms = Date.now();
    try {
      const answer = await this.#fetch(address, request);
      this.clock.hear(answer.headers.get('Date'), asked_ms);
      return answer;
    } catch (cause) {
      if (isAborted(cause)) throw cause;
      throw new ApiError('network', 'The server could not be reached', { cause });
    }
  }

  async #refused(answer: Response): Promise<ApiError> {
    const error = await readProblem(answer);
    if (error.code === 'authentication_required') {
      this.csrfToken = null;
      void this.forget();
      this.sessionEnded();
    }
    return error;
  }
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
