import type { Actor, AuditSink } from '../../auth/actor.ts';
import { Refusal } from '../../contract/errors.ts';
import { why } from '../../contract/refusal-reason.ts';
import { messageOf } from '../../contract/message-of.ts';

interface DaemonStartOptions {
  /** Resolves with false when the daemon is not stopped; rejects when it cannot start. */
  startAgain: () => Promise<boolean>;
  audit: AuditSink;
}

/** Starts the daemon again after it was stopped. Throws `conflict` when it is not stopped, and `command_failed`. */
export async function startDaemonAgain(actor: Actor, { startAgain, audit }: DaemonStartOptions): Promise<void> {
  const isStarted = await startAgain().catch((error: unknown) => {
    audit.record({ kind: 'daemon.start', actor, after: { failed: messageOf(error) } });
    throw new Refusal('command_failed', why('daemon_cannot_start', { said: messageOf(error) }), { cause: error });
  });
  if (!isStarted) throw new Refusal('conflict', why('daemon_not_stopped'));
  audit.record({ kind: 'daemon.start', actor, after: { started: true } });
}
