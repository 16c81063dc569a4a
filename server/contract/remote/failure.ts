/** The codes that callers of the remote object may rely on. */
const remoteFailureCodes = [
  'not_found',
  'invalid_argument',
  'not_active',
  'not_available',
  'not_stored_yet',
  'output_driven',
  'conflict',
  'check_running',
  'emergency_stopped',
  'nothing_bound',
  'not_running',
  'not_in_check',
  'not_judgeable',
  'check_completed',
  'not_completed',
  'not_retestable',
  'no_reading',
  'not_steady',
] as const;
export type RemoteFailureCode = (typeof remoteFailureCodes)[number];

/** A call that the daemon refuses; its code and message reach the caller. */
export class RemoteFailure extends Error {
  override readonly name = 'RemoteFailure';
  readonly code: RemoteFailureCode;

  constructor(code: RemoteFailureCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
