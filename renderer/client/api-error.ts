import { backupFaultCodes, type BackupFault } from '../../server/contract/backup.ts';
import { errorStatus, type ErrorCode, type FieldError, type Problem } from '../../server/contract/errors.ts';
import { passwordWeaknesses, type PasswordWeakness } from '../../server/contract/user.ts';

/**
 * `network`: no answer arrived; `unsent`: no request was sent; `unexpected`: the answer does not follow the contract.
 */
export type FailureCode = ErrorCode | 'network' | 'unsent' | 'unexpected';

interface Answered {
  status?: number;
  problem?: Problem;
  retryAfter_s?: number | undefined;
  cause?: unknown;
}

/** A failed call, with the server's problem body if there is one. */
export class ApiError extends Error {
  readonly code: FailureCode;
  readonly status: number;
  readonly problem: Problem | undefined;
  /** How long to wait before asking again, s; undefined when the server did not say. */
  readonly retryAfter_s: number | undefined;

  constructor(code: FailureCode, detail: string, answered: Answered) {
    super(detail, { cause: answered.cause });
    this.name = 'ApiError';
    this.code = code;
    this.status = answered.status ?? 0;
    this.problem = answered.problem;
    this.retryAfter_s = answered.retryAfter_s;
  }

  get fields(): FieldError[] {
    return this.problem?.errors ?? [];
  }
}

/** Why a password was refused; undefined for other faults. */
export function weaknessOf(fields: readonly FieldError[]): PasswordWeakness | undefined {
  return passwordWeaknesses.find((weakness) => fields.some(({ code }) => code === weakness));
}

/** Why a backup could not be made, imported or restored; null for other errors. */
export function backupFaultOf(error: unknown): BackupFault['code'] | null {
  const fault: unknown = isApiError(error) ? error.problem?.['fault'] : undefined;
  const code = typeof fault === 'object' && fault !== null && 'code' in fault ? fault.code : null;
  return backupFaultCodes.find((one) => one === code) ?? null;
}

export function isApiError(error: unknown): error is ApiError {
  return error instanceof ApiError;
}

/** Statuses by which a call is refused that the same call may pass later. */
const passing: ReadonlySet<number> = new Set([401, 408, 429]);

/** True when the very same call would be refused again. */
export function isRefusal(error: unknown): boolean {
  return isApiError(error) && error.status >= 400 && error.status < 500 && !passing.has(error.status);
}

/** True when the server may just be unreachable, so that a retry makes sense. */
export function isOffline(error: unknown): boolean {
  return isApiError(error) && (error.code === 'network' || error.code === 'unsent' || error.code === 'starting');
}

export function isAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

/** Parses a refused answer into the contract's problem body. */
export async function readProblem(answer: Response): Promise<ApiError> {
  const body: unknown = await answer.json().catch(() => undefined);
  if (!isProblem(body)) return new ApiError('unexpected', `HTTP ${answer.status}`, { status: answer.status });
  const answered = { status: answer.status, problem: body, retryAfter_s: retryAfterOf(answer) };
  return new ApiError(body.code, body.detail, answered);
}

/** Whether the body comes from our server and not from a proxy in between. */
function isProblem(body: unknown): body is Problem {
  if (typeof body !== 'object' || body === null || !('code' in body) || !('detail' in body)) return false;
  return typeof body.code === 'string' && Object.hasOwn(errorStatus, body.code) && typeof body.detail === 'string';
}

function retryAfterOf(answer: Response): number | undefined {
  const seconds = Number(answer.headers.get('Retry-After') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : undefined;
}
