import type { Actor } from '../auth/actor.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import type { ApiContext } from './context.ts';
import { onceGone } from './gone.ts';
import type { RouteRequest } from './route.ts';

/** Made once: the usual reason has a stack trace, which takes longer than most answers. */
const gone = new DOMException('the client has gone', 'AbortError');

interface Validated {
  params: unknown;
  query: unknown;
  body: unknown;
  actor: Actor;
}

/**
 * The argument of a handler. The abort signal is made only on access: most answers are done before it could be used.
 */
export class HandlerRequest implements RouteRequest<Endpoint> {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly actor: Actor;
  readonly requestId: string;
  /** Bound, as handlers destructure the request. */
  readonly header: (name: string) => string | undefined;
  readonly #ctx: ApiContext;
  #controller: AbortController | undefined;

  constructor(ctx: ApiContext, validated: Validated) {
    this.params = validated.params;
    this.query = validated.query;
    this.body = validated.body;
    this.actor = validated.actor;
    this.requestId = ctx.state.requestId;
    this.header = (name) => ctx.get(name) || undefined;
    this.#ctx = ctx;
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      const controller = new AbortController();
      this.#controller = controller;
      onceGone(this.#ctx.res, () => controller.abort(gone));
    }
    return this.#controller.signal;
  }
}
