import { z } from 'zod';
import { isApiError } from '../../client/api-error.ts';

const named = z.looseObject({ users: z.array(z.looseObject({ name: z.string() })) });

/** Names of the users who have a role, from the refusal to delete it; empty for any other error. */
export function holdersOf(error: unknown): string[] {
  if (!isApiError(error) || error.code !== 'in_use') return [];
  const read = named.safeParse(error.problem);
  return read.success ? read.data.users.map((user) => user.name) : [];
}
