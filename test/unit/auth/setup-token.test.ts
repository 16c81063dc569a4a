import { expect, it } from 'vitest';
import { SetupToken } from '../../../server/auth/setup-token.ts';

it('knows its own value, also with the blanks of a paste', () => {
  const token = new SetupToken();
  expect(token.value).toMatch(/^[\w-]{32}$/);
  expect(token.matches(token.value)).toBe(true);
  expect(token.matches(` ${token.value}\n`)).toBe(true);
});

it('refuses anything else, the token of another start too', () => {
  const token = new SetupToken();
  expect(token.matches('')).toBe(false);
  expect(token.matches(token.value.slice(1))).toBe(false);
  expect(token.matches(new SetupToken().value)).toBe(false);
});
