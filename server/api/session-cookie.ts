/** The prefix binds the cookie to this host, the whole path and HTTPS (RFC 6265bis, 4.1.3.2). */
export const sessionCookieName = '__Host-orangery';

const attributes = 'Path=/; Secure; HttpOnly; SameSite=Strict';

/** Value of a Set-Cookie header that lasts until the browser closes, or for maxAge_s seconds. */
export function setSessionCookie(value: string, maxAge_s?: number): string {
  const life = maxAge_s === undefined ? '' : `; Max-Age=${Math.floor(maxAge_s)}`;
  return `${sessionCookieName}=${value}; ${attributes}${life}`;
}

/** Value of a Set-Cookie header that removes the session cookie. */
export function clearSessionCookie(): string {
  return `${sessionCookieName}=; ${attributes}; Max-Age=0`;
}
