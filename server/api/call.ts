import type { Logger } from 'pino';
import type { Actor, AuditSink } from '../auth/actor.ts';
import type { Authenticated, Authenticator } from '../auth/authenticator.ts';
import { isRefusal, Refusal } from '../contract/errors.ts';
import type { StorageService } from '../services/record/storage.ts';
import { type Answer, answerOf, isTextStream, sendAnswer } from './answer.ts';
import { checkAnswer, checkErrorCode } from './answer-check.ts';
import { parseJson } from '../contract/json-body.ts';
import { isForm, readFileBytes, readJsonBytes } from './checks/body.ts';
import { credentialsOf, peerAddress } from './checks/credentials.ts';
import { checkCsrfToken, checkOrigin } from './checks/forgery.ts';
import { checkPermission } from './checks/permission.ts';
import { callerName, type RateLimiter } from './checks/rate.ts';
import type { PeerOf } from './connections.ts';
import { whileAllowed } from './checks/standing.ts';
import { checkVersion } from './checks/version.ts';
import type { ApiContext } from './context.ts';
import { onceGone, pauseUnlessGone } from './gone.ts';
import { HandlerRequest } from './handler-request.ts';
import type { Pace } from './pace.ts';
import type { Turn, Turns } from './turns.ts';
import { RawFile } from './route.ts';
import { holdFile, holdWhole, whileTaken } from './untaken.ts';
import { type Call, type Found, requireCall, type RouteTable } from './route-table.ts';

export interface CallParts {
  table: RouteTable;
  authenticator: Authenticator;
  limiter: RateLimiter;
  turns: Turns;
  /** The pace of requests that take turns. */
  pace: Pace;
  vouch?: (peer: PeerOf) => void;
  audit: AuditSink;
  log: Logger;
  storage?: StorageService;
  bodyTimeoutMs: number;
  /** Answers that break the contract become errors (development and tests). */
  checkAnswers: boolean;
}

/** Answers a call of the API: the contract's checks in the contract's order, then the handler. */
export async function answerCall(ctx: ApiContext, parts: CallParts): Promise<void> {
  const found = parts.table.find(ctx.method, ctx.path);
  const { actor, csrf_token } = identify(ctx, found, parts);
  const call = requireCall(found);
  const params = call.readParams(found.params);
  if (call.needsVersion) checkVersion(ctx.get('Accept'));
  if (call.isModifying && actor.key_id === null) {
    checkOrigin(ctx);
    if (csrf_token !== null) checkCsrfToken(ctx, csrf_token);
  }
  checkPermission(call.endpoint, actor);
  const body = await readCounted(ctx, { call, parts, actor });
  const query = call.readQuery(withoutKey(ctx.query));
  // Other calls do not wait: what they record is stored later.
  if (call.isModifying && call.budget === 'change') await parts.storage?.ready();
  const turn = takesTurn(call) ? await takeTurn(ctx, parts, turnName(call, actor)) : undefined;
  await handle(ctx, { call, parts, turn, request: new HandlerRequest(ctx, { params, query, body, actor }) });
}

/** Identifies the caller. Throws `rate_limited`, then `authentication_required`. */
function identify(ctx: ApiContext, found: Found, parts: CallParts): Authenticated {
  const address = peerAddress(ctx);
  const isModifying = found.call?.isModifying ?? !['GET', 'HEAD', 'OPTIONS'].includes(ctx.method);
  const budget = found.call?.budget ?? (found.isPublic ? 'login' : 'change');
  if (found.isPublic) {
    const actor = nobody(address);
    parts.limiter.count(isModifying || budget === 'health' ? budget : 'stranger', actor);
    return { actor, csrf_token: null };
  }
  const credentials = credentialsOf(ctx);
  const authenticated = parts.authenticator.authenticate(credentials);
  // Whether a call goes safe is known only after its body is read; a stranger's body is not read.
  if (authenticated) ctx.state.caller = callerName(authenticated.actor);
  const isCounted = isModifying && !(authenticated && found.call?.endpoint.goesSafe);
  if (isCounted) parts.limiter.count(budget, authenticated?.actor ?? nobody(address));
  if (!authenticated) {
    if (!isCounted) parts.limiter.count('stranger', nobody(address));
    throw unauthenticated();
  }
  parts.vouch?.(ctx.req.socket);
  ctx.state.username = authenticated.actor.username;
  ctx.state.keyId = authenticated.actor.key_id;
  if (credentials.api_key?.carrier === 'query') deprecateUrlKey(ctx, authenticated.actor, parts);
  return authenticated;
}

function nobody(address: string): Actor {
  return {
    user_id: null,
    username: null,
    role: null,
    permissions: new Set(),
    key_id: null,
    scope: 'full',
    session_id: null,
    address,
  };
}

function unauthenticated(): Refusal {
  // Never Basic: a browser would open its own dialog.
  const headers = { 'WWW-Authenticate': 'ApiKey' };
  return new Refusal('authentication_required', 'log in, or send a valid API key', { headers });
}

/** Keys in a page's address end up in histories and logs. Deprecated since 2026-01-01 (RFC 9745). */
function deprecateUrlKey(ctx: ApiContext, actor: Actor, parts: CallParts): void {
  ctx.set('Deprecation', '@1767225600');
  ctx.set('Link', '</api>; rel="deprecation"; type="text/html"');
  parts.log.warn({ path: ctx.path, key_id: actor.key_id }, 'an API key in the query string is deprecated');
  parts.audit.record({ kind: 'apikey.url_auth', actor, target: ctx.path });
}

/** Reads the body, and counts the call if its body determines the budget. */
async function readCounted(
  ctx: ApiContext,
  { call, parts, actor }: { call: Call; parts: CallParts; actor: Actor },
): Promise<unknown> {
  const { endpoint, budget } = call;
  if (!endpoint.goesSafe) return readBody(ctx, call, parts.bodyTimeoutMs);
  let isSafe = false;
  try {
    const body = await readBody(ctx, call, parts.bodyTimeoutMs);
    isSafe = endpoint.goesSafe(body);
    return body;
  } finally {
    parts.limiter.count(isSafe ? 'safety' : budget, actor);
  }
}

async function readBody(ctx: ApiContext, call: Call, timeoutMs: number): Promise<unknown> {
  if (call.endpoint.method === 'GET') return undefined;
  if (call.endpoint.takesFile === true && isForm(ctx.req)) {
    return { file: await readFileBytes(ctx.req, { maxBytes: call.maxBodyBytes, timeoutMs }) };
  }
  const bytes = await readJsonBytes(ctx.req, { maxBytes: call.maxBodyBytes, timeoutMs });
  const { takesBytesAbove = Infinity } = call.route;
  return bytes.length > takesBytesAbove ? bytes : call.readBody(parseJson(bytes));
}

function withoutKey(query: ApiContext['query']): ApiContext['query'] {
  if (!('api_key' in query)) return query;
  const { api_key: _, ...rest } = query;
  return rest;
}

interface Handling {
  call: Call;
  turn: Turn | undefined;
  parts: CallParts;
  request: HandlerRequest;
}

/** Readings, calculations and changes take turns; a call that makes a device act waits for no other request. */
function takesTurn({ endpoint, isModifying, budget }: Call): boolean {
  if (endpoint.stream === 'text/event-stream' || budget === 'health') return false;
  if (endpoint.stream === 'application/octet-stream') return false; // a file of gigabytes lasts for minutes
  return !isModifying || budget === 'change' || budget === 'calculation';
}

/** Tiles that wait for a slow provider must not delay the same caller's requests about the house. */
function turnName({ endpoint }: Call, actor: Actor): string {
  return endpoint.isRelay === true ? `${callerName(actor)} relayed` : callerName(actor);
}

/** Waits for the caller's turn, which lasts until the answer is taken. Throws `rate_limited`. */
async function takeTurn(ctx: ApiContext, parts: CallParts, name: string): Promise<Turn> {
  const turn = await parts.turns.take(name);
  if (turn === null) {
    throw new Refusal('rate_limited', 'too many of your requests wait', { headers: { 'Retry-After': '1' } });
  }
  // The client may have gone while it waited.
  onceGone(ctx.res, () => turn.end());
  const waitMs = parts.pace.take(name);
  if (waitMs > 0) await pauseUnlessGone(ctx.res, waitMs);
  return turn;
}

function holdAnswer({ body, res }: ApiContext, turn: Turn | undefined, answer: Answer): void {
  if (answer.body instanceof RawFile) return holdFile(res, answer.body.stream);
  if (typeof body !== 'string' && !Buffer.isBuffer(body)) return; // a stream is held part by part
  turn?.hold(Buffer.byteLength(body));
  holdWhole(res);
}

async function handle(ctx: ApiContext, { call, parts, turn, request }: Handling): Promise<void> {
  const { endpoint } = call;
  try {
    const answer = answerOf(endpoint, await call.route.handle(request));
    if (parts.checkAnswers) checkAnswer(endpoint, answer);
    sendAnswer(ctx, endpoint, watched(ctx, { call, parts }, answer));
    holdAnswer(ctx, turn, answer);
  } catch (error) {
    if (parts.checkAnswers && isRefusal(error)) checkErrorCode(endpoint, error.code);
    throw error;
  }
}

/**
 * A stream of text ends when its reader loses the right to it or takes nothing of it for long; a file that is under way
 * arrives whole.
 */
function watched(ctx: ApiContext, { call, parts }: Pick<Handling, 'call' | 'parts'>, answer: Answer): Answer {
  const { endpoint } = call;
  if (!isTextStream(answer.body) || endpoint.access === 'public') return answer;
  const { authenticator } = parts;
  const allowed = whileAllowed(answer.body, { authenticator, endpoint, credentials: credentialsOf(ctx) });
  return { ...answer, body: takesTurn(call) ? whileTaken(ctx.res, allowed) : allowed };
}
