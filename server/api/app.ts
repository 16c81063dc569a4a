import type { IncomingMessage, ServerResponse } from 'node:http';
import Koa from 'koa';
import type { Logger } from 'pino';
import type { AuditSink } from '../auth/actor.ts';
import type { Authenticator } from '../auth/authenticator.ts';
import { Refusal } from '../contract/errors.ts';
import { answerCall, type CallParts } from './call.ts';
import { nobodyAt, RateLimiter, type RateLimits } from './checks/rate.ts';
import { peerAddress } from './checks/credentials.ts';
import type { PeerOf } from './connections.ts';
import type { ApiState } from './context.ts';
import { pageDocuments } from './docs/page.ts';
import { type Document, serveDocuments } from './documents.ts';
import { compression } from './middleware/compression.ts';
import { problems } from './middleware/problems.ts';
import { requestLog } from './middleware/request-log.ts';
import { securityHeaders } from './middleware/security-headers.ts';
import { slowRefusals } from './middleware/slow-refusals.ts';
import type { StorageService } from '../services/record/storage.ts';
import { buildOpenApi } from './openapi.ts';
import type { Route } from './route.ts';
import { Pace } from './pace.ts';
import { Turns } from './turns.ts';
import { RouteTable } from './route-table.ts';
import { serveStaticFiles } from './static-files.ts';

export interface ApiOptions {
  routes: readonly Route[];
  authenticator: Authenticator;
  audit: AuditSink;
  log: Logger;
  /** The database that changes are stored in; without it no change waits for a lock. */
  storage?: StorageService;
  /** The program's version, for the API's description. */
  version: string;
  /** The authority's certificate in PEM, read at each request. */
  caPem: () => string;
  /** Folder with swagger-ui-dist's files; without it there is no page at /api. */
  swaggerUiDirectory?: string;
  /** Folder with the built pages. */
  rendererDirectory?: string;
  limits?: RateLimits;
  /** Called with a connection on which someone has logged in. */
  vouch?: (peer: PeerOf) => void;
  /** Monotonic clock in ms, for the limits. */
  now_ms?: () => number;
  /** Time for a body to arrive; default 30 s. */
  bodyTimeoutMs?: number;
  /** Answers that break the contract become errors (development and tests). */
  checkAnswers?: boolean;
}

/** The rate at which one login's turns are answered; beyond it a request waits, but at most a second. */
const readings = { perSecond: 300, atOnce: 1_000, longestMs: 1_000 };

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** Builds the API from its routes; returns the request handler of an HTTPS server. */
export function buildApi(options: ApiOptions): RequestHandler {
  const app = new Koa<ApiState>();
  app.on('error', (error: unknown) => options.log.debug({ err: error }, 'an answer broke off'));
  const nowMs = options.now_ms ?? (() => performance.now());
  const limiter = new RateLimiter(options.limits ?? {}, nowMs);
  app.use(slowRefusals(() => performance.now()));
  app.use(requestLog(options.log, nowMs));
  app.use(securityHeaders());
  app.use(problems(options.log, options.storage));
  app.use(compression());
  app.use(async (ctx, next) => {
    if (!isApi(ctx.path)) limiter.count('stranger', nobodyAt(peerAddress(ctx)));
    await next();
  });
  app.use(serveDocuments(documentFinder(options)));
  if (options.rendererDirectory !== undefined) app.use(serveStaticFiles(options.rendererDirectory));
  const parts = callParts(options, limiter);
  app.use(async (ctx) => {
    if (!isApi(ctx.path)) throw new Refusal('not_found', 'there is nothing at this path');
    await answerCall(ctx, parts);
  });
  const handle = app.callback();
  return (request, response) => void handle(request, response);
}

function isApi(path: string): boolean {
  return /^\/api(\/|$)/.test(path);
}

function callParts(options: ApiOptions, limiter: RateLimiter): CallParts {
  const { authenticator, audit, log, storage, vouch } = options;
  return {
    table: new RouteTable(options.routes),
    authenticator,
    audit,
    log,
    ...(storage && { storage }),
    ...(vouch && { vouch }),
    limiter,
    turns: new Turns(),
    pace: new Pace({ ...readings, now_ms: () => performance.now() }),
    bodyTimeoutMs: options.bodyTimeoutMs ?? 30_000,
    checkAnswers: options.checkAnswers ?? false,
  };
}

function documentFinder(options: ApiOptions): (path: string) => Document | undefined {
  const documents = new Map(options.swaggerUiDirectory === undefined ? [] : pageDocuments(options.swaggerUiDirectory));
  let description: Document | undefined;
  // Takes half a second, so it is not built at the start.
  const described = (): Document => ({
    type: 'application/json',
    content: JSON.stringify(buildOpenApi(options.routes, options.version)),
  });
  return (path) => {
    if (path === '/ca.crt') return { type: 'application/x-x509-ca-cert', content: options.caPem() };
    if (path === '/api/openapi.json') return (description ??= described());
    return documents.get(path);
  };
}
