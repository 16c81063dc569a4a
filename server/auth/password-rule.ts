import { dictionary } from '@zxcvbn-ts/language-common';
import { Refusal } from '../contract/errors.ts';
import { leastPasswordLength, type PasswordWeakness } from '../contract/user.ts';
import { foldName } from '../db/folded-name.ts';

const minDistinct = 4; // characters

const common = new Set(dictionary['passwords-common'].filter((password) => password.length >= leastPasswordLength));

/** Throws `weak_password` for one that is short, common, the username itself, or a few repeated characters. */
export function refuseWeakPassword(password: string, username: string): void {
  const problem = weakness(password, username);
  if (problem === undefined) return;
  const message = messages[problem];
  const errors = [{ path: 'password', code: problem, message }];
  throw new Refusal('weak_password', `password ${message}`, { errors });
}

const messages: Record<PasswordWeakness, string> = {
  too_short: `must have at least ${leastPasswordLength} characters`,
  too_common: 'is one of the most common passwords',
  is_username: 'must differ from the username',
  too_uniform: `must have at least ${minDistinct} different characters`,
};

function weakness(password: string, username: string): PasswordWeakness | undefined {
  const folded = password.normalize('NFKC').toLowerCase();
  const characters = [...folded];
  if (characters.length < leastPasswordLength) return 'too_short';
  if (common.has(folded)) return 'too_common';
  if (folded === foldName(username)) return 'is_username';
  if (new Set(characters).size < minDistinct) return 'too_uniform';
  return undefined;
}
