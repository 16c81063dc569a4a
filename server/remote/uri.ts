import { RemoteError } from './exception.ts';

export interface RemoteUri {
  readonly object: string;
  readonly host: string;
  readonly port: number;
}

const pattern = /^PYRO:([^@\s]+)@(?:\[([0-9a-fA-F:.]+(?:%\w+)?)\]|([^:@[\]\s/]+)):(\d{1,5})$/;

/**
 * Reads `PYRO:object@host:port`, an IPv6 address in brackets. Name-server forms and unix sockets are not supported:
 * throws RemoteError `invalid_argument`, as for a port outside 1..65535.
 */
export function parseRemoteUri(text: string): RemoteUri {
  const match = pattern.exec(text);
  const [, object, ipv6, name, digits] = match ?? [];
  const host = ipv6 ?? name;
  const port = Number(digits);
  if (object === undefined || host === undefined || !(port >= 1 && port <= 65_535)) {
    throw new RemoteError('invalid_argument', `not a remote object address (PYRO:object@host:port): ${text}`);
  }
  return { object, host, port };
}

/** Writes an address as parseRemoteUri reads it. */
export function formatRemoteUri({ object, host, port }: RemoteUri): string {
  return `PYRO:${object}@${host.includes(':') ? `[${host}]` : host}:${port}`;
}
