import type { Authenticator, Credentials } from '../../auth/authenticator.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { isRefusal } from '../../contract/errors.ts';
import { checkPermission } from './permission.ts';

export interface Standing {
  authenticator: Authenticator;
  credentials: Credentials;
  endpoint: Endpoint;
}

/**
 * A stream outlives the request that opened it, so it is passed on only while the same request would still be answered.
 * It ends with the first part after the session or key has ended, or its role has lost the permission.
 */
export async function* whileAllowed(stream: AsyncIterable<string>, standing: Standing): AsyncGenerator<string> {
  for await (const part of stream) {
    if (!isAllowed(standing)) return;
    yield part;
  }
}

function isAllowed({ authenticator, credentials, endpoint }: Standing): boolean {
  const again = authenticator.authenticate(credentials);
  if (again === null) return false;
  try {
    checkPermission(endpoint, again.actor);
    return true;
  } catch (error) {
    if (isRefusal(error)) return false;
    throw error;
  }
}
