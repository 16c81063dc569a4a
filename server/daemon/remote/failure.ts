/** The codes that callers of the remote object may rely on. */
export type RemoteFailureCode =
  | 'not_found'
  | 'invalid_argument'
  | 'not_active'
  | 'not_available'
  | 'output_driven'
  | 'conflict'
  | 'check_running'
  | 'nothing_bound'
  | 'not_running'
  | 'not_in_check'
  | 'not_judgeable'
  | 'check_completed'
  | 'not_completed'
  | 'no_reading'
  | 'not_steady';

/** A call that the daemon refuses; its code and message reach the caller. */
export class RemoteFailure extends Error {
  override readonly name = 'RemoteFailure';
  readonly code: RemoteFailureCode;

  constructor(code: RemoteFailureCode, message: string) {
    super(message);
    this.code = code;
  }
}
