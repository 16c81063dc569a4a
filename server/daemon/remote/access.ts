import { createHash, timingSafeEqual } from 'node:crypto';
import { RemoteFailure } from '../../contract/remote/failure.ts';
import { declaredMethod } from '../../contract/remote/index.ts';
import { outsideActor } from '../../contract/remote/parameters.ts';
import type { RemoteCall, RemoteMethod } from '../../remote/method.ts';

/** The caller that shows the service's token: its calls wait for no other program. */
export const serverCaller = 'server';

/** The secrets that a handshake can present. */
export interface AccessSecrets {
  /** Readable only in the data directory: presenting it proves that the caller is the service. */
  server_token: string;
  /** What other programs on this machine must present; undefined lets any of them in. */
  loopback_secret: string | undefined;
}

/** Identifies a caller on this machine. */
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

/** Identifies a caller elsewhere: never the service, and undefined without the secret. */
export function networkCaller(secret: string): (handshake: unknown) => string | undefined {
  return (handshake) => (isSame(handshake, secret) ? outsideActor : undefined);
}

/** The methods that are served to other machines: those declared so. */
export function networkMethods(methods: Readonly<Record<string, RemoteMethod>>): Record<string, RemoteMethod> {
  return Object.fromEntries(Object.entries(methods).filter(([name]) => declaredMethod(name)?.access === 'network'));
}

export function isServer({ caller }: Pick<RemoteCall, 'caller'>): boolean {
  return caller === serverCaller;
}

/** The actor of a call. The service names its user; any other program acts as itself. Throws RemoteFailure. */
export function actorOf(call: Pick<RemoteCall, 'caller'>, named: string | null | undefined): string {
  if (isServer(call)) return named ?? outsideActor;
  if (named == null || named === outsideActor) return outsideActor;
  throw new RemoteFailure('invalid_argument', 'actor: only the service may say who asks');
}

/** Compares in constant time. */
function isSame(handshake: unknown, secret: string): boolean {
  return typeof handshake === 'string' && timingSafeEqual(digest(handshake), digest(secret));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
