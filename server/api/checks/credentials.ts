import type { Credentials } from '../../auth/authenticator.ts';
import type { ApiContext } from '../context.ts';
import { sessionCookieName } from '../session-cookie.ts';

/** Peer address; an IPv4 one in its own notation although the socket listens for both. */
export function peerAddress(ctx: ApiContext): string {
  return (ctx.req.socket.remoteAddress ?? '').replace(/^::ffff:(?=\d+\.)/, '');
}

/** The credentials in a request. A key is sent on purpose, so it wins over the cookie. */
export function credentialsOf(ctx: ApiContext): Credentials {
  const address = peerAddress(ctx);
  const api_key = sentKey(ctx);
  if (api_key) return { address, api_key };
  const session_cookie = ctx.cookies.get(sessionCookieName);
  return session_cookie ? { address, session_cookie } : { address };
}

function sentKey(ctx: ApiContext): Credentials['api_key'] {
  const basic = /^basic +(\S+) *$/i.exec(ctx.get('Authorization'))?.[1];
  if (basic) return { key: basic, carrier: 'basic' };
  const header = ctx.get('X-API-KEY');
  if (header) return { key: header, carrier: 'header' };
  const query = ctx.query.api_key;
  // A plus sign of the base64 that was not percent-encoded arrives as a space.
  return typeof query === 'string' && query ? { key: query.replaceAll(' ', '+'), carrier: 'query' } : undefined;
}
