import { lookup as systemLookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isAllowed, type Policy } from './address-policy.ts';
import { OutboundError } from './outbound-error.ts';

/** Resolves a name to all of its addresses. */
export type Resolve = (name: string) => Promise<readonly string[]>;

export interface Reach {
  policy: Policy;
  allowLoopback?: boolean | undefined;
  resolve?: Resolve | undefined;
}

/**
 * An address of a host, which may be in brackets, that the policy allows. Connect to exactly this one: the name may
 * resolve differently a moment later. Throws `OutboundError`, even if only one of several addresses is refused.
 */
export async function allowedAddress(
  host: string,
  { policy, allowLoopback = false, resolve = resolved }: Reach,
): Promise<string> {
  const bare = host.replace(/^\[|\]$/g, '');
  const addresses = isIP(bare) === 0 ? await resolve(bare) : [bare];
  const [first] = addresses;
  const refused = addresses.find((one) => !isAllowed(one, policy, allowLoopback));
  if (first === undefined) throw new OutboundError('unreachable', `${bare} has no address`);
  if (refused !== undefined)
    throw new OutboundError('refused_address', `${bare} is at ${refused}, where ${policy} requests may not go`);
  return first;
}

/** The TLS server name for a host: its name, or undefined for a plain address (RFC 6066, section 3). */
export function serverNameOf(host: string): string | undefined {
  return isIP(host.replace(/^\[|\]$/g, '')) === 0 ? host : undefined;
}

async function resolved(name: string): Promise<string[]> {
  try {
    return (await systemLookup(name, { all: true })).map(({ address }) => address);
  } catch (cause) {
    throw new OutboundError('unreachable', `${name} is not known`, cause);
  }
}
