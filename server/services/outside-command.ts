import type { Actor, AuditSink } from '../auth/actor.ts';
import type { LiveCache } from './live.ts';

/** What the daemon calls a program that commands it by its remote object, past the REST interface. */
const outsideActor = 'pyro';

const outside: Actor = {
  user_id: null,
  username: outsideActor,
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
    if (event.kind === 'emergency_stop' && event.by === outsideActor) {
      const { active, since, by, reason } = event;
      audit.record({ kind: 'emergency_stop.begin', actor: outside, after: { active, since, by, reason } });
    }
    if (event.kind !== 'output' || event.commanded_by !== outsideActor || event.outcome === undefined) return;
    const { channel, state, quality, outcome, message } = event;
    audit.record({
      kind: 'output.command',
      actor: outside,
      target: event.output_id,
      after: { channel, state, quality, outcome, ...(message !== undefined && { message }) },
    });
  });
}
