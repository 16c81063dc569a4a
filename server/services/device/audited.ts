import type { AuditEntry, AuditSink } from '../../auth/actor.ts';
import { commandFailure } from '../live/daemon-port.ts';

interface Deed<Answer> extends Omit<AuditEntry, 'after'> {
  audit: AuditSink;
  /** Recorded whatever becomes of it. */
  asked?: object;
  /** Recorded when the daemon answered. */
  after?: (answer: Answer) => object;
}

/**
 * Calls the daemon and records the call, even one that fails: without an answer it may have been carried out all the
 * same. Throws the refusal of the failure.
 */
export async function audited<Answer>(
  call: () => Promise<Answer>,
  { audit, asked, after, ...entry }: Deed<Answer>,
): Promise<Answer> {
  const record = (became: object): void => audit.record({ ...entry, after: { ...asked, ...became } });
  const answer = await call().catch((error: unknown) => {
    const refusal = commandFailure(error);
    const { code, message } = refusal;
    record({ outcome: code === 'command_unknown' ? 'unknown' : 'failed', code, message });
    throw refusal;
  });
  record(after?.(answer) ?? {});
  return answer;
}
