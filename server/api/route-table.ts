import Router from '@koa/router';
import { Refusal } from '../contract/errors.ts';
import type { Budget } from '../contract/budget.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import { bodyReader, paramsReader, textReader } from './input.ts';
import type { Route } from './route.ts';

/** A route with everything that can be prepared once for its requests. */
export interface Call {
  route: Route;
  endpoint: Endpoint;
  isPublic: boolean;
  /** Changes something: counts against the limits and needs the CSRF token when the session comes by cookie. */
  isModifying: boolean;
  /** The budget of a modifying call. */
  budget: Budget;
  needsVersion: boolean;
  maxBodyBytes: number;
  readParams: ReturnType<typeof paramsReader>;
  readQuery: ReturnType<typeof textReader>;
  readBody: ReturnType<typeof bodyReader>;
}

/** What is at a path. */
export interface Found {
  call: Call | undefined;
  /** Texts of the path's parameters. */
  params: Record<string, string>;
  /** Methods of the path; none when there is no such path. */
  allowed: string[];
  /** Anyone may call it; if the method does not fit, anyone may call something else at the path. */
  isPublic: boolean;
}

const defaultMaxBodyBytes = 1024 * 1024;

/**
 * Finds the route of a request. A literal path takes precedence over one with parameters, whatever the order of the
 * list.
 */
export class RouteTable {
  readonly calls: readonly Call[];
  /** By the number of path segments: the router tries its routes one by one, so each gets few. */
  readonly #routers = new Map<number, Router>();
  readonly #callOf = new Map<unknown, Call>();

  constructor(routes: readonly Route[]) {
    this.calls = routes.map(compile);
    const known = new Set<string>();
    for (const call of [...this.calls].sort((a, b) => parameterCount(a) - parameterCount(b))) {
      const { method, path } = call.endpoint;
      const name = `${method} ${path}`;
      if (known.has(name)) throw new Error(`two routes for ${name}`);
      known.add(name);
      // The router is used only to match: the checks before a handler have one fixed order, outside its chain.
      const layer = this.#routerFor(path).register(path, [method], () => undefined);
      this.#callOf.set(layer, call);
    }
  }

  find(method: string, path: string): Found {
    const layers = this.#routers.get(segmentCount(path))?.match(path, method).path ?? [];
    const matches = layers.flatMap((layer) => {
      const call = this.#callOf.get(layer);
      return call ? [{ layer, call }] : [];
    });
    const [first] = matches;
    const here = matches.filter(({ call }) => first && parameterCount(call) === parameterCount(first.call));
    const match = here.find(({ call }) => methodsOf(call).includes(method));
    return {
      call: match?.call,
      params: match ? match.layer.params(path, match.layer.captures(path)) : {},
      allowed: here.flatMap(({ call }) => methodsOf(call)),
      isPublic: match ? match.call.isPublic : here.length > 0 && here.every(({ call }) => call.isPublic),
    };
  }

  #routerFor(path: string): Router {
    const count = segmentCount(path);
    const router = this.#routers.get(count) ?? new Router({ sensitive: true, strict: true });
    this.#routers.set(count, router);
    return router;
  }
}

function segmentCount(path: string): number {
  return path.split('/').length;
}

/** HEAD is answered like GET, but must change nothing. */
function methodsOf(call: Call): string[] {
  const { method } = call.endpoint;
  return method === 'GET' && !call.isModifying ? ['GET', 'HEAD'] : [method];
}

function parameterCount(call: Call): number {
  return call.endpoint.path.split(':').length - 1;
}

/** The matched call. Throws `not_found`, or `method_not_allowed` with `Allow`. */
export function requireCall(found: Found): Call {
  if (found.call) return found.call;
  if (found.allowed.length === 0) throw new Refusal('not_found', 'there is nothing at this path');
  const headers = { Allow: found.allowed.join(', ') };
  throw new Refusal('method_not_allowed', `this path takes ${headers.Allow} only`, { headers });
}

function queryReader({ query, anyCaseQuery }: Endpoint): ReturnType<typeof textReader> {
  const read = textReader(query);
  if (anyCaseQuery !== true) return read;
  return (values) => {
    const lower = Map.groupBy(Object.entries(values), ([name]) => name.toLowerCase());
    const given = [...lower].map(([name, entries]) => [name, entries.flatMap(([, value]) => value ?? [])] as const);
    return read(Object.fromEntries(given.map(([name, texts]) => [name, texts.length === 1 ? texts[0] : texts])));
  };
}

function compile(route: Route): Call {
  const { endpoint } = route;
  return {
    route,
    endpoint,
    isPublic: endpoint.access === 'public',
    isModifying: endpoint.method !== 'GET' || endpoint.changesState === true,
    budget: endpoint.budget ?? (endpoint.access === 'public' ? 'login' : 'change'),
    needsVersion: endpoint.stream === undefined && endpoint.anyVersion !== true,
    maxBodyBytes: endpoint.maxBodyBytes ?? defaultMaxBodyBytes,
    readParams: paramsReader(endpoint.params),
    readQuery: queryReader(endpoint),
    readBody: bodyReader(endpoint.body),
  };
}
