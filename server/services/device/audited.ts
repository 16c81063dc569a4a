import type { AuditEntry, AuditSink } from '../../auth/actor.ts';
import type { Refusal } from '../../contract/errors.ts';
import { commandFailure } from '../live/daemon-port.ts';

interface Deed<Answer> extends Omit<AuditEntry, 'after'> {
  audit: AuditSink;
  /** Recorded with every outcome. */
  asked?: object;
  /** Recorded when the daemon answered; `failedWith` if the answer is that it could not. */
  after?: (answer: Answer) => object | Promise<object>;
  /** What the call made, as the target. */
  targetOf?: (answer: Answer) => string;
  /** The refusals of a call that does not fit the present state: nothing was done, and nothing is recorded. */
  refused?: (error: unknown) => Refusal | undefined;
}

/** The record of a deed that the daemon could not do. */
export function failedWith(message: string): object {
  return { outcome: 'failed', message };
}

/**
 * Calls the daemon and records the call, even one that fails: without an answer it may have been carried out all the
 * same. Throws the refusal of the failure.
 */
export async function audited<Answer>(
  call: () => Promise<Answer>,
  { audit, asked, after, targetOf, refused, ...entry }: Deed<Answer>,
): Promise<Answer> {
  const record = (became: object, at: Partial<AuditEntry> = {}): void =>
    audit.record({ ...entry, ...at, after: { ...asked, ...became } });
  const answer = await call().catch((error: unknown) => {
    const misfit = refused?.(error);
    if (misfit !== undefined) throw misfit;
    const refusal = commandFailure(error);
    const { code, message } = refusal;
    record({ outcome: code === 'command_unknown' ? 'unknown' : 'failed', code, message });
    throw refusal;
  });
  record((await after?.(answer)) ?? {}, targetOf && { target: targetOf(answer) });
  return answer;
}
