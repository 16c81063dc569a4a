import { describe, expect, it } from 'vitest';
import { clearSessionCookie, setSessionCookie } from '../../../server/api/session-cookie.ts';

describe('the session cookie', () => {
  it('is bound to this host, HTTPS and our own pages', () => {
    expect(setSessionCookie('abc')).toBe('__Host-orangery=abc; Path=/; Secure; HttpOnly; SameSite=Strict');
    expect(setSessionCookie('abc', 60.5)).toMatch(/; Max-Age=60$/);
    expect(clearSessionCookie()).toBe('__Host-orangery=; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=0');
  });
});
