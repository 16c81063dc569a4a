import { userCreate } from '../../../server/contract/user.ts';

/** What is typed as an e-mail address, as the wire has it: null for none. */
export function emailOf(typed: string): string | null {
  const email = typed.trim();
  return email === '' ? null : email;
}

/** True where the typed address, or its absence, would be accepted. */
export function isEmail(typed: string): boolean {
  return userCreate.shape.email.safeParse(emailOf(typed)).success;
}
