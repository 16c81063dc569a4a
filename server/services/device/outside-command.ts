import type { Actor, AuditSink } from '../../auth/actor.ts';
import type { LiveCache } from '../live/live.ts';

/** A program that commands the daemon by its remote object, past the REST interface, under the name that the daemon gives it. */
export const outsideActor: Actor = {
  user_id: null,
  username: 'pyro',
  role: null,
  permissions: new Set(),
  key_id: null,
  scope: 'full',
  session_id: null,
  address: null,
};

/** Writes commands that came past the REST interface to the audit; gives what ends that. */
export function auditOutsideCommands(live: Pick<LiveCache, 'subscribe'>, audit: AuditSink): () => void {
  return live.subscribe((event) => {
    if (event.kind === 'emergency_stop') {
      const { active, since, by, reason, released_by } = event;
      const after = { active, since, by, reason };
      if (by === outsideActor.username) audit.record({ kind: 'emergency_stop.begin', actor: outsideActor, after });
      if (released_by === outsideActor.username)
        audit.record({ kind: 'emergency_stop.release', actor: outsideActor, after });
    }
    if (event.kind !== 'output' || event.commanded_by !== outsideActor.username || event.outcome === undefined) return;
    const { channel, state, quality, outcome, message } = event;
    audit.record({
      kind: 'output.command',
      actor: outsideActor,
      target: event.output_id,
      after: { channel, state, quality, outcome, ...(message !== undefined && { message }) },
    });
  });
}
