import { createHash, timingSafeEqual } from 'node:crypto';
import { RemoteFailure } from '../../contract/remote/failure.ts';
import { declaredMethod } from '../../contract/remote/index.ts';
import { outsideActor } from '../../contract/remote/parameters.ts';
import type { RemoteCall, RemoteMethod } from '../../remote/method.ts';

/** Name of the service, which shows its token: what it is served waits for no other program. */
export const serverCaller = 'server';

/** Values of a handshake that open the remote object. */
export interface AccessSecrets {
  /** Known to whoever may read the data directory: the service proves by it that it is the service. */
  server_token: string;
  /** What other programs on this machine must know; undefined lets any of them in. */
  loopback_secret: string | undefined;
}

/** Who calls from this machine. */
export function loopbackCaller({
  server_token,
  loopback_secret,
}: AccessSecrets): (handshake: unknown) => string | undefined {
  const isOutsideOpen = (handshake: unknown): boolean =>
    loopback_secret === undefined || isSame(handshake, loopback_secret);
  return (handshake) => {
    if (isSame(handshake, server_token)) return serverCaller;
    return isOutsideOpen(handshake) ? outsideActor : undefined;
  };
}

/** Who calls from elsewhere: never the service, and nobody without the secret. */
export function networkCaller(secret: string): (handshake: unknown) => string | undefined {
  return (handshake) => (isSame(handshake, secret) ? outsideActor : undefined);
}

/** The methods that are served off this machine: those that are declared so. */
export function networkMethods(methods: Readonly<Record<string, RemoteMethod>>): Record<string, RemoteMethod> {
  return Object.fromEntries(Object.entries(methods).filter(([name]) => declaredMethod(name)?.access === 'network'));
}

export function isServer({ caller }: Pick<RemoteCall, 'caller'>): boolean {
  return caller === serverCaller;
}

/** On whose behalf a call is made. The service names its user; any other program is what it is. Throws RemoteFailure. */
export function actorOf(call: Pick<RemoteCall, 'caller'>, named: string | null | undefined): string {
  if (isServer(call)) return named ?? outsideActor;
  if (named == null || named === outsideActor) return outsideActor;
  throw new RemoteFailure('invalid_argument', 'actor: only the service may say who asks');
}

/** Compares in a time that says nothing about the secret. */
function isSame(handshake: unknown, secret: string): boolean {
  return typeof handshake === 'string' && timingSafeEqual(digest(handshake), digest(secret));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
