import { lookup as systemLookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isAllowed, type Policy } from './address-policy.ts';
import { OutboundError } from './outbound-error.ts';

/** All addresses of a name. */
export type Resolve = (name: string) => Promise<readonly string[]>;

export interface Reach {
  policy: Policy;
  allowLoopback?: boolean | undefined;
  resolve?: Resolve | undefined;
}

/**
 * An address of a host, which may stand in brackets, that the policy lets be connected to. Connect to exactly that one: the name may
 * mean another a moment later. Throws `OutboundError`, also where only one of several addresses is refused.
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

/** What TLS is told of a host: its name, or nothing where it is a plain address (RFC 6066, section 3). */
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
