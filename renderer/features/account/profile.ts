import { userCreate } from '../../../server/contract/user.ts';

/** A typed e-mail address in wire form: null when empty. */
export function emailOf(typed: string): string | null {
  const email = typed.trim();
  return email === '' ? null : email;
}

/** True when the typed address, or an empty one, is valid. */
export function isEmail(typed: string): boolean {
  return userCreate.shape.email.safeParse(emailOf(typed)).success;
}
