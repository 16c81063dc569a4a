import { createHash, timingSafeEqual } from 'node:crypto';
import type { RemoteCall, RemoteMethod } from '../../remote/method.ts';
import { RemoteFailure } from './failure.ts';

/** Name of every program that commands the daemon past the service. */
export const outsideActor = 'pyro';
/** Name of the service, which shows its token: what it is served waits for no other program. */
export const serverCaller = 'server';

/**
 * All that is served to other machines: reading, commanding what is set up, stopping, and what people do to alarms. Anything else,
 * and whatever is added, is for this machine alone.
 */
const networkServed: ReadonlySet<string> = new Set([
  ...['check_daemon', 'daemon_status', 'drivers', 'events_since', 'live_state', 'ram_use', 'controller_is_active'],
  ...['output_state', 'output_states_all', 'output_sec_currently_on', 'last_measurement', 'past_measurements'],
  ...['output_on', 'output_off', 'output_on_off', 'output_command', 'override_release', 'input_force_measurements'],
  ...['lcd_backlight', 'lcd_flash', 'lcd_reset', 'display_backlight_color'],
  ...['emergency_stop', 'emergency_stop_get', 'emergency_stop_release'],
  ...['alarm_acknowledge', 'alarm_shelve', 'alarm_unshelve', 'alarm_remove_from_service', 'alarm_return_to_service'],
  ...['commissioning_abort', 'commissioning_get', 'commissioning_list'],
  ...['pid_get', 'pid_set', 'pid_hold', 'pid_pause', 'pid_resume', 'function_status'],
  ...['get_condition_measurement', 'get_condition_measurement_dict'],
]);

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

/** The methods that are served off this machine. */
export function networkMethods(methods: Readonly<Record<string, RemoteMethod>>): Record<string, RemoteMethod> {
  return Object.fromEntries(Object.entries(methods).filter(([name]) => networkServed.has(name)));
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
