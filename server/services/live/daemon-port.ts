import { codeOf } from '../../contract/code-of.ts';
import { Refusal } from '../../contract/errors.ts';
import { messageOf } from '../../contract/message-of.ts';
import type { alarmMethods } from '../../contract/remote/alarm.ts';
import type { commissioningMethods } from '../../contract/remote/commissioning.ts';
import type { RemoteCalls } from '../../contract/remote/index.ts';
import type { CallsOf } from '../../contract/remote/method.ts';
import type { safetyMethods } from '../../contract/remote/safety.ts';

/** What the services call on the control daemon; `DaemonControl` implements it. Failures are errors with a `code`. */
export type DaemonPort = Pick<
  RemoteCalls,
  | 'output_command'
  | 'override_release'
  | 'drivers'
  | 'driver_search'
  | 'controller_refresh'
  | 'input_force_measurements'
  | 'lcd_backlight'
  | 'display_backlight_color'
  | 'lcd_flash'
  | 'lcd_reset'
  | 'pid_set'
  | 'pid_hold'
  | 'pid_pause'
  | 'pid_resume'
  | 'pid_state'
  | 'pid_autotune_start'
  | 'pid_autotune_get'
  | 'pid_autotune_abort'
  | 'last_measurement'
  | 'measurements_create'
  | 'trigger_action'
  | 'module_function'
  | 'trigger_all_actions'
>;

export type EmergencyStopPort = CallsOf<typeof safetyMethods>;
export type AlarmControl = CallsOf<typeof alarmMethods>;
export type CommissioningControl = CallsOf<typeof commissioningMethods>;

/** What the live cache calls, on a connection of its own: a long poll would delay every command. */
export interface DaemonEventPort extends Pick<RemoteCalls, 'events_since' | 'live_state' | 'daemon_status'> {
  /** Ends the calls under way. */
  close(): void;
}

/** Codes of failures before anything was sent, or of the connection. */
const unreachableCodes: ReadonlySet<string> = new Set(['connection_failed', 'handshake_refused']);
/** Codes of failures after which the call may have been carried out. */
const unknownCodes: ReadonlySet<string> = new Set(['timeout', 'aborted', 'closed', 'protocol_error', 'too_large']);

/** What a failed call to the daemon means for a command: unreachable, unknown, or refused by the daemon itself. */
export function commandFailure(error: unknown): Refusal {
  const code = codeOf(error) ?? '';
  const message = messageOf(error);
  if (unreachableCodes.has(code)) {
    return new Refusal('daemon_unreachable', `the control daemon cannot be reached: ${message}`, { cause: error });
  }
  if (unknownCodes.has(code)) {
    const detail = `the control daemon did not say whether it was done: ${message}`;
    return new Refusal('command_unknown', detail, { cause: error });
  }
  if (code === 'not_active') return new Refusal('not_active', message, { cause: error });
  if (code === 'not_stored_yet') return new Refusal('storage_failed', message, { cause: error });
  if (code === 'invalid_argument') return new Refusal('invalid_field', message, { cause: error });
  return new Refusal('command_failed', message, { cause: error });
}
